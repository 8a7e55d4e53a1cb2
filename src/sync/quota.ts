/** What an operator allows an instance to use. The error codes are those of the contract (decision 30). */
import type { HttpResponse } from "../http/response.ts";
import { errorResponse } from "./error-response.ts";

export interface SyncQuota {
  /** How many devices may be signed in; a signed-in one can always sign in again. */
  readonly devices?: number;
  readonly storage?: {
    readonly maxBytes: number;
    usedBytes(): Promise<number>;
  };
}

/** How old a measurement may be: the pushes of this time may exceed the quota. */
const MEASURE_MS = 1000;
/** A device keeps what it could not push, and tries again. */
const RETRY_AFTER_SECONDS = 60;

/** Asks whether the storage of an instance is used up. */
export function createStorageQuota(
  storage: NonNullable<SyncQuota["storage"]>,
  now: () => number,
): () => Promise<boolean> {
  let measured: Promise<number> | null = null;
  let measuredAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (measured === null || Math.abs(now() - measuredAt) >= MEASURE_MS) {
      measuredAt = now();
      measured = storage.usedBytes();
      // The next push measures again, instead of failing too.
      measured.catch(() => (measured = null));
    }
    return (await measured) >= storage.maxBytes;
  };
}

export function storageUsedUpResponse(requestId: string): HttpResponse {
  return errorResponse("storage_unavailable", requestId, {
    message:
      "The storage of this instance is used up, nothing was stored; its operator can allow more",
    headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
  });
}

export function tooManyDevicesResponse(devices: number, requestId: string): HttpResponse {
  return errorResponse("invalid_grant", requestId, {
    message: `This instance allows ${devices} signed-in ${devices === 1 ? "device" : "devices"}: sign one out, then sign in again`,
  });
}

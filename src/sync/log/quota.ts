/** What an operator allows an instance to use. The error codes are those of the contract (decision 18). */
import { REFUSED_HEADER, TOO_MANY_DEVICES } from "../../contract/sync/refused-operations.ts";
import type { HttpResponse } from "../../http/response.ts";
import { errorResponse } from "../responses/error-response.ts";

/** What an instance may use. A device beyond it cannot sign in, and a push beyond it is refused. */
export interface SyncQuota {
  /** How many devices may be signed in; a signed-in one can always sign in again. */
  readonly devices?: number;
  /** The limit of the store, and how to learn its size. */
  readonly storage?: {
    readonly maxBytes: number;
    usedBytes(): Promise<number>;
  };
}

export interface StorageQuota {
  /** Appends a push; null when the storage is used up, and then nothing is appended. */
  append<T>(
    operations: readonly { readonly text: string }[],
    write: () => Promise<T>,
  ): Promise<T | null>;
}

/** How old a measurement may be, because other processes write too. */
const MEASURE_MS = 1000;
/** A process takes this share of what is free before it measures again: others take theirs meanwhile. */
const SHARE = 1 / 16;
/** What a push takes: its texts in the log and in states, and rows of the ledger and of indexes. */
const BYTES_PER_CHARACTER = 4;
const BYTES_PER_OPERATION = 2048;
/** A device keeps what it could not push, and tries again. */
const RETRY_AFTER_SECONDS = 60;

/**
 * Far from the quota pushes run at once, and what they take is estimated. Near it each push waits for those
 * before it and is measured alone, so that a burst exceeds the quota by one push at most.
 */
export function createStorageQuota(
  { maxBytes, usedBytes }: NonNullable<SyncQuota["storage"]>,
  now: () => number,
): StorageQuota {
  let freeBytes = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  /** What was begun since the measurement, or was not written by then. */
  let takenBytes = 0;
  const running = new Map<Promise<unknown>, number>();
  let lastTurn: Promise<void> = Promise.resolve();

  async function takeTurn(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const previous = lastTurn;
    lastTurn = promise;
    await previous;
    return resolve;
  }

  async function measure(): Promise<void> {
    const unwritten = [...running.values()].reduce((sum, bytes) => sum + bytes, 0);
    freeBytes = maxBytes - (await usedBytes());
    measuredAt = now();
    takenBytes = unwritten;
  }

  async function admit(bytes: number): Promise<"refused" | "alone" | "beside-others"> {
    const isNear = () => takenBytes + bytes > freeBytes * SHARE;
    if (Math.abs(now() - measuredAt) >= MEASURE_MS) await measure();
    if (freeBytes > 0 && isNear()) {
      await Promise.allSettled(running.keys());
      await measure();
    }
    if (freeBytes <= 0) return "refused";
    return isNear() ? "alone" : "beside-others";
  }

  function run<T>(bytes: number, write: () => Promise<T>): Promise<T> {
    takenBytes += bytes;
    const written = write().finally(() => running.delete(written));
    running.set(written, bytes);
    return written;
  }

  return {
    async append(operations, write) {
      const bytes = estimateBytes(operations);
      const endTurn = await takeTurn();
      let written;
      try {
        const admission = await admit(bytes);
        if (admission === "refused") return null;
        written = run(bytes, write);
        // The next push is measured with this one.
        if (admission === "alone") await written;
      } finally {
        endTurn();
      }
      return written;
    },
  };
}

function estimateBytes(operations: readonly { readonly text: string }[]): number {
  const characters = operations.reduce((sum, { text }) => sum + text.length, 0);
  return characters * BYTES_PER_CHARACTER + operations.length * BYTES_PER_OPERATION;
}

export function storageUsedUpResponse(requestId: string): HttpResponse {
  return errorResponse("quota_exceeded", requestId, {
    headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
  });
}

export interface TooManyDevicesNotice {
  readonly kind: "too-many-devices";
  readonly requestId: string;
  readonly maxDevices: number;
}

export function tooManyDevicesResponse(devices: number, requestId: string): HttpResponse {
  return errorResponse("invalid_grant", requestId, {
    message: `This instance allows ${devices} signed-in ${devices === 1 ? "device" : "devices"}: sign one out, then sign in again`,
    headers: { [REFUSED_HEADER]: TOO_MANY_DEVICES },
  });
}

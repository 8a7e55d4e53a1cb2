/** How much goes into one request: what the server allows, or less where the way to it does not. */
import { utf8Length } from "../../rules/sync/operation-bounds.ts";
import {
  failure,
  isResponseTooLarge,
  MAX_RESPONSE_BYTES,
  requestSync,
  type RequestFailure,
} from "./request.ts";
import { isObject, type Members } from "../../contract/is-object.ts";
import {
  MAX_SEALED_OPERATION_BYTES,
  type ClearProfile,
} from "../../contract/sync/operation-limits.ts";
import { DEFAULT_SYNC_LIMITS, PROTOCOL_VERSION } from "../../contract/sync/values.ts";
import { profileMismatch, syncError } from "./errors.ts";
import type { SyncClientError } from "./results.ts";
import type { SyncSettings } from "./settings.ts";

/** The limits are lowered by experience, until the client ends or meets another network. */
export interface TransferLimits {
  pushOperations: number;
  /** The bytes of a whole request body. */
  pushBytes: number;
  /** A transaction that is larger comes in parts; smaller ones stay whole, also where batches became smaller. */
  wholeOperations: number;
  wholeBytes: number;
  pullOperations: number;
}

/** The contract's own: those of a server that has not been seen yet, or names none or greater ones. */
export const GREATEST_LIMITS: Readonly<TransferLimits> = toLimits(
  DEFAULT_SYNC_LIMITS.maxPushOperations,
  DEFAULT_SYNC_LIMITS.maxBodyBytes,
  DEFAULT_SYNC_LIMITS.maxPullOperations,
);

function toLimits(
  pushOperations: number,
  pushBytes: number,
  pullOperations: number,
): TransferLimits {
  const whole = { wholeOperations: pushOperations, wholeBytes: pushBytes };
  return { pushOperations, pushBytes, ...whole, pullOperations };
}

/** Halves what was too much. Returns whether to send less at once; after a time limit, later. */
export function lowerPushLimits(
  limits: TransferLimits,
  { error, status, code }: RequestFailure,
  {
    operations,
    isSmallest,
  }: { readonly operations: readonly unknown[]; readonly isSmallest: boolean },
  body: string,
): boolean {
  const count = operations.length;
  if (count === 1) return false;
  const bytes = utf8Length(body);
  // A slow connection parts no transaction.
  const isSlow = error.kind === "timeout" && !isSmallest;
  if (status === 413 || isSlow) {
    limits.pushBytes = Math.floor(bytes / 2);
    if (isSmallest) limits.wholeBytes = bytes - 1;
    return status === 413;
  }
  // The server refuses a batch of too many operations with this code.
  if (code !== "invalid_request") return false;
  limits.pushOperations = Math.floor(count / 2);
  if (isSmallest) limits.wholeOperations = count - 1;
  return true;
}

/** How many fit into a response, however large they are: a server that sends too much of them never ends. */
const FITTING_OPERATIONS = Math.floor(MAX_RESPONSE_BYTES / MAX_SEALED_OPERATION_BYTES);

/** A page that did not arrive in time may be too large for the connection. Returns whether to ask again at once. */
export function lowerPullLimit(limits: TransferLimits, failed: RequestFailure): boolean {
  const isTooLarge = isResponseTooLarge(failed);
  const least = isTooLarge ? FITTING_OPERATIONS : 1;
  const isSlow = failed.error.kind === "timeout";
  if (limits.pullOperations <= least || (!isTooLarge && !isSlow)) return false;
  limits.pullOperations = Math.floor(limits.pullOperations / 2);
  return isTooLarge;
}

export interface ServerCapabilities {
  readonly kind: "capabilities";
  readonly limits: TransferLimits;
  readonly hasLiveChanges: boolean;
  /** Whether a sign-in may name the device. */
  readonly takesDisplayName: boolean;
}

/** A server whose profile is not that of the app is a failure: it would refuse what the app pushes. */
export async function fetchCapabilities(
  settings: SyncSettings,
  signal: AbortSignal,
): Promise<ServerCapabilities | RequestFailure> {
  const response = await requestSync(settings, { path: "/v1/capabilities", signal });
  if (response.kind === "failed") return response;
  const { protocolVersion, sync, authentication } = response.value;
  if (protocolVersion !== PROTOCOL_VERSION || !isObject(sync)) {
    return failure(syncError("not-a-sync-server"));
  }
  const { profile } = sync;
  const serverProfile = typeof profile === "string" ? profile : null;
  const { encryption } = settings;
  const mismatch =
    encryption === null
      ? findProfileError(settings.profile, serverProfile)
      : encryption.findProfileError(serverProfile);
  if (mismatch !== null) return failure(mismatch);
  const { pushOperations, pushBytes, pullOperations } = GREATEST_LIMITS;
  return {
    kind: "capabilities",
    limits: toLimits(
      readLimit(sync, "maximumPushOperations", pushOperations),
      readLimit(sync, "maximumBodyBytes", pushBytes),
      readLimit(sync, "maximumPullOperations", pullOperations),
    ),
    hasLiveChanges: sync["changes"] === true,
    takesDisplayName: isObject(authentication) && authentication["displayName"] === true,
  };
}

function findProfileError(
  profile: ClearProfile,
  serverProfile: string | null,
): SyncClientError | null {
  if (serverProfile === null || serverProfile === profile) return null;
  return serverProfile === "sealed"
    ? profileMismatch(
        serverProfile,
        profile,
        "The sync server takes only encrypted data and this app encrypts none",
        "give createSyncClient the option encryption",
      )
    : profileMismatch(
        serverProfile,
        profile,
        `The sync server has the profile "${serverProfile}" and this app "${profile}"`,
        `set sync.profile of the server to "${profile}", or profile of createSyncClient to that of the server`,
      );
}

function readLimit(sync: Members, name: string, greatest: number): number {
  const limit = sync[name];
  const isLimit = typeof limit === "number" && Number.isInteger(limit) && limit >= 1;
  return isLimit ? Math.min(limit, greatest) : greatest;
}

/** What the server can do, and its limits. */
import { isObject } from "../../contract/is-object.ts";
import { DEFAULT_SYNC_LIMITS, PROTOCOL_VERSION } from "../../contract/sync/values.ts";
import { syncError } from "./errors.ts";
import { failure, requestSync, type Members, type RequestFailure } from "./request.ts";
import type { SyncSettings } from "./settings.ts";

export interface ServerCapabilities {
  readonly kind: "capabilities";
  readonly maxPushOperations: number;
  readonly maxPullOperations: number;
  readonly maxBodyBytes: number;
  /** Whether the server tells of changes. */
  readonly hasLiveChanges: boolean;
}

export async function fetchCapabilities(
  settings: SyncSettings,
  signal: AbortSignal,
): Promise<ServerCapabilities | RequestFailure> {
  const response = await requestSync(settings, { path: "/v1/capabilities", signal });
  if (response.kind === "failed") return response;
  const { protocolVersion, sync } = response.value;
  if (protocolVersion !== PROTOCOL_VERSION || !isObject(sync)) {
    return failure(syncError("not-a-sync-server"));
  }
  const { maxPushOperations, maxPullOperations, maxBodyBytes } = DEFAULT_SYNC_LIMITS;
  return {
    kind: "capabilities",
    maxPushOperations: readLimit(sync, "maximumPushOperations", maxPushOperations),
    maxPullOperations: readLimit(sync, "maximumPullOperations", maxPullOperations),
    maxBodyBytes: readLimit(sync, "maximumBodyBytes", maxBodyBytes),
    hasLiveChanges: sync["changes"] === true,
  };
}

/** The contract's own limits hold for a server that names none. */
function readLimit(sync: Members, name: string, byDefault: number): number {
  const limit = sync[name];
  return typeof limit === "number" && Number.isInteger(limit) && limit >= 1 ? limit : byDefault;
}

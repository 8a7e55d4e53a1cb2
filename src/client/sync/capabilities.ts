/** What the server can do, and its limits. */
import { isObject, type Members } from "../../contract/is-object.ts";
import { DEFAULT_SYNC_LIMITS, PROTOCOL_VERSION } from "../../contract/sync/values.ts";
import { syncError } from "./errors.ts";
import { failure, requestSync, type RequestFailure } from "./request.ts";
import type { SyncSettings } from "./settings.ts";
import type { TransferLimits } from "./transfer-limits.ts";

export interface ServerCapabilities {
  readonly kind: "capabilities";
  readonly limits: TransferLimits;
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
    limits: {
      pushOperations: readLimit(sync, "maximumPushOperations", maxPushOperations),
      pushBytes: readLimit(sync, "maximumBodyBytes", maxBodyBytes),
      pullOperations: readLimit(sync, "maximumPullOperations", maxPullOperations),
    },
    hasLiveChanges: sync["changes"] === true,
  };
}

/** The contract's own limits hold for a server that names none, or greater ones. */
function readLimit(sync: Members, name: string, greatest: number): number {
  const limit = sync[name];
  const isLimit = typeof limit === "number" && Number.isInteger(limit) && limit >= 1;
  return isLimit ? Math.min(limit, greatest) : greatest;
}

/** Which servers a device with encryption syncs with. */
import { profileMismatch } from "../sync/errors.ts";
import type { SyncClientError } from "../sync/results.ts";

/** A server that says nothing, `null`, may take anything. */
export function findSealedProfileError(serverProfile: string | null): SyncClientError | null {
  const named = serverProfile ?? "open";
  if (named === "sealed") return null;
  return profileMismatch(
    named,
    "sealed",
    `This app encrypts its data and the sync server, with the profile "${named}", would take it in the clear`,
    'set sync.profile of the server to "sealed"',
  );
}

/** Which servers a device with encryption syncs with, and how much it asks of one. */
import { profileMismatch } from "../sync/errors.ts";
import type { SyncClientError } from "../sync/results.ts";

/** A page of the largest operations must fit a response. */
export const SEALED_LIMITS = { pullOperations: 200 };

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

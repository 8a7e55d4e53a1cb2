/** Which servers a device with encryption syncs with, and how much it asks of one. */
import { profileMismatch } from "../sync/errors.ts";
import type { SyncClientError } from "../sync/results.ts";

/** Sealed operations can be 2.5 times as large, and a page of the largest must fit a response. */
export const SEALED_LIMITS = { pullOperations: 200 };

/** A server that says nothing, `null`, may take anything. */
export function findSealedProfileError(
  serverProfile: string | null,
  allowClearServer: boolean,
): SyncClientError | null {
  const named = serverProfile ?? "open";
  if (named === "sealed" || (named === "open" && allowClearServer)) return null;
  return profileMismatch(
    named,
    "sealed",
    `This app encrypts its data and the sync server, with the profile "${named}", would take it in the clear`,
    'set sync.profile of the server to "sealed", or to "open" and createEncryption to allowClearServer',
  );
}

/** The errors of requests and of the storage, in words for the person who meets them. */
import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import type { InvalidOperationCode } from "../../contract/sync/refused-operations.ts";
import type { EditErrorCode, EditResult, SyncClientError } from "./results.ts";

type ErrorKind = SyncClientError["kind"];

/** The others have their details in the message, or come with the encryption. */
type PlainKind = Exclude<
  ErrorKind,
  "profile-mismatch" | "key-needed" | "keys-disagree" | "data-in-the-clear"
>;

const MESSAGES: Readonly<Record<PlainKind, string>> = {
  unreachable: "The sync server cannot be reached; changes are kept and sent later",
  timeout: "The sync server did not respond in time; changes are kept and sent later",
  "rate-limited": "The sync server asks this device to wait; it goes on by itself",
  "server-error": "The sync server failed; changes are kept and sent later",
  "request-refused": "The sync server refuses this app; check the address, and update the app",
  "quota-exceeded":
    "The storage of this account on the sync server is used up; changes are kept on this device: ask the operator for more",
  "not-a-sync-server":
    "Something other than a sync server responded; changes are kept: check the address, the proxy and the network's own login page",
  "unreadable-page": "The sync server sent something that this version cannot read; update the app",
  "unstable-log":
    "The log of the sync server changed again and again; the device goes on by itself",
  "endless-log":
    "The sync server sends the same part of its log again and again; changes are kept: tell its operator",
  "long-log": "The sync server has very much to send; the device goes on by itself",
  "exhausted-log":
    "The sync server sent a change that no other could follow, and it was not taken over; changes are kept: tell its operator",
  "storage-failed": "The storage of this device failed; free some space, then restart the app",
  "storage-lost":
    "The data of this app was removed from this device; sign in again, and what the sync server has comes back",
  "signed-out": "This device is signed out; sign in to sync",
  "sign-in-needed": "The session of this device has ended; sign in again, nothing is lost",
  closed: "The sync client is closed",
};

/** Secrets never go into an error: `details` are codes and numbers. */
export function syncError<Kind extends PlainKind>(
  kind: Kind,
  details?: Omit<Extract<SyncClientError, { kind: Kind }>, "kind" | "message">,
): SyncClientError {
  return { kind, ...details, message: MESSAGES[kind] } as SyncClientError;
}

/** `unsent` edits were not on the server. */
export function storageLost(unsent: number): SyncClientError {
  const edits = unsent === 1 ? "1 edit was" : `${unsent} edits were`;
  const gone = unsent === 0 ? "all edits had been sent" : `${edits} not sent yet and gone`;
  return { kind: "storage-lost", unsent, message: `${MESSAGES["storage-lost"]} (${gone})` };
}

/** `found` is a sentence without its end. */
export function profileMismatch(
  serverProfile: string,
  appProfile: SyncProfile,
  found: string,
  advice: string,
): SyncClientError {
  return {
    kind: "profile-mismatch",
    serverProfile,
    appProfile,
    message: `${found}, so nothing is sent; changes are kept: ${advice}`,
  };
}

/** The records are gone while the client is open, such as when the browser cleared the data of the site. */
export class StorageLostError extends Error {}

export function storageError(cause: unknown): SyncClientError {
  if (cause instanceof StorageLostError) return syncError("storage-lost");
  return {
    kind: "storage-failed",
    message: `${MESSAGES["storage-failed"]}: ${cause instanceof Error ? cause.message : String(cause)}`,
  };
}

/** Whether the device has no connection, as far as it can tell. */
export function isOffline({ kind }: SyncClientError): boolean {
  return kind === "unreachable" || kind === "timeout";
}

/** Whether time alone can cure the error. */
export function isPassing(error: SyncClientError): boolean {
  const passing: readonly ErrorKind[] = [
    "rate-limited",
    "server-error",
    "unstable-log",
    "long-log",
    "closed",
  ];
  return isOffline(error) || passing.includes(error.kind);
}

export type RefusedEdit = Extract<EditResult, { kind: "refused" }>;

const STOPPING: ReadonlySet<string> = new Set(["closed", "storage_failed", "storage_lost"]);

/** Whether no other edit would be stored either. */
export function stopsEdits({ reason }: RefusedEdit): boolean {
  return STOPPING.has(reason);
}

export function refuseFailed(cause: unknown): RefusedEdit {
  const { kind, message } = storageError(cause);
  return refuseEdit(kind === "storage-lost" ? "storage_lost" : "storage_failed", message);
}

export function refuseEdit(
  reason: EditErrorCode | InvalidOperationCode,
  message: string,
  path?: string,
): RefusedEdit {
  return { kind: "refused", reason, message, ...(path !== undefined && { path }) };
}

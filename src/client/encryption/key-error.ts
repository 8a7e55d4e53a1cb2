import type { SyncClientError } from "../sync/results.ts";

const MESSAGES = {
  "key-needed":
    "This device has no encryption key of the account yet; make one for a new account, or enter the recovery key that another device shows: changes are kept on this device and sent then",
  "other-key":
    "The sync server holds data of another encryption key, so nothing is sent or taken over; changes are kept: check the address and the account, or ask the operator whether the data was replaced",
  "data-in-the-clear":
    "This app encrypts its data, and the storage of this device has data that was synced in the clear; nothing is lost: give the client a new storage and copy the data with copyEntities",
};

const REPLACED =
  "The encryption key of this account was replaced on another device; enter the new recovery key: changes are kept on this device and sent then";

export function keyError(kind: keyof typeof MESSAGES): SyncClientError {
  return { kind, message: MESSAGES[kind] };
}

/** A device whose key was replaced needs another one than it had. */
export function keyNeeded(isReplaced: boolean): SyncClientError {
  const error = keyError("key-needed");
  return isReplaced ? { ...error, message: REPLACED } : error;
}

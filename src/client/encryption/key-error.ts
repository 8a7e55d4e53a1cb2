import type { SyncClientError } from "../sync/results.ts";

const MESSAGES = {
  "key-needed":
    "This device lacks the encryption key of the account; changes are kept on this device and sent when the recovery key is entered",
  "other-key":
    "The sync server holds data of another encryption key, so nothing is sent or taken over; changes are kept: check the address and the account, or ask the operator whether the data was replaced",
  "data-in-the-clear":
    "This app encrypts its data, and the storage of this device has data that was synced in the clear; nothing is lost: give the client a new storage and copy the data with copyEntities",
};

export function keyError(kind: keyof typeof MESSAGES): SyncClientError {
  return { kind, message: MESSAGES[kind] };
}

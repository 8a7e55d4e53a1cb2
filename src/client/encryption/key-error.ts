import type { SyncClientError } from "../sync/results.ts";

const MESSAGES = {
  "keys-disagree":
    "The sync server shows other encryption keys than this device has, so nothing is sent or taken over; changes are kept: check the address and the account, or ask the operator whether the data was replaced",
  "data-in-the-clear":
    "This app encrypts its data, and the storage of this device has data that was synced in the clear; nothing is lost: give the client a new storage and copy the data with copyEntities",
};

/** What a device needs before it can sync. */
const NEEDS = {
  unknown:
    "This device has no encryption key of the account yet; make one for a new account, or enter the recovery key that another device shows",
  "no-key": "This account has no encryption key yet; make one on this device",
  "key-elsewhere":
    "Another device has made the encryption key of this account; enter the recovery key that it shows",
  replaced:
    "The encryption key of this account was replaced on another device; enter the new recovery key",
};

export function keyError(kind: keyof typeof MESSAGES): SyncClientError {
  return { kind, message: MESSAGES[kind] };
}

export function keyNeeded(need: keyof typeof NEEDS): SyncClientError {
  const message = `${NEEDS[need]}: changes are kept on this device and sent then`;
  return { kind: "key-needed", message };
}

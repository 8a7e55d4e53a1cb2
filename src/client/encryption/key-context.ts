import type { AccountKey } from "../../contract/sync/schemas.ts";
import type { DeviceEncryption } from "../sync/encryption.ts";
import { writeKeysRecord, type KeysRecord } from "../sync/keys-record.ts";
import type { LocalStore } from "../sync/local-store.ts";
import type { DataKeys } from "./account-key-list.ts";
import type { DeviceKeys } from "./device-keys.ts";

/** The keys of a device, and what they are used with. */
export interface KeyContext {
  readonly encryption: DeviceEncryption;
  readonly keys: DeviceKeys;
}

/**
 * From here on everything is sealed under the last of these keys, also what was edited before there was a key.
 * The KeyStore has them before the records say so.
 */
export async function adoptKeys(
  store: LocalStore,
  { keys }: KeyContext,
  list: readonly AccountKey[],
  all: DataKeys,
): Promise<void> {
  await keys.keep(all);
  const record: KeysRecord = { found: "ready", list, replacement: null };
  const keyId = list.at(-1)?.keyId ?? null;
  await store.unlock(keys.form(record) ?? store.form(), (transaction) => {
    writeKeysRecord(transaction, record);
    transaction.setKeyId(keyId);
  });
}

/** Keeps what the account's list said; a device seals nothing unless that is `ready`. */
export async function noteFound(
  store: LocalStore,
  found: KeysRecord["found"],
  replacement: KeysRecord["replacement"] = null,
): Promise<void> {
  const before = store.facts().keys;
  const record = { ...before, found, replacement };
  if (JSON.stringify(record) === JSON.stringify(before)) return;
  await store.write(async (transaction) => {
    writeKeysRecord(transaction, record);
    const isReady = found === "ready";
    transaction.setKeyId(isReady ? (record.list.at(-1)?.keyId ?? null) : null);
  });
}

/** Takes over what another tab has stored, or the keys of the device that this one has become. */
export async function loadKeys(store: LocalStore, { keys }: KeyContext): Promise<void> {
  const { deviceId, keys: record } = store.facts();
  await keys.load(deviceId);
  const form = keys.form(record);
  if (form !== null && form !== store.form()) await store.unlock(form, () => {});
}

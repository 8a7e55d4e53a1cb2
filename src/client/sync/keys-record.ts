/** What a device knows of the account's list of keys. The keys themselves are in its KeyStore. */
import type { AccountKey } from "../../contract/sync/schemas.ts";
import type { KeyOrigin } from "../encryption/account-key-list.ts";
import { readRecord, writeRecord } from "./records.ts";
import type { StorageTransaction } from "./storage.ts";

export interface KeysRecord {
  /** What the account's list said when it was last compared with the device's. */
  readonly found: "unknown" | "no-key" | "key-elsewhere" | "replaced" | "disagrees" | "ready";
  /** The device's own list: it ends at the key that the device holds. */
  readonly list: readonly AccountKey[];
  /** Who replaced the held key, once its holder has said so: no server takes that back. */
  readonly replacement: KeyOrigin | null;
}

export const KEYS_KEY = "keys";

export const NO_KNOWN_KEYS: KeysRecord = { found: "unknown", list: [], replacement: null };

export async function readKeysRecord(transaction: StorageTransaction): Promise<KeysRecord> {
  return (await readRecord<KeysRecord>(transaction, KEYS_KEY)) ?? NO_KNOWN_KEYS;
}

export function writeKeysRecord(transaction: StorageTransaction, record: KeysRecord): void {
  writeRecord(transaction, KEYS_KEY, record);
}

/** The keys of an account, all from the platform's generator of random bytes. */
import type { AccountKeys } from "../sync/encryption.ts";
import { KEY_BYTES, keyIdOf } from "./derived-keys.ts";

export function createDataKey(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(KEY_BYTES));
}

export function createAccountKeys(dataKey: Uint8Array): AccountKeys {
  const nameKey = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return { keyId: keyIdOf(dataKey), dataKey, nameKey, former: new Map() };
}

/** The name key stays, or every entity would be another one. */
export function rotateAccountKeys(
  { keyId, dataKey, nameKey, former }: AccountKeys,
  nextKey: Uint8Array,
): AccountKeys {
  const all = new Map([...former, [keyId, dataKey]]);
  return { keyId: keyIdOf(nextKey), dataKey: nextKey, nameKey, former: all };
}

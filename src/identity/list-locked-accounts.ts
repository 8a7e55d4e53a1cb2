import type { Database } from "../database/database.ts";
import type { AccountRecord } from "./identity-records.ts";
import { listInstanceKeys, readKeyRing, type InstanceKey } from "./instance-key.ts";
import { openWithFirst } from "./reseal.ts";
import { createVerifierCipher } from "./sealed-verifier.ts";
import { createSqlIdentityRecords } from "./sql-identity-records.ts";

/** The names of the accounts that no key of the file opens; without a file, of all. */
export async function listLockedAccounts(
  database: Database,
  { realm, path }: { readonly realm: string; readonly path: string },
): Promise<string[]> {
  const ring = readKeyRing(path);
  const accounts = await createSqlIdentityRecords(database, realm).listAccounts();
  const locked = findLocked(accounts, realm, ring === null ? [] : listInstanceKeys(ring));
  return locked.map(({ username }) => username);
}

/** Those that none of the keys opens. */
export function findLocked(
  accounts: readonly AccountRecord[],
  realm: string,
  keys: readonly InstanceKey[],
): AccountRecord[] {
  const ciphers = keys.map((key) => createVerifierCipher(realm, key));
  return accounts.filter(
    (account) => openWithFirst(ciphers, (cipher) => cipher.open(account)) === null,
  );
}

/** Seals what a store has under the key in force, after the key was replaced. */
import type { Queryable } from "../database/database.ts";
import type { InstanceKey } from "./instance-key.ts";
import { createVerifierCipher } from "./password-verifier.ts";
import { createSqlIdentityRecords } from "./sql-identity-records.ts";

/** The keys of a ring, the one in force first: any may open a value, and the first one seals it. */
export type RingKeys = readonly [InstanceKey, ...InstanceKey[]];

/** What no key opens stays as it is. */
export type Reseal = (tx: Queryable, keys: RingKeys) => Promise<void>;

export async function resealAccounts(
  tx: Queryable,
  realm: string,
  [current, ...retired]: RingKeys,
): Promise<void> {
  const sealing = createVerifierCipher(realm, current);
  const ciphers = [sealing, ...retired.map((key) => createVerifierCipher(realm, key))];
  const accounts = await createSqlIdentityRecords(tx, realm).listAccounts();
  const rows = accounts.flatMap((record) => {
    const verifier = openWithFirst(ciphers, (cipher) => cipher.open(record));
    const { accountId, username } = record;
    return verifier === null ? [] : [[accountId, sealing.seal(accountId, username, verifier)]];
  });
  await tx.queryRows(
    `UPDATE identity_accounts SET sealed_verifier = r.sealed_verifier FROM {rows} AS r
     WHERE identity_accounts.instance = $instance AND identity_accounts.realm = $1
       AND identity_accounts.account_id = r.account_id`,
    { columns: { account_id: "text", sealed_verifier: "text" }, rows },
    [realm],
  );
}

/** Opens a value with the first of the ciphers that can; null when none does. */
export function openWithFirst<C, T>(
  ciphers: readonly C[],
  open: (cipher: C) => T | null,
): T | null {
  for (const cipher of ciphers) {
    const opened = open(cipher);
    if (opened !== null) return opened;
  }
  return null;
}

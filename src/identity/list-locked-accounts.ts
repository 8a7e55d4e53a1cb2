import type { Database } from "../database/database.ts";
import { createAccounts } from "./accounts.ts";
import type { KeyLocation } from "./bind-instance-key.ts";
import { createInstanceKey, readInstanceSecret } from "./instance-key.ts";
import { createSqlIdentityRecords } from "./sql-identity-records.ts";

/** The names of the accounts that the key in the file does not open; without a file, of all. */
export async function listLockedAccounts(
  database: Database,
  { realm, path }: KeyLocation,
): Promise<string[]> {
  const secret = readInstanceSecret(path);
  const records = createSqlIdentityRecords(database, realm);
  if (secret === null) return (await records.listAccounts()).map(({ username }) => username);
  return createAccounts({ realm, instanceKey: createInstanceKey(secret) }).listLocked(records);
}

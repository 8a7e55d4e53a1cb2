/** Whether the key at hand is the one the passwords were sealed under. */
import { randomBytes } from "node:crypto";
import type { Database } from "../../database/database.ts";
import { createAccounts } from "../../identity/accounts.ts";
import {
  createInstanceKey,
  INSTANCE_KEY_BYTES,
  readInstanceSecret,
} from "../../identity/instance-key.ts";
import { createSqlIdentityRecords } from "../../identity/sql-identity-records.ts";
import type { StoreOwner } from "../leased-store.ts";
import { fault, type Finding } from "./finding.ts";

/** A store that was moved without its key looks well until somebody signs in. */
export async function examinePasswords(
  owner: StoreOwner,
  realm: string,
  database: Database,
  keyPath: string,
): Promise<Finding[]> {
  // Without a key at all, the one that is made on first use opens nothing either.
  const secret = readInstanceSecret(keyPath) ?? randomBytes(INSTANCE_KEY_BYTES);
  const accounts = createAccounts({ realm, instanceKey: createInstanceKey(secret) });
  const locked = await database.transaction(async (tx) => {
    const records = createSqlIdentityRecords(tx, realm);
    const names: string[] = [];
    for (const { username } of await accounts.list(records)) {
      if (!(await accounts.canOpen(records, username))) names.push(username);
    }
    return names;
  });
  return locked.map((username) =>
    fault(
      `${owner} key`,
      `the password of "${username}" was sealed under another key`,
      `put the right key file in place, or set a new password with \`trellis ${owner} account password\``,
    ),
  );
}

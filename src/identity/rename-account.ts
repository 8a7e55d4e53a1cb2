/** Gives an account another name. Its password, its sessions and its known browsers stay. */
import type { Database } from "../database/database.ts";
import { parseNewUsername } from "../rules/identity/grammar.ts";
import { createAccounts, type AccountSettings } from "./accounts.ts";
import { createSqlIdentityRecords } from "./sql-identity-records.ts";

export type RenameResult =
  | { readonly kind: "done"; readonly before: string; readonly username: string }
  | { readonly kind: "invalid-username" }
  | { readonly kind: "no-account" }
  | { readonly kind: "account-exists" }
  /** The password is sealed under another instance key, so it cannot be sealed for the new name. */
  | { readonly kind: "locked" };

export async function renameAccount(
  database: Database,
  settings: Pick<AccountSettings, "realm" | "instanceKey">,
  before: string,
  after: string,
): Promise<RenameResult> {
  const username = parseNewUsername(after);
  if (username === null) return { kind: "invalid-username" };
  const { realm } = settings;
  const accounts = createAccounts(settings);
  return database.transaction(async (tx): Promise<RenameResult> => {
    const records = createSqlIdentityRecords(tx, realm);
    const record = await records.findAccount(before.normalize("NFC"));
    if (record === null) return { kind: "no-account" };
    const done = { kind: "done", before: record.username, username } as const;
    if (username === record.username) return done;
    if ((await records.findAccount(username)) !== null) return { kind: "account-exists" };
    const sealed = accounts.sealForName(record, username);
    if (sealed === null) return { kind: "locked" };
    await tx.query(
      `UPDATE identity_accounts SET username = $3, sealed_verifier = $4
       WHERE instance = $instance AND realm = $1 AND account_id = $2`,
      [realm, record.accountId, username, sealed],
    );
    // A sign-in that has begun with the old name would be refused as a wrong password.
    await records.removeChallenges(record.username);
    return done;
  });
}

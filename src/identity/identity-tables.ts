import { keyRow } from "../database/one-row.ts";
import type { TablePart } from "../database/table-columns.ts";

/** A column of an account, whose id is an SQL expression. */
export function readOfAccount(column: "username" | "realm", id: string): string {
  return `(SELECT a.${column} FROM ${keyRow("identity_accounts", "account_id", id)} a
    WHERE a.account_id = ${id})`;
}

/** A condition for the rows that belong to an account of the realm. */
export function ofAccounts(realm: string): string {
  return `account_id IN (SELECT account_id FROM identity_accounts
    WHERE instance = $instance AND realm = '${realm}')`;
}

/** What a copy of a store takes of a realm; rate limits and write probes last minutes and name no realm. */
export function identityTables(realm: string): TablePart[] {
  const own = `realm = '${realm}'`;
  return [
    { name: "identity_accounts", where: own },
    { name: "identity_instance_keys", where: own },
    { name: "identity_session_epochs", where: own },
    { name: "identity_known_browsers", where: ofAccounts(realm) },
    { name: "identity_passkeys", where: ofAccounts(realm) },
    { name: "identity_sign_ins", where: ofAccounts(realm) },
    { name: "identity_challenges", where: own },
    { name: "identity_secrets", where: own },
    { name: "identity_failures", where: own },
    { name: "identity_security_events", where: own },
  ];
}

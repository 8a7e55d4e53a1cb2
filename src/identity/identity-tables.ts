import type { TablePart } from "../database/table-columns.ts";

/** What a copy of a store takes of a realm; rate limits and write probes last minutes and name no realm. */
export function identityTables(realm: string): TablePart[] {
  const own = `realm = '${realm}'`;
  const ofAccounts = `account_id IN (SELECT account_id FROM identity_accounts WHERE ${own})`;
  return [
    { name: "identity_accounts", where: own },
    { name: "identity_instance_keys", where: own },
    { name: "identity_session_epochs", where: own },
    { name: "identity_known_browsers", where: ofAccounts },
    { name: "identity_passkeys", where: ofAccounts },
    { name: "identity_sign_ins", where: ofAccounts },
    { name: "identity_challenges", where: own },
    { name: "identity_secrets", where: own },
    { name: "identity_failures", where: own },
    { name: "identity_security_events", where: own },
  ];
}

import type { TablePart } from "../database/copy/table-columns.ts";

/**
 * What a copy of a store takes along of a realm. Counters of rate limits and probes of writing are left:
 * they last minutes, and no row says which realm counted.
 */
export function identityTables(realm: string): TablePart[] {
  const own = `realm = '${realm}'`;
  return [
    { name: "identity_accounts", where: own },
    { name: "identity_instance_keys", where: own },
    { name: "identity_session_epochs", where: own },
    {
      name: "identity_known_browsers",
      where: `account_id IN (SELECT account_id FROM identity_accounts WHERE ${own})`,
    },
    { name: "identity_challenges", where: own },
    { name: "identity_secrets", where: own },
    { name: "identity_failures", where: own },
    { name: "identity_security_events", where: own },
  ];
}

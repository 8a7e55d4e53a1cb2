/** What the processes of a run know of its PostgreSQL server. */

/** The environment variable with its port. */
export const SHARED_PORT = "SHARED_TEST_POSTGRES_PORT";

/** Of the store of a service, perhaps beside another instance, or of accounts and sign-in alone. */
export type Tables = "identity" | "sync" | "sync_beside_canaries" | "events";

/** The database with these tables, to be copied. */
export function templateOf(tables: Tables): string {
  return `trellis_template_${tables}`;
}

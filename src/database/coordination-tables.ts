/**
 * The tables by which processes that share a PostgreSQL database keep out of each other's way. They have
 * numbers and names alone, and no row security: a lease on all instances must see those of each.
 *
 * - `trellis_head` has a row for each instance, which its writers lock until they commit. The epoch is raised
 *   when someone takes the instance for itself: a writer that finds another epoch has lost its lease. The notices
 *   count the commits that others watch for.
 * - `trellis_process` says until when each process is believed to live, by the clock of the database.
 * - `trellis_lease` has what each process holds.
 */
import { StorageUnavailableError } from "./database.ts";
import type { PostgresConnection } from "./postgres-connection.ts";

/** In the place of an instance: all of them, also those that are yet to come. */
export const ALL_INSTANCES = 0;

/** How long a process that says nothing is believed to live. */
export const LEASE_MS = 10_000;

const HAS_TABLES = "select to_regclass('trellis_lease') is not null as has_tables";

/** The head is written in place: a page has room for the next version of each row. */
const TABLES = `
  create table if not exists trellis_head (
    instance bigint not null primary key,
    epoch bigint not null default 0,
    notices bigint not null default 0
  ) with (fillfactor = 50);
  create table if not exists trellis_process (
    id text not null primary key,
    expires_at timestamptz not null
  );
  create table if not exists trellis_lease (
    id text not null primary key,
    process text not null references trellis_process (id) on delete cascade,
    name text not null,
    instance bigint not null,
    is_exclusive boolean not null
  );
  create index if not exists trellis_lease_held on trellis_lease (instance, name);
  create index if not exists trellis_lease_process on trellis_lease (process);
`;

const ATTEMPTS = 5;

/** Makes the tables where they are missing. */
export async function createCoordinationTables(connection: PostgresConnection): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const [row] = await connection.query<{ has_tables: number }>(HAS_TABLES);
    if (row?.has_tables === 1) return;
    try {
      await connection.runAll(`begin read write; ${TABLES}; commit`);
      return;
    } catch (error) {
      if (connection.isLost()) throw error;
      await connection.command("rollback");
      // Of two processes that make a table at the same time, one fails whatever it says about existence.
      if (error instanceof StorageUnavailableError || attempt === ATTEMPTS) throw error;
    }
  }
}

import type { Database } from "../../database/database.ts";
import { readDatabaseBytes } from "../../database/disk-space.ts";
import { parseEntityState } from "../../rules/sync/entity-state-text.ts";
import type { EntityState } from "../../rules/sync/merge.ts";
import { FIRST_ROWS } from "../sql/read-states.ts";
import { readHead, type StoredHead } from "../sql/log-head.ts";

export interface SyncStoreStatus extends StoredHead {
  readonly entities: EntityCounts;
  /** How many operations are in the log, for devices to pull. */
  readonly operations: number;
  /** How many operations were ever stored. */
  readonly ledger: number;
  readonly databaseBytes: number;
}

export interface EntityCounts {
  readonly live: number;
  readonly deleted: number;
  /** How many entities have operations, but not their create. */
  readonly awaiting: number;
}

export async function readSyncStatus(database: Database): Promise<SyncStoreStatus> {
  const [row] = await database.query<{ operations: number; ledger: number }>(
    `SELECT (SELECT count(*) FROM sync_operations WHERE instance = $instance) AS operations,
       (SELECT count(*) FROM sync_ledger WHERE instance = $instance) AS ledger`,
  );
  const counter = createEntityCounter();
  const states = database.stream<{ state: string }>(
    `SELECT state FROM sync_entities WHERE instance = $instance AND ${FIRST_ROWS}`,
  );
  for await (const { state } of states) counter.add(parseEntityState(state));
  return {
    ...(await readHead(database)),
    entities: counter.counts(),
    operations: row?.operations ?? 0,
    ledger: row?.ledger ?? 0,
    databaseBytes: await readDatabaseBytes(database),
  };
}

export function createEntityCounter() {
  const counts = { live: 0, deleted: 0, awaiting: 0 };
  return {
    add({ lifecycleRevision, deleted }: EntityState): void {
      counts[lifecycleRevision === null ? "awaiting" : deleted ? "deleted" : "live"]++;
    },
    counts: (): EntityCounts => ({ ...counts }),
  };
}

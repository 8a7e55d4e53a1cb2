/** Where a store stands. */
import type { Database } from "../../database/database.ts";
import { readHead } from "../sql/sql-operations.ts";
import type { LogHead } from "../store.ts";
import type { EntityCounts } from "./backup-format.ts";
import { countEntities } from "./count-entities.ts";
import { readDatabaseBytes } from "../../database/free-pages.ts";

export interface StoreStatus extends LogHead {
  readonly entities: EntityCounts;
  /** What devices can still pull. */
  readonly operations: number;
  /** What was ever stored. */
  readonly ledger: number;
  readonly databaseBytes: number;
}

export async function readStatus(database: Database): Promise<StoreStatus> {
  const [row] = await database.query<{ operations: number; ledger: number }>(
    `SELECT (SELECT count(*) FROM sync_operations) AS operations,
       (SELECT count(*) FROM sync_ledger) AS ledger`,
  );
  return {
    ...(await readHead(database)),
    entities: await countEntities(database),
    operations: row?.operations ?? 0,
    ledger: row?.ledger ?? 0,
    databaseBytes: await readDatabaseBytes(database),
  };
}

/**
 * Removes operations from the log whose every register is owned by a later one (decision 9): no
 * device can notice. It works beside a running server, in one short transaction per batch.
 */
import type { Database, Queryable } from "../../database/database.ts";
import { freePages } from "../../database/disk-space.ts";
import { parseOperation } from "../../rules/sync/operation-text.ts";
import { isSuperseded } from "../../rules/sync/superseded.ts";
import { contentHash } from "../log/plan-append.ts";
import { readHead } from "../sql/log-head.ts";
import { readStates } from "../sql/read-states.ts";

export interface CompactionReport {
  readonly examined: number;
  readonly removed: number;
  /** The size of the texts of the removed operations. */
  readonly removedBytes: number;
  /** How much smaller the database file became; PostgreSQL frees its pages later, by itself. */
  readonly freedBytes: number;
}

/** A batch is small, because writers wait for it. */
const BATCH_ROWS = 200;

export async function compactLog(
  database: Database,
  batchRows: number = BATCH_ROWS,
): Promise<CompactionReport> {
  // Later pushes are left for the next compaction, or this one might never end.
  const { headOffset: end } = await readHead(database);
  let [examined, removed, removedBytes, after] = [0, 0, 0, 0];
  for (;;) {
    const batch = await database.transaction((tx) => compactBatch(tx, after, end, batchRows));
    examined += batch.examined;
    removed += batch.removed;
    removedBytes += batch.removedBytes;
    if (batch.examined < batchRows) break;
    after = batch.lastOffset;
  }
  return { examined, removed, removedBytes, freedBytes: await freePages(database) };
}

async function compactBatch(tx: Queryable, after: number, end: number, limit: number) {
  const rows = await tx.query<{ log_offset: number; entity_id: string; body: string }>(
    `SELECT log_offset, entity_id, body FROM sync_operations
     WHERE instance = $instance AND log_offset > $1 AND log_offset <= $2
     ORDER BY log_offset LIMIT $3`,
    [after, end, limit],
  );
  const states = await readStates(tx, new Set(rows.map((row) => row.entity_id)));
  const superseded = rows
    .map(({ log_offset: offset, body }) => ({ ...parseOperation(body), offset }))
    .filter((operation) => {
      const state = states.get(operation.entityId);
      return state !== undefined && isSuperseded(state, operation);
    });
  await removeOperations(tx, superseded);
  return {
    examined: rows.length,
    removed: superseded.length,
    removedBytes: superseded.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    lastOffset: rows.at(-1)?.log_offset ?? after,
  };
}

export interface LoggedOperation {
  readonly operationId: string;
  readonly offset: number;
  readonly text: string;
}

/** Replays of the removed operations are still recognised, by the digests that the ledger keeps. */
export async function removeOperations(
  tx: Queryable,
  operations: readonly LoggedOperation[],
): Promise<void> {
  await tx.queryRows(
    `UPDATE sync_ledger SET content_hash = r.content_hash FROM {rows} AS r
     WHERE sync_ledger.instance = $instance AND sync_ledger.operation_id = r.operation_id`,
    {
      columns: { operation_id: "text", content_hash: "text" },
      rows: operations.map(({ operationId, text }) => [operationId, contentHash(text)]),
    },
  );
  await tx.queryRows(
    `DELETE FROM sync_operations WHERE instance = $instance
       AND log_offset IN (SELECT r.log_offset FROM {rows} AS r)`,
    { columns: { log_offset: "integer" }, rows: operations.map(({ offset }) => [offset]) },
  );
}

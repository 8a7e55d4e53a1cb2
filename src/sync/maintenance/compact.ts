/**
 * Takes operations out of the log whose every register is owned by a later one. Nobody can notice:
 * a device that has seen them keeps what it has, one that has not gets the owners. It works beside a
 * running server: the check and the removal are one short transaction per batch.
 */
import type { Database, Queryable } from "../../database/database.ts";
import { isSuperseded } from "../../rules/sync/superseded.ts";
import { parseOperation } from "../../rules/sync/operation-text.ts";
import { readHead, readStates } from "../sql/sql-operations.ts";
import { removeOperations } from "./remove-operations.ts";
import { freePages } from "../../database/free-pages.ts";

export interface CompactionReport {
  readonly examined: number;
  readonly removed: number;
  /** Of the operations' texts. */
  readonly removedBytes: number;
  /** What the file gave back to the disk; a server's own clean-up is not waited for. */
  readonly freedBytes: number;
}

/** Writers wait for one batch, so it is small. */
const BATCH_ROWS = 200;

interface LogRow extends Record<string, unknown> {
  readonly log_offset: number;
  readonly entity_id: string;
  readonly body: string;
}

export async function compactLog(
  database: Database,
  batchRows: number = BATCH_ROWS,
): Promise<CompactionReport> {
  // What is pushed from now on is for the next time, or this could go on for ever.
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
  const rows = await tx.query<LogRow>(
    `SELECT log_offset, entity_id, body FROM sync_operations
     WHERE log_offset > $1 AND log_offset <= $2 ORDER BY log_offset LIMIT $3`,
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

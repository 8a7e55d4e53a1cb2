/**
 * Checks that a store does not contradict itself: its states are what its log adds up to, its ledger
 * has every operation of the log, and the log lies between its floor and its head. Compaction leaves
 * every owner of a register in the log, so a compacted store passes too.
 */
import type { Database } from "../../database/database.ts";
import { parseEntityState } from "../../rules/sync/entity-state-text.ts";
import { applyOperation, mergeStates, type EntityState } from "../../rules/sync/merge.ts";
import { parseOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import { readHead } from "../sql/log-head.ts";
import { createEntityCounter, type EntityCounts } from "./read-status.ts";

export type StoreCheck =
  | { readonly kind: "sound"; readonly entities: EntityCounts }
  | { readonly kind: "unsound"; readonly reason: string };

interface LogRow extends Record<string, unknown> {
  readonly log_offset: number;
  readonly entity_id: string;
  readonly body: string;
  readonly state: string | null;
}

class UnsoundError extends Error {}

const BATCH_ROWS = 500;

/** Reads the whole store in several statements, so it is for a copy without writers. */
export async function checkStore(database: Database): Promise<StoreCheck> {
  try {
    await checkBounds(database);
    const entities = await checkLog(database);
    await checkDigests(database);
    return { kind: "sound", entities };
  } catch (error) {
    if (error instanceof UnsoundError) return { kind: "unsound", reason: error.message };
    throw error;
  }
}

async function checkBounds(database: Database): Promise<void> {
  const { headOffset, compactionFloor } = await readHead(database);
  const [row] = await database.query<{ first: number | null; last: number | null }>(
    "SELECT min(log_offset) AS first, max(log_offset) AS last FROM sync_operations",
  );
  const isInside =
    (row?.first ?? headOffset + 1) > compactionFloor && (row?.last ?? 0) <= headOffset;
  expect(isInside && compactionFloor <= headOffset, "the log goes beyond its head or its floor");
}

async function checkLog(database: Database): Promise<EntityCounts> {
  const counter = createEntityCounter();
  let entity = null as LoggedEntity | null;
  let batch: LedgerRow[] = [];
  const rows = database.stream<LogRow>(
    `SELECT o.log_offset, o.entity_id, o.body, e.state
     FROM sync_operations o LEFT JOIN sync_entities e ON e.entity_id = o.entity_id
     ORDER BY o.entity_id, o.log_offset`,
  );
  for await (const { log_offset: offset, entity_id: id, body, state } of rows) {
    const operation = readBody(body, id);
    expect(state !== null, "an operation of the log has no state");
    if (entity?.id !== id) {
      if (entity !== null) counter.add(checkEntity(entity));
      entity = { id, stored: parseEntityState(state), merged: null };
    }
    entity.merged = applyOperation(entity.merged, operation).state;
    batch.push({ operationId: operation.operationId, offset });
    if (batch.length < BATCH_ROWS) continue;
    await checkLedger(database, batch);
    batch = [];
  }
  if (entity !== null) counter.add(checkEntity(entity));
  await checkLedger(database, batch);
  const counts = counter.counts();
  const [total] = await database.query<{ entities: number }>(
    "SELECT count(*) AS entities FROM sync_entities",
  );
  const seen = counts.live + counts.deleted + counts.awaiting;
  expect(total?.entities === seen, "a state has no operation in the log that it comes from");
  return counts;
}

interface LoggedEntity {
  readonly id: string;
  readonly stored: EntityState;
  /** What the operations read so far add up to. */
  merged: EntityState | null;
}

interface LedgerRow {
  readonly operationId: string;
  readonly offset: number;
}

function checkEntity({ id, stored, merged }: LoggedEntity): EntityState {
  // A merge is a join: states that add nothing to each other are equal.
  const isSame =
    merged !== null &&
    stored.entityId === id &&
    !mergeStates(stored, merged).changed &&
    !mergeStates(merged, stored).changed;
  expect(isSame, "the state of an entity is not what its operations add up to");
  return stored;
}

function readBody(body: string, entityId: string): ParsedOperation {
  let operation: ParsedOperation;
  try {
    operation = parseOperation(body);
  } catch {
    throw new UnsoundError("an operation of the log cannot be read");
  }
  expect(operation.entityId === entityId, "an operation of the log is filed under another entity");
  return operation;
}

/** Expects the ledger to have every operation of the log, at the same offset and without a digest. */
async function checkLedger(database: Database, operations: readonly LedgerRow[]) {
  const rows = await database.queryRows<{ operation_id: string; log_offset: number }>(
    `SELECT l.operation_id, l.log_offset FROM {rows} AS r
     JOIN sync_ledger l ON l.operation_id = r.id AND l.content_hash = ''`,
    { columns: { id: "text" }, rows: operations.map(({ operationId }) => [operationId]) },
  );
  const offsets = new Map(rows.map((row) => [row.operation_id, row.log_offset]));
  for (const { operationId, offset } of operations) {
    expect(
      offsets.get(operationId) === offset,
      "the ledger has an operation of the log not, or as one that is gone",
    );
  }
}

/** `checkLedger` found a row without a digest for each operation of the log: there may be no others. */
async function checkDigests(database: Database): Promise<void> {
  const [row] = await database.query<{ rows: number; operations: number }>(
    `SELECT (SELECT count(*) FROM sync_ledger WHERE content_hash = '') AS rows,
       (SELECT count(*) FROM sync_operations) AS operations`,
  );
  const isComplete = row !== undefined && row.rows === row.operations;
  expect(isComplete, "the ledger has an operation that is gone without its digest");
}

function expect(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new UnsoundError(otherwise);
}

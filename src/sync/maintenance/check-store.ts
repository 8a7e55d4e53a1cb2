/**
 * Checks that a store does not contradict itself: its states are what its log adds up to, its ledger
 * has every operation of the log, and the log lies between its floor and its head. Compaction leaves
 * every owner of a register in the log, so a compacted store passes too.
 */
import { isObject } from "../../contract/is-object.ts";
import { MAX_SEALED_OPERATION_BYTES } from "../../contract/sync/operation-limits.ts";
import type { Database } from "../../database/database.ts";
import { createEntityMerge, mergeStates, type EntityState } from "../../rules/sync/merge.ts";
import { isWithoutRegisters, parseEntityState } from "../../rules/sync/entity-state-text.ts";
import { parseOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import { isMark } from "../log/cursor.ts";
import { entityIdOfRow, isOwnRow } from "../log/entity-rows.ts";
import { readHead } from "../sql/log-head.ts";
import { createEntityCounter, type EntityCounts } from "./read-status.ts";

export type StoreCheck =
  | { readonly kind: "sound"; readonly entities: EntityCounts }
  | { readonly kind: "unsound"; readonly reason: string };

/** A state, or an operation that belongs to the state before it. */
interface LogRow extends Record<string, unknown> {
  readonly entity_id: string;
  readonly is_operation: number;
  readonly log_offset: number;
  readonly text: string;
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
    `SELECT min(log_offset) AS first, max(log_offset) AS last FROM sync_operations
     WHERE instance = $instance`,
  );
  const isInside =
    (row?.first ?? headOffset + 1) > compactionFloor && (row?.last ?? 0) <= headOffset;
  expect(isInside && compactionFloor <= headOffset, "the log goes beyond its head or its floor");
  const marks = database.stream<{ log_offset: number; mark: string }>(
    "SELECT log_offset, mark FROM sync_marks WHERE instance = $instance",
  );
  for await (const { log_offset: end, mark } of marks) {
    expect(end >= 0 && end <= headOffset && isMark(mark), "the end of a push cannot be one");
  }
}

async function checkLog(database: Database): Promise<EntityCounts> {
  const counter = createEntityCounter();
  let entity = null as LoggedEntity | null;
  let batch: LedgerRow[] = [];
  // Each state is read once, whatever its size and however many operations it has.
  const rows = database.stream<LogRow>(
    `SELECT entity_id, 0 AS is_operation, 0 AS log_offset, state AS text FROM sync_entities
       WHERE instance = $instance
     UNION ALL SELECT entity_id, 1, log_offset, body FROM sync_operations WHERE instance = $instance
     ORDER BY entity_id, is_operation, log_offset`,
  );
  for await (const { entity_id: id, is_operation: isOperation, log_offset: offset, text } of rows) {
    if (isOperation === 0) {
      const state = readState(text);
      const isFurther = entity !== null && entityIdOfRow(id) === entity.id;
      expect(isOwnRow(id, text, state), "a field of an entity is stored in the wrong row");
      // The further rows of an entity follow its operations.
      if (entity !== null && isFurther) {
        expect(entity.isInRows, "a field of an entity is stored in the wrong row");
        entity.stored.addState(state);
        continue;
      }
      if (entity !== null) counter.add(checkEntity(entity));
      const [stored, merge] = [createEntityMerge(id), createEntityMerge(id)];
      entity = { id, isInRows: isWithoutRegisters(text), stored, merge, operations: 0 };
      stored.addState(state);
      expect(state.entityId === id, "the state of an entity is not what its operations add up to");
      continue;
    }
    const operation = readBody(text, id);
    expect(entity?.id === id, "an operation of the log has no state");
    entity.merge.add(operation);
    entity.operations++;
    batch.push({ operationId: operation.operationId, offset });
    if (batch.length < BATCH_ROWS) continue;
    await checkLedger(database, batch);
    batch = [];
  }
  if (entity !== null) counter.add(checkEntity(entity));
  await checkLedger(database, batch);
  return counter.counts();
}

interface LoggedEntity {
  readonly id: string;
  /** Whether its registers are in further rows. */
  readonly isInRows: boolean;
  readonly stored: ReturnType<typeof createEntityMerge>;
  /** What the operations read so far add up to. */
  readonly merge: ReturnType<typeof createEntityMerge>;
  operations: number;
}

interface LedgerRow {
  readonly operationId: string;
  readonly offset: number;
}

function checkEntity({ stored: rows, merge, operations }: LoggedEntity): EntityState {
  expect(operations > 0, "a state has no operation in the log that it comes from");
  const [stored, merged] = [rows.state(), merge.state()];
  // A merge is a join: states that add nothing to each other are equal.
  const isSame = !mergeStates(stored, merged).changed && !mergeStates(merged, stored).changed;
  expect(isSame, "the state of an entity is not what its operations add up to");
  return stored;
}

function readState(text: string): EntityState {
  const state = read(() => parseEntityState(text), "the state of an entity cannot be read");
  const { payloadFields, metadataFields } = state;
  const revisions = [...payloadFields.values(), ...metadataFields.values()];
  const isReadable = revisions.every(({ revision }) => revision !== undefined);
  expect(isReadable, "the state of an entity cannot be read");
  return state;
}

function readBody(body: string, entityId: string): ParsedOperation {
  const unreadable = "an operation of the log cannot be read";
  expect(body.length <= MAX_SEALED_OPERATION_BYTES, unreadable);
  const operation = read(() => parseOperation(body), unreadable);
  expect(isObject(operation.revision), unreadable);
  expect(operation.entityId === entityId, "an operation of the log is filed under another entity");
  return operation;
}

/** The texts may be of a forged backup, which need not be what the service writes. */
function read<T>(parse: () => T, otherwise: string): T {
  try {
    return parse();
  } catch {
    throw new UnsoundError(otherwise);
  }
}

/** Expects the ledger to have every operation of the log, at the same offset and without a digest. */
async function checkLedger(database: Database, operations: readonly LedgerRow[]) {
  const rows = await database.queryRows<{ operation_id: string; log_offset: number }>(
    `SELECT l.operation_id, l.log_offset FROM {rows} AS r
     JOIN sync_ledger l ON l.instance = $instance AND l.operation_id = r.id AND l.content_hash = ''`,
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
    `SELECT (SELECT count(*) FROM sync_ledger WHERE instance = $instance AND content_hash = '') AS rows,
       (SELECT count(*) FROM sync_operations WHERE instance = $instance) AS operations`,
  );
  const isComplete = row !== undefined && row.rows === row.operations;
  expect(isComplete, "the ledger has an operation that is gone without its digest");
}

function expect(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new UnsoundError(otherwise);
}

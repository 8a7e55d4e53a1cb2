/** Appends pushes to the log: one statement reads what they need, and one write has all they change. */
import { DAY_MS } from "../../contract/durations.ts";
import type { Dialect, Transaction } from "../../database/database.ts";
import type { KeyProof } from "../keys/key-proof.ts";
import { createMark } from "../log/cursor.ts";
import { createAppendPlanner, findEntities, type AppendWrites } from "../log/plan-append.ts";
import type { AppendResult, NewOperation } from "../store.ts";
import { CHANGES_CHANNEL, type StoredHead } from "./log-head.ts";
import { readStored } from "./read-stored.ts";
import { readKnownKeys } from "./sql-keys.ts";

export interface PendingPush {
  readonly operations: readonly NewOperation[];
  readonly now: number;
  readonly proof: KeyProof | null;
}

/** The summary has no texts, which would stay in memory until a group of transactions is committed. */
interface AppendSummary {
  readonly head: StoredHead;
  readonly hasMoved: boolean;
  /** The results in the order of the pushes. */
  readonly results: readonly AppendResult[];
}

/** Appends each push as if it were the next after the one before it; a refused push writes nothing. */
export async function appendPushes(
  tx: Transaction,
  dialect: Dialect,
  pushes: readonly PendingPush[],
): Promise<AppendSummary> {
  const operations = pushes.flatMap((push) => push.operations);
  const entities = findEntities(operations);
  const found = await readStored(tx, dialect, operations, entities);
  const { head, history, isClosed, stored, currentKey } = found;
  if (isClosed) return { head, hasMoved: false, results: pushes.map(() => ({ kind: "cleared" })) };
  const keys = await readKnownKeys(tx, currentKey, findKeyIds(pushes));
  const planner = createAppendPlanner(operations, entities, stored, { ...head, keys });
  const marks: MarkRow[] = [];
  const results = pushes.map((push): AppendResult => {
    const mark = createMark(history);
    const result = planner.append(push.operations.length, mark, push.proof);
    if (result.kind !== "planned") return result;
    const { receipts, lastOffset } = result;
    if (lastOffset !== null) marks.push([lastOffset, mark]);
    return { kind: "stored", generation: head.generation, receipts };
  });
  const writes = planner.writes();
  const { headOffset, clock } = writes;
  const hasMoved = headOffset > head.headOffset;
  if (hasMoved) {
    write(tx, writes, marks, Math.max(...pushes.map(({ now }) => now)));
    tx.notify(CHANGES_CHANNEL);
  }
  return { head: { ...head, headOffset, clock }, hasMoved, results };
}

/** The keys that the pushes name: none when nothing is sealed. */
function findKeyIds(pushes: readonly PendingPush[]): ReadonlySet<string> {
  const keyIds = pushes.flatMap(({ operations, proof }) => [
    ...(proof === null ? [] : [proof.keyId]),
    ...operations.flatMap(({ keyId }) => (keyId === undefined ? [] : [keyId])),
  ]);
  return new Set(keyIds);
}

/** The last offset of a push, and its mark. */
type MarkRow = readonly [number, string];

function write(
  tx: Transaction,
  { added, states, headOffset, clock }: AppendWrites,
  marks: readonly MarkRow[],
  now: number,
): void {
  tx.writeAtEnd([
    {
      sql: `INSERT INTO sync_operations (instance, log_offset, entity_id, body, received_at)
            SELECT $instance, r.log_offset, r.entity_id, r.body, $1 FROM {rows} AS r`,
      rows: {
        columns: { log_offset: "integer", entity_id: "text", body: "text" },
        rows: added.map(({ offset, entityId, text }) => [offset, entityId, text]),
      },
      params: [now],
    },
    {
      sql: `INSERT INTO sync_ledger (instance, operation_id, content_hash, log_offset)
            SELECT $instance, r.operation_id, '', r.log_offset FROM {rows} AS r`,
      rows: {
        columns: { operation_id: "text", log_offset: "integer" },
        rows: added.map(({ operationId, offset }) => [operationId, offset]),
      },
    },
    {
      sql: `INSERT INTO sync_entities (instance, entity_id, state)
            SELECT $instance, r.entity_id, r.state FROM {rows} AS r WHERE true
            ON CONFLICT (instance, entity_id) DO UPDATE SET state = excluded.state`,
      rows: { columns: { entity_id: "text", state: "text" }, rows: states },
    },
    {
      sql: `UPDATE sync_log SET head_offset = $1, greatest_sequence = $2, takes_any_sequence = 0
            WHERE instance = $instance AND id = 1`,
      params: [headOffset, clock.greatestSequence],
    },
    {
      sql: `INSERT INTO sync_marks (instance, log_offset, mark)
            SELECT $instance, r.log_offset, r.mark FROM {rows} AS r`,
      rows: { columns: { log_offset: "integer", mark: "text" }, rows: marks },
    },
    {
      sql: `INSERT INTO sync_days (instance, day, operations) VALUES ($instance, $1, $2)
            ON CONFLICT (instance, day) DO UPDATE SET operations = sync_days.operations + excluded.operations`,
      params: [Math.floor(now / DAY_MS), added.length],
    },
  ]);
}

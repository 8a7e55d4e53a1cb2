/** Appends pushes to the log: one statement reads what they need, and one write has all they change. */
import type { Queryable, Transaction } from "../../database/database.ts";
import { createMark } from "../mark.ts";
import { planAppend, type AddedOperation, type LedgerEntry } from "../plan-append.ts";
import type { AppendResult, LogHead, NewOperation } from "../store.ts";
import { expectHead, toHead, type HeadRow } from "./log-head.ts";
import { countOperations } from "./sql-days.ts";
import { addMarks, markAt, type MarkRow } from "./sql-marks.ts";

export interface Push {
  readonly operations: readonly NewOperation[];
  readonly now: number;
}

/** Without the texts, which would stay in memory until a group of transactions is committed. */
export interface AppendSummary {
  readonly head: LogHead;
  readonly hasMoved: boolean;
  /** In the order of the pushes. */
  readonly results: readonly AppendResult[];
}

/** Each push as if it were the next after the one before it; one that conflicts writes nothing. */
export async function appendPushes(
  tx: Transaction,
  pushes: readonly Push[],
): Promise<AppendSummary> {
  const { head, history, ledger, states } = await readStored(tx, pushes);
  const { generation } = head;
  const writes: Writes = { added: [], states: new Map(), marks: [] };
  const results: AppendResult[] = [];
  let { headOffset } = head;
  for (const { operations } of pushes) {
    const mark = createMark(history);
    const plan = planAppend(operations, ledger, states, { headOffset, mark });
    if (plan.kind === "conflict") {
      results.push(plan);
      continue;
    }
    results.push({ kind: "stored", generation, receipts: plan.receipts });
    if (plan.added.length === 0) continue;
    for (const operation of plan.added) {
      writes.added.push(operation);
      ledger.set(operation.operationId, operation);
    }
    for (const [id, state] of plan.states) {
      writes.states.set(id, state);
      states.set(id, state);
    }
    ({ headOffset } = plan);
    writes.marks.push([headOffset, mark]);
  }
  const hasMoved = headOffset > head.headOffset;
  if (hasMoved) write(tx, writes, headOffset, Math.max(...pushes.map(({ now }) => now)));
  return { head: { ...head, headOffset }, hasMoved, results };
}

interface StoredRow extends HeadRow {
  readonly history: string | null;
  readonly operation_id: string | null;
  readonly entity_id: string;
  readonly log_offset: number | null;
  readonly content_hash: string;
  readonly mark: string;
  readonly body: string | null;
  readonly state: string | null;
}

/** The head, and what the store has of the operations and of their entities, in one statement. */
async function readStored(tx: Queryable, pushes: readonly Push[]) {
  const rows = await tx.queryRows<StoredRow>(
    `SELECT h.generation, h.head_offset, h.compaction_floor, h.history, s.*
     FROM sync_log h LEFT JOIN (
       SELECT r.operation_id, r.entity_id, l.log_offset, l.content_hash,
         ${markAt("l.log_offset")} AS mark, o.body, e.state
       FROM {rows} AS r LEFT JOIN sync_ledger l ON l.operation_id = r.operation_id
       LEFT JOIN sync_operations o ON l.content_hash = '' AND o.log_offset = l.log_offset
       LEFT JOIN sync_entities e ON e.entity_id = r.entity_id
       WHERE l.log_offset IS NOT NULL OR e.state IS NOT NULL
     ) s ON true WHERE h.id = 1`,
    {
      columns: { operation_id: "text", entity_id: "text" },
      rows: pushes.flatMap(({ operations }) =>
        operations.map(({ operationId, entityId }) => [operationId, entityId]),
      ),
    },
  );
  const first = expectHead(rows[0]);
  const ledger = new Map<string, LedgerEntry>();
  const states = new Map<string, string>();
  for (const row of rows) {
    if (row.operation_id === null) continue;
    if (row.state !== null) states.set(row.entity_id, row.state);
    if (row.log_offset === null) continue;
    const { log_offset: offset, mark, body: text, content_hash: contentHash } = row;
    ledger.set(row.operation_id, { offset, mark, text, contentHash });
  }
  return { head: toHead(first), history: first.history, ledger, states };
}

interface Writes {
  readonly added: AddedOperation[];
  readonly states: Map<string, string>;
  readonly marks: MarkRow[];
}

function write(
  tx: Transaction,
  { added, states, marks }: Writes,
  headOffset: number,
  now: number,
): void {
  tx.writeAtEnd([
    {
      sql: `INSERT INTO sync_operations (log_offset, entity_id, body, received_at)
            SELECT r.log_offset, r.entity_id, r.body, $1 FROM {rows} AS r`,
      rows: {
        columns: { log_offset: "integer", entity_id: "text", body: "text" },
        rows: added.map(({ offset, entityId, text }) => [offset, entityId, text]),
      },
      params: [now],
    },
    {
      sql: `INSERT INTO sync_ledger (operation_id, content_hash, log_offset)
            SELECT r.operation_id, '', r.log_offset FROM {rows} AS r`,
      rows: {
        columns: { operation_id: "text", log_offset: "integer" },
        rows: added.map(({ operationId, offset }) => [operationId, offset]),
      },
    },
    {
      sql: `INSERT INTO sync_entities (entity_id, state)
            SELECT r.entity_id, r.state FROM {rows} AS r WHERE true
            ON CONFLICT (entity_id) DO UPDATE SET state = excluded.state`,
      rows: { columns: { entity_id: "text", state: "text" }, rows: [...states] },
    },
    { sql: "UPDATE sync_log SET head_offset = $1 WHERE id = 1", params: [headOffset] },
    addMarks(marks),
    countOperations(added.length, now),
  ]);
}

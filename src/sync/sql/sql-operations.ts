import type { Database, Queryable, Row, Transaction } from "../../database/database.ts";
import { parseEntityState } from "../../rules/sync/entity-state-text.ts";
import type { EntityState } from "../../rules/sync/merge.ts";
import { createMark } from "../mark.ts";
import { planAppend, type AppendPlan, type LedgerEntry } from "../plan-append.ts";
import type {
  AppendConflict,
  LogHead,
  MarkedHead,
  NewOperation,
  OperationStore,
  StoredReceipt,
} from "../store.ts";
import { addMark, markAt } from "./sql-marks.ts";

interface HeadRow extends Row {
  readonly generation: string;
  readonly head_offset: number;
  readonly compaction_floor: number;
}

interface MarkedHeadRow extends HeadRow {
  readonly mark: string;
}

const HEAD = "SELECT generation, head_offset, compaction_floor FROM sync_log WHERE id = 1";
const MARKED_HEAD = `l.generation, l.head_offset, l.compaction_floor, h.mark`;
const MARKED_LOG = "sync_log l JOIN sync_marks h ON h.log_offset = l.head_offset AND l.id = 1";

/** `onCommit` is called after each commit that moved the head, before the push is acknowledged. */
export function createSqlOperations(
  database: Database,
  onCommit: (head: LogHead) => void,
): OperationStore {
  return {
    async append(operations, now) {
      const result = await database.transaction((tx) => append(tx, operations, now));
      if (result.kind === "conflict") return result;
      const { head, hasMoved, receipts } = result;
      if (hasMoved) onCommit(head);
      return { kind: "stored", generation: head.generation, receipts };
    },
    async head() {
      const [row] = await database.query<MarkedHeadRow>(`SELECT ${MARKED_HEAD} FROM ${MARKED_LOG}`);
      return toMarkedHead(row);
    },
    async page(after, limit) {
      // The head is read first, so that this page or a later one has every operation up to it.
      const [place] = await database.query<MarkedHeadRow & { after_mark: string | null }>(
        `SELECT ${MARKED_HEAD}, ${markAt("$1")} AS after_mark FROM ${MARKED_LOG}`,
        [after],
      );
      const head = toMarkedHead(place);
      const rows = await database.query<{ log_offset: number; body: string }>(
        `SELECT log_offset, body FROM sync_operations WHERE log_offset > $1 AND log_offset <= $2
         ORDER BY log_offset LIMIT $3`,
        [after, head.headOffset, limit],
      );
      // A page that is not full has reached the head, across the gaps of compaction.
      const lastOffset =
        rows.length < limit ? Math.max(after, head.headOffset) : (rows.at(-1)?.log_offset ?? after);
      return {
        ...head,
        texts: rows.map(({ body }) => body),
        lastOffset,
        lastMark: lastOffset < head.headOffset ? await readMark(database, lastOffset) : head.mark,
        afterMark: place?.after_mark ?? null,
      };
    },
    async *snapshot() {
      // In one statement, so that head and states belong together.
      const rows = database.stream<MarkedHeadRow & { state: string | null }>(
        `SELECT ${MARKED_HEAD}, e.state FROM ${MARKED_LOG} LEFT JOIN sync_entities e ON true
         ORDER BY e.entity_id${database.dialect === "postgres" ? ' COLLATE "C"' : ""}`,
      );
      for await (const row of rows) yield { head: toMarkedHead(row), state: row.state };
    },
  };
}

export async function readHead(store: Queryable): Promise<LogHead> {
  const [row] = await store.query<HeadRow>(HEAD);
  if (row === undefined) throw unpreparedError();
  return toHead(row);
}

async function readMark(store: Queryable, offset: number): Promise<string> {
  const [row] = await store.query<{ mark: string | null }>(`SELECT ${markAt("$1")} AS mark`, [
    offset,
  ]);
  if (typeof row?.mark !== "string") throw new Error(`No commit of the log has offset ${offset}`);
  return row.mark;
}

/** Without the plan, whose texts would stay in memory until a group of pushes is committed. */
type AppendSummary =
  | {
      readonly kind: "written";
      readonly head: LogHead;
      readonly hasMoved: boolean;
      readonly receipts: StoredReceipt[];
    }
  | AppendConflict;

async function append(
  tx: Transaction,
  operations: readonly NewOperation[],
  now: number,
): Promise<AppendSummary> {
  const { head, history, ledger, states } = await readStored(tx, operations);
  const mark = createMark(history);
  const plan = planAppend(operations, ledger, states, { headOffset: head.headOffset, mark });
  if (plan.kind === "conflict") return plan;
  const { headOffset, receipts } = plan;
  const hasMoved = plan.added.length > 0;
  if (hasMoved) await write(tx, plan, mark, now);
  return { kind: "written", head: { ...head, headOffset }, hasMoved, receipts };
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
async function readStored(tx: Queryable, operations: readonly NewOperation[]) {
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
      rows: operations.map(({ operationId, entityId }) => [operationId, entityId]),
    },
  );
  const [first] = rows;
  if (first === undefined) throw unpreparedError();
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

/** By entity id; an entity without operations has no state. */
export async function readStates(
  store: Queryable,
  entityIds: ReadonlySet<string>,
): Promise<Map<string, EntityState>> {
  const texts = await readStateTexts(store, entityIds);
  return new Map([...texts].map(([id, text]) => [id, parseEntityState(text)]));
}

async function readStateTexts(
  store: Queryable,
  entityIds: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const rows = await store.queryRows<{ entity_id: string; state: string }>(
    "SELECT e.entity_id, e.state FROM {rows} AS r JOIN sync_entities e ON e.entity_id = r.id",
    { columns: { id: "text" }, rows: [...entityIds].map((id) => [id]) },
  );
  return new Map(rows.map((row) => [row.entity_id, row.state]));
}

async function write(tx: Transaction, plan: AppendPlan, mark: string, now: number): Promise<void> {
  const { added, states, headOffset } = plan;
  await tx.writeAll([
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
    addMark(headOffset, mark),
  ]);
}

function toMarkedHead(row: MarkedHeadRow | undefined): MarkedHead {
  if (row === undefined) throw unpreparedError();
  return { ...toHead(row), mark: row.mark };
}

function unpreparedError(): Error {
  return new Error("The log has no head: the store was not prepared");
}

function toHead(row: HeadRow): LogHead {
  return {
    generation: row.generation,
    headOffset: row.head_offset,
    compactionFloor: row.compaction_floor,
  };
}

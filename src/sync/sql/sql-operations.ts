/** The operation log in SQL: a push is a handful of statements, whatever its size. */
import {
  ConstraintError,
  type Database,
  type Queryable,
  type Row,
} from "../../database/database.ts";
import { parseEntityState } from "../../rules/sync/entity-state-text.ts";
import type { EntityState } from "../../rules/sync/merge.ts";
import type { NewOperation } from "../../rules/sync/new-operation.ts";
import { planAppend, type AppendPlan, type LedgerEntry } from "../plan-append.ts";
import type { LogHead, OperationStore, StoredReceipt } from "../store.ts";

/** Told of the head after each commit that moved it, before the commit is acknowledged. */
export type OnCommit = (head: LogHead) => void;

interface HeadRow extends Row {
  readonly generation: string;
  readonly head_offset: number;
  readonly compaction_floor: number;
}

const HEAD = "SELECT generation, head_offset, compaction_floor FROM sync_log WHERE id = 1";

export function createSqlOperations(database: Database, onCommit: OnCommit): OperationStore {
  return {
    async append(operations, now) {
      const outcome = await database
        .transaction((tx) => append(tx, operations(), now, readLedgerIfRepeated))
        .catch((error: unknown) => {
          if (!(error instanceof ConstraintError && error.kind === "unique")) throw error;
          return database.transaction((tx) => append(tx, operations(), now, readLedger));
        });
      if (outcome.kind === "conflict") return outcome;
      const { head, hasMoved, receipts } = outcome;
      if (hasMoved) onCommit(head);
      return { kind: "stored", generation: head.generation, receipts };
    },
    head: () => readHead(database),
    async page(after, limit) {
      // The head is read first: what it promises, the page has, or a page after it.
      const head = await readHead(database);
      const rows = await database.query<{ log_offset: number; body: string }>(
        `SELECT log_offset, body FROM sync_operations WHERE log_offset > $1 AND log_offset <= $2
         ORDER BY log_offset LIMIT $3`,
        [after, head.headOffset, limit],
      );
      // A page that is not full has reached the head, also over what compaction has removed.
      const lastOffset =
        rows.length < limit ? Math.max(after, head.headOffset) : (rows.at(-1)?.log_offset ?? after);
      return { ...head, texts: rows.map(({ body }) => body), lastOffset };
    },
    async *snapshot() {
      // One statement is one moment: the head is the one that these states add up to.
      const rows = database.stream<HeadRow & { state: string | null }>(
        `SELECT l.generation, l.head_offset, l.compaction_floor, e.state
         FROM sync_log l LEFT JOIN sync_entities e ON l.id = 1 WHERE l.id = 1
         ORDER BY e.entity_id${database.dialect === "postgres" ? ' COLLATE "C"' : ""}`,
      );
      for await (const row of rows) yield { head: toHead(row), state: row.state };
    },
  };
}

export async function readHead(store: Queryable): Promise<LogHead> {
  const [row] = await store.query<HeadRow>(HEAD);
  if (row === undefined) throw new Error("The log has no head: the store was not prepared");
  return toHead(row);
}

/** What the ledger holds of these operations. */
type ReadLedger = (
  tx: Queryable,
  operations: readonly NewOperation[],
) => Promise<Map<string, LedgerEntry>>;

/**
 * What is left of a push that waits for its commit, together with others. Not its plan, whose texts
 * would then all be in memory at once.
 */
type Written =
  | {
      readonly kind: "written";
      readonly head: LogHead;
      readonly hasMoved: boolean;
      readonly receipts: StoredReceipt[];
    }
  | { readonly kind: "conflict"; readonly index: number };

async function append(
  tx: Queryable,
  operations: readonly NewOperation[],
  now: number,
  readFrom: ReadLedger,
): Promise<Written> {
  const head = await readHead(tx);
  const ledger = await readFrom(tx, operations);
  const states = await readStateTexts(
    tx,
    operations.map(({ entityId }) => entityId),
  );
  const plan = planAppend(operations, ledger, states, head.headOffset);
  if (plan.kind === "conflict") return plan;
  const { headOffset, receipts } = plan;
  const hasMoved = plan.added.length > 0;
  if (hasMoved) await write(tx, plan, now);
  return { kind: "written", head: { ...head, headOffset }, hasMoved, receipts };
}

/**
 * Most pushes are new from end to end, and one that is repeated begins and ends as it did: so two are
 * asked for. When it is wrong about those between, the ledger's key refuses them.
 */
const readLedgerIfRepeated: ReadLedger = async (tx, operations) => {
  const found = await readLedger(tx, [...operations.slice(0, 1), ...operations.slice(-1)]);
  return found.size > 0 && operations.length > 2 ? readLedger(tx, operations) : found;
};

async function readLedger(
  tx: Queryable,
  operations: readonly NewOperation[],
): Promise<Map<string, LedgerEntry>> {
  const rows = await tx.queryRows<{
    operation_id: string;
    content_hash: string;
    log_offset: number;
    body: string | null;
  }>(
    `SELECT l.operation_id, l.content_hash, l.log_offset, o.body
     FROM {rows} AS r JOIN sync_ledger l ON l.operation_id = r.id
     LEFT JOIN sync_operations o ON l.content_hash = '' AND o.log_offset = l.log_offset`,
    { columns: { id: "text" }, rows: operations.map(({ operationId }) => [operationId]) },
  );
  return new Map(
    rows.map((row) => [
      row.operation_id,
      { offset: row.log_offset, text: row.body, contentHash: row.content_hash },
    ]),
  );
}

/** The states of these entities, as far as they have any. */
export async function readStatesOf(
  store: Queryable,
  ids: ReadonlySet<string>,
): Promise<Map<string, EntityState>> {
  const states = new Map<string, EntityState>();
  const texts = await readStateTexts(store, [...ids]);
  let place = 0;
  for (const id of ids) {
    const text = texts[place++];
    if (text !== undefined) states.set(id, parseEntityState(text));
  }
  return states;
}

/**
 * In the order of the ids, undefined where there is none. An id that is given twice is looked up
 * twice, which costs less than finding out.
 */
async function readStateTexts(
  store: Queryable,
  ids: readonly string[],
): Promise<(string | undefined)[]> {
  const rows = await store.queryRows<{ place: number; state: string }>(
    `SELECT r.place, e.state FROM {rows} AS r JOIN sync_entities e ON e.entity_id = r.id`,
    { columns: { place: "integer", id: "text" }, rows: ids.map((id, place) => [place, id]) },
  );
  const texts = new Array<string | undefined>(ids.length).fill(undefined);
  for (const { place, state } of rows) texts[place] = state;
  return texts;
}

async function write(tx: Queryable, plan: AppendPlan, now: number): Promise<void> {
  await tx.queryRows(
    `INSERT INTO sync_operations (log_offset, entity_id, body, received_at)
     SELECT r.log_offset, r.entity_id, r.body, $1 FROM {rows} AS r`,
    {
      columns: { log_offset: "integer", entity_id: "text", body: "text" },
      rows: plan.added.map(({ operation, offset }) => [offset, operation.entityId, operation.text]),
    },
    [now],
  );
  await tx.queryRows(
    `INSERT INTO sync_ledger (operation_id, content_hash, log_offset)
     SELECT r.operation_id, '', r.log_offset FROM {rows} AS r`,
    {
      columns: { operation_id: "text", log_offset: "integer" },
      rows: plan.added.map(({ operation, offset }) => [operation.operationId, offset]),
    },
  );
  await tx.queryRows(
    `INSERT INTO sync_entities (entity_id, state) SELECT r.entity_id, r.state FROM {rows} AS r
     WHERE true ON CONFLICT (entity_id) DO UPDATE SET state = excluded.state`,
    { columns: { entity_id: "text", state: "text" }, rows: plan.states },
  );
  await tx.query("UPDATE sync_log SET head_offset = $1 WHERE id = 1", [plan.headOffset]);
}

function toHead(row: HeadRow): LogHead {
  return {
    generation: row.generation,
    headOffset: row.head_offset,
    compactionFloor: row.compaction_floor,
  };
}

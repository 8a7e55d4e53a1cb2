/** Appends pushes to the log: one statement reads what they need, and one write has all they change. */
import { DAY_MS } from "../../contract/durations.ts";
import {
  StorageUnavailableError,
  type Database,
  type Dialect,
  type Queryable,
  type Row,
  type Transaction,
} from "../../database/database.ts";
import { joinOneRow } from "../../database/one-row.ts";
import { isWithoutRegisters } from "../../rules/sync/entity-state-text.ts";
import { createMark } from "../log/cursor.ts";
import { FIRST_ROW, listConcernedRows, rowIdOf, type ReadRow } from "../log/entity-rows.ts";
import {
  createAppendPlanner,
  findEntities,
  type AppendWrites,
  type LedgerEntry,
  type StoredOperation,
} from "../log/plan-append.ts";
import type { AppendResult, NewOperation, OperationStore } from "../store.ts";
import type { KeyProof } from "../keys/key-proof.ts";
import {
  CHANGES_CHANNEL,
  CLOCK,
  expectHead,
  IS_CLOSED,
  markAt,
  ofCurrentKey,
  toHead,
  type HeadRow,
  type StoredHead,
} from "./log-head.ts";
import { readKnownKeys } from "./sql-keys.ts";
import { readStateRows } from "./read-states.ts";

interface Push {
  readonly operations: readonly NewOperation[];
  readonly now: number;
  readonly proof: KeyProof | null;
}

interface WaitingPush extends Push {
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
}

interface Group {
  readonly pushes: WaitingPush[];
  characters: number;
}

/** Bounds on how long the first of a group waits for the last, and on the size of a statement. */
const MAX_PUSHES = { postgres: 64, sqlite: 1 };
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** PostgreSQL takes about a tenth of the time of a push to plan its two statements. */
const KEEPING_PLANS = { keepsPlans: true };

/**
 * Pushes that wait for the writer together are a group. On PostgreSQL it is one unit of work, so that it
 * costs as many round trips as one push. SQLite has no round trips, and the transactions of its write
 * queue share a commit already.
 *
 * `onCommit` is called after each commit that moved the head, before its pushes are acknowledged;
 * `onGroup` after each transaction, with how many pushes it had.
 */
export function createAppender(
  database: Database,
  onCommit: (head: StoredHead) => void,
  onGroup?: (pushes: number) => void,
): OperationStore["append"] {
  const maxPushes = MAX_PUSHES[database.dialect];
  /** The group whose transaction has not begun to work. */
  let open: Group | null = null;

  function join(push: WaitingPush): void {
    const characters = push.operations.reduce((sum, { text }) => sum + text.length, 0);
    const hasRoom =
      open !== null &&
      open.pushes.length < maxPushes &&
      open.characters + characters <= MAX_CHARACTERS;
    if (open !== null && hasRoom) {
      open.pushes.push(push);
      open.characters += characters;
    } else {
      open = { pushes: [push], characters };
      void write(open);
    }
  }

  function close(group: Group): void {
    if (open === group) open = null;
  }

  async function write(group: Group): Promise<void> {
    const { pushes } = group;
    try {
      const { head, hasMoved, results } = await database.transaction((tx) => {
        close(group);
        return appendPushes(tx, database.dialect, pushes);
      }, KEEPING_PLANS);
      if (hasMoved) onCommit(head);
      onGroup?.(pushes.length);
      for (const [index, { resolve }] of pushes.entries()) resolve(results[index] as AppendResult);
    } catch (error) {
      // The transaction of the group may not even have begun.
      close(group);
      await fail(group, error);
    }
  }

  /** A push must not fail because of another, so each of them is written again by itself. */
  async function fail({ pushes }: Group, error: unknown): Promise<void> {
    if (pushes.length === 1 || error instanceof StorageUnavailableError) {
      for (const { reject } of pushes) reject(error);
      return;
    }
    for (const push of pushes) await write({ pushes: [push], characters: 0 });
  }

  return (operations, now, proof = null) =>
    new Promise((resolve, reject) => {
      join({ operations, now, proof, resolve, reject });
    });
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
  pushes: readonly Push[],
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
function findKeyIds(pushes: readonly Push[]): ReadonlySet<string> {
  const keyIds = pushes.flatMap(({ operations, proof }) => [
    ...(proof === null ? [] : [proof.keyId]),
    ...operations.flatMap(({ keyId }) => (keyId === undefined ? [] : [keyId])),
  ]);
  return new Set(keyIds);
}

/** The last offset of a push, and its mark. */
type MarkRow = readonly [number, string];

interface StoredHeadRow extends HeadRow {
  readonly position: null;
  readonly history: string | null;
  readonly is_closed: number;
  readonly key_id: string | null;
  readonly write_hash: string | null;
}

/** What the store has of the operation at a position, and of its entity. */
interface KnownRow extends Row {
  readonly position: number;
  readonly log_offset: number | null;
  readonly content_hash: string;
  readonly mark: string;
  readonly body: string | null;
  readonly state: string | null;
}

type StoredRow = StoredHeadRow | KnownRow;

const OWN = (alias: string) => `${alias}.instance = $instance`;

const readStatement = (dialect: Dialect) => `
  SELECT generation, head_offset, compaction_floor, ${CLOCK}, history,
    ${IS_CLOSED} AS is_closed,
    ${ofCurrentKey("key_id")} AS key_id, ${ofCurrentKey("write_hash")} AS write_hash,
    NULL AS position,
    NULL AS log_offset, NULL AS content_hash, NULL AS mark, NULL AS body, NULL AS state
  FROM sync_log WHERE instance = $instance AND id = 1
  UNION ALL
  SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, r.position, l.log_offset, l.content_hash,
    ${markAt("l.log_offset")}, o.body, e.state
  FROM {rows} AS r ${joinOneRow(dialect, "sync_ledger", "l", `${OWN("l")} AND l.operation_id = r.operation_id`)}
  ${joinOneRow(dialect, "sync_operations", "o", `l.content_hash = '' AND ${OWN("o")} AND o.log_offset = l.log_offset`)}
  ${joinOneRow(dialect, "sync_entities", "e", `${OWN("e")} AND e.entity_id = r.entity_id`)}
  WHERE l.log_offset IS NOT NULL OR e.state IS NOT NULL`;

const READ_STORED = { postgres: readStatement("postgres"), sqlite: readStatement("sqlite") };

/**
 * The head, and what the store has of the operations and of their entities, in one statement. The state of
 * an entity comes once: with each of a hundred operations it would be a hundred times as much.
 */
async function readStored(
  tx: Queryable,
  dialect: Dialect,
  operations: readonly NewOperation[],
  entities: readonly number[],
) {
  const rows = await tx.queryRows<StoredRow>(READ_STORED[dialect], {
    columns: { position: "integer", operation_id: "text", entity_id: "text" },
    rows: operations.map(({ operationId, entityId }, index) => [
      index,
      operationId,
      entities[index] === index ? entityId : null,
    ]),
  });
  const stored = operations.map((): StoredOperation => NOTHING_STORED);
  let head: StoredHeadRow | undefined;
  for (const row of rows) {
    if (row.position === null) head = row;
    else stored[row.position] = { entry: toEntry(row), readRow: readFirst(row) };
  }
  await addRows(tx, operations, entities, stored);
  const found = expectHead(head);
  const { history, is_closed: isClosed, key_id: keyId, write_hash: writeHash } = found;
  const currentKey = keyId === null || writeHash === null ? null : { keyId, writeHash };
  return { head: toHead(found), history, isClosed: isClosed === 1, stored, currentKey };
}

const NOTHING_STORED: StoredOperation = { entry: undefined, readRow: () => undefined };

function readFirst({ state }: KnownRow): ReadRow {
  return (row) => (row === FIRST_ROW ? (state ?? undefined) : undefined);
}

/** Adds the further rows of entities with many registers, of which there are hardly any. */
async function addRows(
  tx: Queryable,
  operations: readonly NewOperation[],
  entities: readonly number[],
  stored: StoredOperation[],
): Promise<void> {
  const isWide = stored.map(({ readRow }) => isWithoutRegisters(readRow(FIRST_ROW) ?? ""));
  if (!isWide.includes(true)) return;
  const rowIds = operations.flatMap(({ entityId, state }, index) =>
    isWide[entities[index] as number] === true ? listConcernedRows(entityId, state) : [],
  );
  const texts = await readStateRows(tx, new Set(rowIds));
  for (const [index, { entry, readRow }] of stored.entries()) {
    const { entityId } = operations[index] as NewOperation;
    if (isWide[index] !== true) continue;
    const readAny = (row: number) =>
      row === FIRST_ROW ? readRow(row) : texts.get(rowIdOf(entityId, row));
    stored[index] = { entry, readRow: readAny };
  }
}

function toEntry(row: KnownRow): LedgerEntry | undefined {
  const { log_offset: offset, mark, body: text, content_hash: contentHash } = row;
  return offset === null ? undefined : { offset, mark, text, contentHash };
}

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

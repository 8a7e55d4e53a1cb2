/** What the store has of the operations of pushes, and of their entities. */
import type { Dialect, Queryable, Row } from "../../database/database.ts";
import { joinOneRow } from "../../database/one-row.ts";
import { isWithoutRegisters } from "../../rules/sync/entity-state-text.ts";
import { FIRST_ROW, listConcernedRows, rowIdOf, type ReadRow } from "../log/entity-rows.ts";
import type { LedgerEntry, StoredOperation } from "../log/plan-append.ts";
import type { NewOperation } from "../store.ts";
import {
  CLOCK,
  expectHead,
  IS_CLOSED,
  markAt,
  ofCurrentKey,
  toHead,
  type HeadRow,
} from "./log-head.ts";
import { readStateRows } from "./read-states.ts";

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
export async function readStored(
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

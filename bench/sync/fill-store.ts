/** Fills the log of a new store by SQL. */
import { entityStateToText } from "../../src/rules/sync/entity-state-text.ts";
import { applyOperation } from "../../src/rules/sync/merge.ts";
import { parseOperation } from "../../src/rules/sync/operation-text.ts";
import { fillFile } from "../fill-file.ts";
import { fillDatabase } from "../postgres-server.ts";
import { createText, entityIdOf, patchText } from "./operations.ts";

const DEVICE = "0d6f7b6e-fill";
const MAX_ENTITIES = 100_000;

/** Creates up to 100,000 entities, then changes them in turn until the log is as long as it should be. */
function* filledRows(length: number): Generator<FilledRow> {
  const entities = entityCount(length);
  for (let offset = 1; offset <= length; offset++) {
    const number = (offset - 1) % entities;
    const isCreate = offset <= entities;
    const text = (isCreate ? createText : patchText)(DEVICE, offset, number);
    // The last operation of each entity makes its state: every change replaces the one before.
    const isLast = offset > length - entities;
    yield {
      offset,
      operationId: `operation/${DEVICE}/${offset}`,
      entityId: entityIdOf(DEVICE, number),
      text,
      state: isLast ? stateText(number, isCreate ? null : text) : null,
    };
  }
}

interface FilledRow {
  readonly offset: number;
  readonly operationId: string;
  readonly entityId: string;
  readonly text: string;
  /** The state of the entity, with the last of its operations. */
  readonly state: string | null;
}

export function entityCount(length: number): number {
  return Math.min(length, MAX_ENTITIES);
}

export function fillSqlite(path: string, length: number): void {
  fillFile(path, (handle) => {
    const operation = handle.prepare("insert into sync_operations values (1, ?, ?, ?, ?)");
    const ledger = handle.prepare("insert into sync_ledger values (1, ?, '', ?)");
    const entity = handle.prepare("insert into sync_entities values (1, ?, ?)");
    const receivedAt = Date.now();
    for (const { offset, operationId, entityId, text, state } of filledRows(length)) {
      operation.run(offset, entityId, text, receivedAt);
      ledger.run(operationId, offset);
      if (state !== null) entity.run(entityId, state);
    }
    handle.prepare("update sync_log set head_offset = ?").run(length);
  });
}

/** A database of PostgreSQL, by statements over arrays. */
export async function fillPostgres(address: string, length: number): Promise<void> {
  const receivedAt = Date.now();
  await fillDatabase(
    address,
    filledRows(length),
    async (sql, rows) => {
      const offsets = rows.map(({ offset }) => offset);
      const entityIds = rows.map(({ entityId }) => entityId);
      const states = rows.filter(({ state }) => state !== null);
      await sql`insert into sync_operations select 1, o, e, b, ${receivedAt}::bigint from unnest(
        ${offsets}::bigint[], ${entityIds}::text[], ${rows.map(({ text }) => text)}::text[])
        as given(o, e, b)`;
      await sql`insert into sync_ledger select 1, i, '', o from unnest(
        ${rows.map(({ operationId }) => operationId)}::text[], ${offsets}::bigint[]) as given(i, o)`;
      await sql`insert into sync_entities select 1, * from unnest(
        ${states.map(({ entityId }) => entityId)}::text[],
        ${states.map(({ state }) => state)}::text[])`;
    },
    (sql) => sql`update sync_log set head_offset = ${length}`,
  );
}

function stateText(number: number, change: string | null): string {
  const created = parseOperation(createText(DEVICE, number + 1, number));
  const { state } = applyOperation(null, created);
  return entityStateToText(
    change === null ? state : applyOperation(state, parseOperation(change)).state,
  );
}

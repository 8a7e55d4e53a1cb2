/**
 * The rows in which a store keeps the state of an entity: one, until it has many registers. Then these are in rows of
 * their own, by a hash of their names, and the first row has what is of the entity as a whole. So a push reads and
 * writes what it changes, however many fields there are. The state is the join of its rows, in any order.
 */
import {
  entityStateToText,
  isWithoutRegisters,
  parseEntityState,
} from "../../rules/sync/entity-state-text.ts";
import {
  joinStates,
  mergeStates,
  type EntityState,
  type Register,
} from "../../rules/sync/merge.ts";

/** As many as one operation can have. */
const MAX_REGISTERS = 512;
const ROWS = 256;
export const FIRST_ROW = -1;

/** Gives the text of a row; undefined where there is none. */
export type ReadRow = (row: number) => string | undefined;

/** No entity id has a space, and ids of rows sort behind that of their entity and before any other. */
export function rowIdOf(entityId: string, row: number): string {
  return row === FIRST_ROW ? entityId : `${entityId} ${row}`;
}

export function entityIdOfRow(rowId: string): string {
  const end = rowId.indexOf(" ");
  return end < 0 ? rowId : rowId.slice(0, end);
}

/** The ids of all rows that an entity with many registers can have, but the first. */
export function listRowIds(entityId: string): string[] {
  return Array.from({ length: ROWS }, (_, row) => rowIdOf(entityId, row));
}

/** The ids of the rows behind the first that a state which is added to it concerns. */
export function listConcernedRows(entityId: string, added: string): string[] {
  return [...splitState(parseEntityState(added)).keys()].flatMap((row) =>
    row === FIRST_ROW ? [] : [rowIdOf(entityId, row)],
  );
}

/** Returns the rows that change, with their new texts. */
export function addToRows(readRow: ReadRow, added: string): ReadonlyMap<number, string> {
  const first = readRow(FIRST_ROW);
  if (first === undefined) return new Map([[FIRST_ROW, added]]);
  const addedState = parseEntityState(added);
  if (!isWithoutRegisters(first)) {
    const { state, changed } = mergeStates(parseEntityState(first), addedState);
    if (!changed) return NOTHING;
    return countRegisters(state) > MAX_REGISTERS
      ? new Map([...splitState(state)].map(([row, part]) => [row, rowToText(row, part)]))
      : new Map([[FIRST_ROW, entityStateToText(state)]]);
  }
  const changedRows = new Map<number, string>();
  for (const [row, part] of splitState(addedState)) {
    const before = readRow(row);
    const { state, changed } = mergeStates(
      before === undefined ? null : parseEntityState(before),
      part,
    );
    if (changed) changedRows.set(row, rowToText(row, state));
  }
  return changedRows;
}

const NOTHING: ReadonlyMap<number, string> = new Map();

/** The text of the state whose rows these are. */
export function joinRows(texts: readonly string[]): string {
  const [first = ""] = texts;
  return texts.length === 1 ? first : entityStateToText(joinStates(texts.map(parseEntityState)));
}

/** Whether the row holds what `addToRows` would look for in it. */
export function isOwnRow(rowId: string, text: string, state: EntityState): boolean {
  const entityId = entityIdOfRow(rowId);
  if (entityId === rowId) return !isWithoutRegisters(text) || countRegisters(state) === 0;
  const names = [...state.payloadFields.keys(), ...state.metadataFields.keys()];
  return names.every((name) => rowIdOf(entityId, rowOf(name)) === rowId);
}

function countRegisters({ payloadFields, metadataFields }: EntityState): number {
  return payloadFields.size + metadataFields.size;
}

function rowToText(row: number, state: EntityState): string {
  return entityStateToText(state, row === FIRST_ROW);
}

/** The first row comes first, and has no registers. */
function splitState(state: EntityState): Map<number, EntityState> {
  const none: ReadonlyMap<string, Register> = new Map();
  const first = { ...state, payloadFields: none, metadataFields: none };
  const parts = new Map<
    number,
    Record<"payloadFields" | "metadataFields", Map<string, Register>>
  >();
  for (const kind of ["payloadFields", "metadataFields"] as const) {
    for (const [name, register] of state[kind]) {
      const row = rowOf(name);
      const part = parts.get(row) ?? { payloadFields: new Map(), metadataFields: new Map() };
      parts.set(row, part);
      part[kind].set(name, register);
    }
  }
  const { entityId } = state;
  const lifecycle = { lifecycleRevision: null, deletedRevision: null, deleted: false };
  return new Map([
    [FIRST_ROW, first],
    ...[...parts].map(([row, part]) => [row, { entityId, ...lifecycle, ...part }] as const),
  ]);
}

/** FNV-1a (RFC 9923) over the code units of the name. Rows that are stored depend on it: it never changes. */
function rowOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % ROWS;
}

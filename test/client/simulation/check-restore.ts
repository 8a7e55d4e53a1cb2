/** A restore without a payload carries values that were there before it. */
import { isDeepStrictEqual } from "node:util";
import type { Operation, Revision } from "../../../src/contract/sync/operation.ts";
import { toCents } from "./bills.ts";
import type { EditRecord } from "./edit-history.ts";
import { isGreater, namedChanges, nameFields } from "./expected-merge.ts";

/** `known` are the operations of all edits, `records` the edits, and `lapsed` ids of what a device may not hold. */
export function checkRestore(
  restore: Operation,
  known: readonly Operation[],
  records: readonly EditRecord[],
  lapsed: ReadonlySet<string>,
): string[] {
  const { operationId: id, document, revision } = restore;
  const isSame = (entityId: string) => entityId === document.entityId;
  const earlier = known.filter(
    (one) => isSame(one.document.entityId) && isGreater(revision, one.revision),
  );
  // An edit of a killed process may be stored, and replaced before it is sent.
  const unsettled = records.filter(({ result, entityId }) => result === null && isSame(entityId));
  const sources = findSources(restore, earlier, unsettled);
  const errors: string[] = [];
  for (const [name] of namedChanges(restore)) {
    if (!sources.has(name)) errors.push(`${id} restores a ${name} that was never there`);
  }
  // Its device holds at least what it wrote itself.
  for (const own of earlier) {
    if (own.revision.deviceId !== revision.deviceId || lapsed.has(own.operationId)) continue;
    for (const [name] of namedChanges(own)) {
      const source = sources.get(name);
      if (source !== undefined && !isGreater(own.revision, source)) continue;
      errors.push(`${id} does not bring back the ${name} of ${own.operationId}`);
    }
  }
  return errors;
}

/** Adds what a newer build reads from the older fields of bills. */
function withRead(changes: readonly [string, unknown][]): [string, unknown][] {
  return changes.flatMap(([name, value]): [string, unknown][] => {
    if (name === "payload euros")
      return [
        ["payload cents", toCents(Number(value))],
        [name, value],
      ];
    return name === "payload who"
      ? [
          ["payload payee", value],
          [name, value],
        ]
      : [[name, value]];
  });
}

/** The last revision before the restore that wrote the value which it carries, by field. */
function findSources(
  restore: Operation,
  earlier: readonly Operation[],
  unsettled: readonly EditRecord[],
): ReadonlyMap<string, Revision> {
  const sources = new Map<string, Revision>();
  const fields = new Map(namedChanges(restore));
  const note = (changes: readonly [string, unknown][], revision: Revision) => {
    for (const [name, value] of changes) {
      const isSource = fields.has(name) && isDeepStrictEqual(fields.get(name), value);
      if (isSource && isGreater(revision, sources.get(name) ?? null)) sources.set(name, revision);
    }
  };
  for (const operation of earlier) note(withRead(namedChanges(operation)), operation.revision);
  for (const { payload, metadata } of unsettled) {
    note(withRead(nameFields({ payload: payload ?? {}, metadata })), restore.revision);
  }
  return sources;
}

/** Texts of operations for the vectors, of which a case names what matters to it. */
import type { Operation } from "../../src/contract/sync/operation.ts";
import { MAX_NESTING, type SyncProfile } from "../../src/contract/sync/operation-limits.ts";
import { createOperation } from "../../test/fixtures/sync-operation.ts";

export interface OperationInput {
  readonly profile: SyncProfile;
  readonly text: string;
  /** Keeps long texts out of the file. */
  readonly fill?: { readonly text: string; readonly times: number };
}

/** Stands for `fill.text`, repeated. */
export const FILL = "%FILL%";

const habit = createOperation();
export const note = createOperation({ entityId: "note/1", payload: { text: "Milk" } });
export const tombstone = createOperation({ kind: "delete", entityId: "note/1" });

/** The operation with other members; undefined removes one. */
export function habits(changes: object, base: Operation = habit): OperationInput {
  return { profile: "habits", text: JSON.stringify({ ...base, ...changes }) };
}

export function open(changes: object, base: Operation = note): OperationInput {
  return { ...habits(changes, base), profile: "open" };
}

/** A create of the profile `open` with this payload. */
export function payload(fields: Readonly<Record<string, unknown>>): OperationInput {
  return open(createOperation({ entityId: "note/1", payload: fields }));
}

export function document(changes: object, base: Operation = note): OperationInput {
  return open({ document: { ...base.document, ...changes } }, base);
}

/** A create of the profile `habits`. */
export function entity(
  entityId: string,
  fields: Readonly<Record<string, unknown>>,
): OperationInput {
  return habits(createOperation({ entityId, payload: fields }));
}

export function revised(deviceId: string, sequence: string): OperationInput {
  const operationId = `operation/${deviceId}/${sequence}`;
  const { text } = open({ operationId, revision: { deviceId, sequence: 0 } });
  return { profile: "open", text: text.replace('"sequence":0', `"sequence":${sequence}`) };
}

/** As many levels as the limit has, one more for each `more`; the operation, document and payload are three. */
export function nested(more: number): OperationInput {
  const lists = MAX_NESTING - 3 + more;
  const value: unknown = JSON.parse("[".repeat(lists) + "]".repeat(lists));
  return payload({ value });
}

/** An operation of `bytes` bytes in all, in strings that are short enough. */
export function sized(bytes: number): OperationInput {
  const input = payload({ a: FILL, b: FILL, c: "" });
  const rest = bytes - (input.text.length - 2 * FILL.length);
  const times = Math.floor(rest / 2);
  const text = input.text.replace('"c":""', `"c":"${"x".repeat(rest % 2)}"`);
  return { ...input, text, fill: { text: "x", times } };
}

export function fields(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_none, index) => [`f${index}`, 1]));
}

/** Operations of one entity, and the state to which every order of them adds up. */
import { isDeepStrictEqual } from "node:util";
import type { Operation } from "../../src/contract/sync/operation.ts";
import { applyOperation, type EntityState } from "../../src/rules/sync/merge.ts";
import { parseOperation } from "../../src/rules/sync/operation-text.ts";
import { snapshotEntityToText, visibleEntity } from "../../src/rules/sync/visible-entity.ts";
import { createOperation, type OperationOptions } from "../../test/fixtures/sync-operation.ts";
import type { VectorSource } from "./vector-file.ts";

interface MergeInput {
  readonly operations: readonly Operation[];
}

export function createMergeVectors(): VectorSource<MergeInput> {
  return {
    name: "sync-merge",
    description:
      "The merge of operations of one entity: docs/protocol/sync.md, Merge. Every order of `input.operations`, and every repetition of some, gives the same `expected`: `snapshot` is the entity as GET /v1/snapshot has it, `visible` what an app shows, or null.",
    inputs: Object.fromEntries(
      Object.entries(HISTORIES).map(([name, operations]) => [name, { operations }]),
    ),
    expect({ operations }) {
      const [first, ...others] = permutations(operations).map(merge);
      const differing = others.find((other) => !isDeepStrictEqual(other, first));
      if (differing !== undefined) throw new Error("The order of operations changes their merge");
      return first;
    },
    codes: [],
  };
}

function merge(operations: readonly Operation[]): object {
  let state: EntityState | null = null;
  for (const operation of operations) {
    state = applyOperation(state, parseOperation(JSON.stringify(operation))).state;
  }
  if (state === null) throw new Error("A history needs an operation");
  const visible = visibleEntity(state);
  return {
    snapshot: JSON.parse(snapshotEntityToText(state)) as object,
    visible: visible && {
      ...visible,
      payload: toValues(visible.payload),
      metadata: toValues(visible.metadata),
    },
  };
}

function toValues(fields: ReadonlyMap<string, string>): object {
  return Object.fromEntries([...fields].map(([name, json]) => [name, JSON.parse(json) as unknown]));
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((first, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [first, ...rest]),
  );
}

type Fields = Readonly<Record<string, unknown>>;

function edit(kind: Operation["kind"], sequence: number, options: OperationOptions): Operation {
  return createOperation({ entityId: "note/1", kind, sequence, ...options });
}
const create = (sequence: number, payload: Fields, options: OperationOptions = {}) =>
  edit("create", sequence, { payload, ...options });
const patch = (sequence: number, payload: Fields, options: OperationOptions = {}) =>
  edit("patch", sequence, { payload, ...options });
const restore = (sequence: number, payload: Fields, options: OperationOptions = {}) =>
  edit("restore", sequence, { payload, ...options });
const remove = (sequence: number, options: OperationOptions = {}) =>
  edit("delete", sequence, options);

const [phone, laptop] = [{ deviceId: "phone" }, { deviceId: "laptop" }];

const HISTORIES: Record<string, readonly Operation[]> = {
  "one create": [create(1, { text: "Milk", done: false })],
  "a patch that came before its create": [patch(2, { text: "Eggs" })],
  "patches of different fields": [
    create(1, { text: "Milk", done: false }),
    patch(2, { text: "Eggs" }, phone),
    patch(2, { done: true }, laptop),
  ],
  "patches of one field": [
    create(1, { text: "Milk" }),
    patch(3, { text: "later" }),
    patch(2, { text: "earlier" }),
  ],
  "one sequence on two devices": [
    create(1, { text: "Milk" }),
    patch(2, { text: "of the laptop" }, laptop),
    patch(2, { text: "of the phone" }, phone),
  ],
  "device ids by code unit": [
    create(1, { text: "" }),
    patch(2, { text: "in capitals" }, { deviceId: "Z" }),
    patch(2, { text: "small" }, { deviceId: "a" }),
  ],
  "a patch changes only what it names": [
    create(1, { text: "Milk", done: false }),
    patch(2, { text: "Eggs" }),
    patch(3, { text: "old", done: true }, { changedFields: ["done"] }),
  ],
  "two creates of one id": [
    create(1, { text: "Milk", color: "red" }, phone),
    create(5, { text: "Eggs" }, laptop),
  ],
  "two creates and a patch between them": [
    create(1, { text: "Milk" }, phone),
    patch(3, { done: true }, phone),
    create(5, { text: "Eggs" }, laptop),
  ],
  "a delete": [create(1, { text: "Milk" }), remove(2)],
  "a delete before the create came": [remove(2)],
  "a delete with metadata": [
    create(1, { text: "Milk" }, { metadata: { by: "ada", at: 1 } }),
    remove(2, { metadata: { by: "bob" } }),
  ],
  "a stale create revives nothing": [remove(3), create(1, { text: "Milk" })],
  "a create after a delete": [
    create(1, { text: "Milk", color: "red" }),
    remove(3),
    create(5, { text: "Eggs" }),
  ],
  "two creates after a delete": [
    create(1, { color: "red" }),
    remove(3),
    create(4, { text: "Milk", done: true }, phone),
    create(5, { text: "Eggs" }, laptop),
  ],
  "a restore with fewer fields": [
    create(1, { text: "Milk", color: "red" }),
    remove(2),
    restore(3, { text: "Milk" }),
  ],
  "a patch that did not know of the delete": [
    create(1, { text: "Milk" }),
    remove(2, laptop),
    patch(3, { text: "Eggs" }, phone),
  ],
  "a restore, and a patch of the deleted time": [
    create(1, { text: "Milk" }),
    remove(2, laptop),
    patch(3, { done: true }, phone),
    restore(4, { text: "Milk" }, laptop),
  ],
  "a delete of two devices": [create(1, { text: "" }), remove(2, laptop), remove(2, phone)],
  "two deletes and a create between them": [remove(2), create(3, { text: "Milk" }), remove(4)],
  "a field with a special name": [create(1, { ["__proto__"]: 1, constructor: 2, "": 3 })],
  "values of every type": [create(1, { a: null, b: [1, { c: "ü" }], d: 0.5, e: {} })],
  "metadata merges as payload does": [
    create(1, { text: "" }, { metadata: { by: "ada", pinned: false } }),
    patch(2, {}, { metadata: { pinned: true } }),
    patch(3, {}, { metadata: { by: "bob" } }),
  ],
  "one revision for two values": [create(1, { text: "a" }), create(1, { text: "b" })],
  "one revision for a create and a delete": [create(1, { text: "a" }), remove(1)],
};

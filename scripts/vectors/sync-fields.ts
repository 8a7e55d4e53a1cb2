/** Fields of collections: what counters, sets and orders add up to. */
import {
  compareOrder,
  counterValue,
  isOrderKey,
  partField,
  setElements,
} from "../../src/rules/sync/field-kinds.ts";
import type { VectorSource } from "./vector-file.ts";

type Fields = Readonly<Record<string, unknown>>;

interface FieldInput {
  readonly field: string;
  /** The visible payload of an entity. */
  readonly payload: Fields;
}

export function createCounterVectors(): VectorSource<FieldInput> {
  return {
    name: "sync-counter",
    description:
      "The value of a counter: docs/protocol/sync.md, Fields of a kind. `input.payload` is the visible payload of an entity.",
    inputs: COUNTERS,
    expect: ({ field, payload }) => ({ value: counterValue(field, payload) }),
    codes: [],
  };
}

export function createSetVectors(): VectorSource<FieldInput> {
  return {
    name: "sync-set",
    description:
      "The elements of a set: docs/protocol/sync.md, Fields of a kind. `input.payload` is the visible payload of an entity.",
    inputs: SETS,
    expect: ({ field, payload }) => ({ elements: setElements(field, payload) }),
    codes: [],
  };
}

interface OrderInput {
  readonly field: string;
  /** Visible payloads by the id of their entity. */
  readonly payloads: Readonly<Record<string, Fields>>;
}

export function createOrderVectors(): VectorSource<OrderInput> {
  return {
    name: "sync-order",
    description:
      "The order of entities: docs/protocol/sync.md, Fields of a kind. `input.payloads` are visible payloads by the short id of their entity; `expected` lists the ids in their order.",
    inputs: ORDERS,
    expect({ field, payloads }) {
      const entities = Object.entries(payloads).map(([id, { [field]: key }]) => ({
        id,
        key: isOrderKey(key) ? key : "",
      }));
      return { ids: entities.sort(compareOrder).map(({ id }) => id) };
    },
    codes: [],
  };
}

/** Fields by their devices or elements. */
function parts(field: string, values: Fields): Fields {
  return Object.fromEntries(
    Object.entries(values).map(([part, value]) => [partField(field, part), value]),
  );
}

function counter(values: Fields, others: Fields = {}): FieldInput {
  return { field: "spent", payload: { ...parts("spent", values), ...others } };
}

const COUNTERS: Record<string, FieldInput> = {
  "no field": counter({}),
  "one device": counter({ phone: 3 }),
  "two devices that added at the same time": counter({ phone: 1, laptop: 1 }),
  "a device that took away": counter({ phone: 5, laptop: -7 }),
  "fractions are added in the order of their names": counter({ c: 0.1, b: 0.2, a: 0.3 }),
  "a device id with every kind of character": counter({ "a.B_9~-": 2 }),
  "a number from before it was a counter": counter({ phone: 2 }, { spent: 40 }),
  "a text from before it was a counter": counter({ phone: 2 }, { spent: "40" }),
  "values that are no numbers": counter({ a: "1", b: null, c: true, d: [1], e: 7 }),
  "a number beyond the greatest integer": counter({ phone: 9_007_199_254_740_992, laptop: 1 }),
  "other fields": counter({ phone: 2 }, { spending: 9, "spent2/phone": 9, "unspent/phone": 9 }),
  "a name in another spelling": counter({ phone: 2 }, { "spent/%70hone": 9, "spent/a%2fb": 9 }),
};

function set(values: Fields, others: Fields = {}): FieldInput {
  return { field: "tags", payload: { ...parts("tags", values), ...others } };
}

const SETS: Record<string, FieldInput> = {
  "no field": set({}),
  "two elements, by code unit": set({ home: true, Garden: true }),
  "an element beyond the first plane": set({ "\u{1f3e0}": true, "\uff21": true }),
  "an element that was removed": set({ home: true, garden: null }),
  "a value other than true": set({ a: 1, b: "true", c: false, d: true }),
  "elements with characters that are escaped": set({
    "at home": true,
    "a/b": true,
    "50%": true,
    "": true,
  }),
  "a list from before it was a set": set({}, { tags: ["home", "garden", "home"] }),
  "that list, and changes since": set({ home: null, work: true }, { tags: ["home", "garden"] }),
  "a list with other values": set({}, { tags: ["home", 7, null, ["x"]] }),
  "a text from before it was a set": set({ home: true }, { tags: "garden" }),
  "other fields": set({ home: true }, { tag: true, "tagsy/x": true }),
  "a name in another spelling": set(
    { home: true },
    { "tags/%61": true, "tags/a%2fb": true, "tags/%C3": true },
  ),
};

function order(keys: Fields): OrderInput {
  const payloads = Object.entries(keys).map(
    ([id, key]) => [id, key === undefined ? {} : { position: key }] as const,
  );
  return { field: "position", payloads: Object.fromEntries(payloads) };
}

const ORDERS: Record<string, OrderInput> = {
  "keys by code unit": order({ a: "a1", b: "a0", c: "a0V", d: "Zz", e: "a0l" }),
  "integers of several digits": order({ a: "b00", b: "az", c: "aZ", d: "Yzz" }),
  "equal keys by id": order({ b: "a0", a: "a0", B: "a0" }),
  "entities without a key are last": order({ b: undefined, a: undefined, z: "a0" }),
  "keys that are none count as absent": order({
    a: "",
    b: "a",
    c: "a00",
    d: "b0",
    e: "0a",
    f: "a0-",
    g: 7,
    h: null,
    i: `A${"0".repeat(26)}`,
    z: "a0",
  }),
  "the least and the greatest key": order({
    a: `z${"z".repeat(26)}`,
    b: `A${"0".repeat(25)}1`,
    c: `A${"0".repeat(26)}V`,
  }),
};

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changeFields,
  evolveFields,
  findCircle,
  NO_FIELDS,
  type DatedFields,
  type Evolution,
  type Evolutions,
} from "./evolved-fields.ts";
import {
  toFieldsBeside,
  toOlderFields,
  toRestoredFields,
  toSettledFields,
} from "./evolved-writes.ts";

/** Shows what was read of what. */
const reads = (...from: readonly string[]): Evolution => ({ from, read: (older) => ({ older }) });

const evolutionsOf = (given: Record<string, Evolution>): Evolutions =>
  new Map(Object.entries(given));

/** Fields as `name: [value, sequence]`. */
function dated(given: Record<string, readonly [value: unknown, sequence: number]>): DatedFields {
  const entries = Object.entries(given);
  return {
    fields: Object.fromEntries(entries.map(([name, [value]]) => [name, value])),
    revisions: new Map(
      entries.map(([name, [, sequence]]) => [name, { sequence, deviceId: "a" }] as const),
    ),
  };
}

const showOf = (evolutions: Evolutions, held: DatedFields) =>
  Object.fromEntries([...evolveFields(evolutions, held)].map(([name, { kind }]) => [name, kind]));

test("the greater revision decides, and an equal one leaves the field its own value", () => {
  const evolutions = evolutionsOf({ cents: reads("amount") });
  for (const [own, older, kind] of [
    [2, 1, "own"],
    [1, 1, "own"],
    [1, 2, "read"],
  ] as const) {
    const held = dated({ cents: [5, own], amount: [1, older] });
    assert.deepEqual(showOf(evolutions, held), { cents: kind }, `${own} against ${older}`);
  }
  assert.deepEqual(showOf(evolutions, dated({ amount: [1, 1] })), { cents: "read" });
  assert.deepEqual(showOf(evolutions, { fields: { amount: 1, cents: 5 }, revisions: null }), {
    cents: "own",
  });
  assert.deepEqual(showOf(evolutions, dated({ other: [1, 1] })), {});
});

test("of several older fields the latest one decides, and one without a value is absent", () => {
  const evolutions = evolutionsOf({ name: reads("first", "last") });
  const held = dated({ first: ["Ada", 1], last: [null, 5], name: ["Ada King", 4] });
  assert.deepEqual(evolveFields(evolutions, held).get("name"), {
    kind: "read",
    value: { older: { first: "Ada" } },
    revision: { sequence: 5, deviceId: "a" },
  });
});

test("a chain is read from its beginning, and stops at the step that was written last", () => {
  const evolutions = evolutionsOf({ money: reads("cents"), cents: reads("amount") });
  const valueOf = (held: DatedFields) => {
    const shown = evolveFields(evolutions, held).get("money");
    return shown?.kind === "failed" ? shown.message : shown?.value;
  };
  const [amount, cents, money] = [
    ["a", 3],
    ["c", 2],
    ["m", 1],
  ] as const;
  assert.deepEqual(valueOf(dated({ amount, cents, money })), {
    older: { cents: { older: { amount: "a" } } },
  });
  assert.deepEqual(valueOf(dated({ amount: ["a", 1], cents, money })), { older: { cents: "c" } });
  assert.deepEqual(valueOf(dated({ amount: ["a", 1], cents, money: ["m", 2] })), "m");
});

test("what throws fails the field and those that read it, unless they were written later", () => {
  const broken: Evolution = {
    from: ["amount"],
    read() {
      throw new Error("no number");
    },
  };
  const evolutions = evolutionsOf({ money: reads("cents"), cents: broken });
  const held = dated({ amount: ["a", 3], money: ["m", 1] });
  assert.deepEqual(showOf(evolutions, held), { money: "failed", cents: "failed" });
  const mended = changeFields(held, { money: "new" });
  assert.deepEqual(showOf(evolutions, mended), { money: "own", cents: "failed" });
  assert.deepEqual(toRestoredFields(evolutions, held), { cents: undefined, money: undefined });
  assert.deepEqual(toSettledFields(evolutions, held), {});
});

test("an edit that is not stored yet is later than all that is", () => {
  const evolutions = evolutionsOf({ cents: reads("amount") });
  const held = dated({ cents: [5, 1], amount: [1, Number.MAX_SAFE_INTEGER - 1] });
  assert.deepEqual(showOf(evolutions, changeFields(held, { cents: 7 })), { cents: "own" });
  const own: DatedFields = { fields: { cents: 5, amount: 1 }, revisions: null };
  assert.deepEqual(showOf(evolutions, changeFields(own, { amount: 7 })), { cents: "read" });
  const made = changeFields(NO_FIELDS, { cents: 7, amount: 7 });
  assert.deepEqual(showOf(evolutions, made), { cents: "own" });
});

test("a write goes back through a chain, and other readers of what it writes keep what they showed", () => {
  const write = (value: unknown) => ({ name: `${String(value)} King` });
  const evolutions = evolutionsOf({
    first: { ...reads("name"), write },
    last: reads("name"),
    name: { ...reads("label"), write: (value) => ({ label: value }) },
  });
  assert.deepEqual(toOlderFields(evolutions, { first: "Ada", other: 1 }), {
    name: "Ada King",
    label: "Ada King",
  });
  assert.deepEqual(toOlderFields(evolutions, { first: null }), { name: null, label: null });
  const written = new Set(["first", "name", "label"]);
  assert.deepEqual(toFieldsBeside(evolutions, NO_FIELDS, written), { last: null });
  assert.deepEqual(toFieldsBeside(evolutions, dated({ last: ["King", 1] }), written), {
    last: "King",
  });
  assert.deepEqual(toFieldsBeside(evolutions, dated({ last: ["King", 1] }), new Set(["x"])), {});
});

test("a value that was removed is settled as removed, or it would come back without evolve", () => {
  const evolutions = evolutionsOf({ payee: { from: ["who"], read: ({ who }) => who } });
  const removed = dated({ payee: ["Ada", 1], who: [null, 2] });
  assert.deepEqual(toSettledFields(evolutions, removed), { payee: null });
  assert.deepEqual(toSettledFields(evolutions, dated({ who: [null, 2] })), {});
  assert.deepEqual(toSettledFields(evolutions, dated({ payee: ["Ada", 3], who: ["Bob", 2] })), {});
});

test("circles are found, and shapes that share a step are none", () => {
  assert.equal(
    findCircle(evolutionsOf({ a: reads("c"), b: reads("c", "a"), c: reads("d") })),
    null,
  );
  assert.deepEqual(findCircle(evolutionsOf({ a: reads("b"), b: reads("a") })), ["a", "b", "a"]);
});

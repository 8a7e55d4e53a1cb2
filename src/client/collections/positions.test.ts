import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareOrder } from "../../rules/sync/field-kinds.ts";
import { placeAt, type Position } from "./positions.ts";

test("an entity stands where it was placed, also between equal keys and behind those without one", () => {
  const keys = fc.constantFrom("", "", "a0", "a1", "a1", "a1", "a2", "Zz");
  const others = fc
    .array(keys, { maxLength: 8 })
    .map((list) =>
      list.map((key, index): Position => ({ id: `o${index}`, key })).sort(compareOrder),
    );
  fc.assert(
    fc.property(others, fc.nat(8), (sorted, given) => {
      const index = Math.min(given, sorted.length);
      const [own, ...moved] = placeAt(sorted, index, "new");
      assert.equal(own?.id, "new");
      const keyById = new Map([...sorted, ...moved, own].map((one) => [one.id, one.key]));
      const after = [...keyById].map(([id, key]) => ({ id, key })).sort(compareOrder);
      const expected = sorted.map(({ id }) => id).toSpliced(index, 0, "new");
      assert.deepEqual(
        after.map(({ id }) => id),
        expected,
      );
    }),
  );
});

test("a place between different keys changes no other entity", () => {
  const others = ["a0", "a1", "a2"].map((key, index) => ({ id: String(index), key }));
  for (let index = 0; index <= 3; index++) assert.equal(placeAt(others, index, "new").length, 1);
});

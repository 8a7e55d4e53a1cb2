import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { generateKeyBetween } from "fractional-indexing";
import {
  compareOrder,
  counterValue,
  isOrderKey,
  parsePart,
  partField,
  setElements,
} from "./field-kinds.ts";

const text = fc.string({ unit: "grapheme" });

test("the field of a part names it in one spelling", () => {
  assert.equal(partField("tags", "at home/50%"), "tags/at%20home%2F50%25");
  assert.equal(parsePart("tags", "tags/at%20home%2F50%25"), "at home/50%");
  assert.equal(parsePart("tags", partField("tags", "")), "");
  for (const name of [
    "tags",
    "tag/a",
    "tags/a b",
    "tags/%61",
    "tags/%2f",
    "tags/%E4",
    "tags/a/b",
  ]) {
    assert.equal(parsePart("tags", name), null, name);
  }
  fc.assert(
    fc.property(text, text, (field, part) => {
      assert.equal(parsePart(field, partField(field, part)), part);
    }),
  );
});

test("a counter is the sum of what each device counted, whatever the order of the fields", () => {
  assert.equal(counterValue("spent", { "spent/phone": 5, "spent/tablet": -2, "spend/x": 9 }), 3);
  // From before the field was a counter.
  assert.equal(counterValue("spent", { spent: 10, "spent/phone": 1 }), 11);
  const broken = { spent: "10", "spent/a": null, "spent/b": "1", "spent/c": 1e300, "spent/d": 2 };
  assert.equal(counterValue("spent", broken), 2);
  const counts = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), fc.double({ noNaN: true }));
  fc.assert(
    fc.property(counts, (byDevice) => {
      const parts = Object.entries(byDevice).map(([d, n]) => [partField("spent", d), n] as const);
      const value = counterValue("spent", Object.fromEntries(parts));
      assert.ok(Number.isFinite(value));
      assert.equal(counterValue("spent", Object.fromEntries(parts.toReversed())), value);
    }),
  );
});

test("a set has the elements whose field is true, sorted", () => {
  const fields = {
    "tags/b": true,
    "tags/a": true,
    "tags/gone": null,
    "tags/bad": 1,
    "tags/%62x": true,
  };
  assert.deepEqual(setElements("tags", fields), ["a", "b"]);
  // From before the field was a set.
  const plain = { tags: ["old", "gone", "old", 5], "tags/gone": null, "tags/new": true };
  assert.deepEqual(setElements("tags", plain), ["new", "old"]);
  fc.assert(
    fc.property(fc.uniqueArray(text), (elements) => {
      const parts = elements.map((element) => [partField("tags", element), true]);
      const shown = setElements("tags", Object.fromEntries(parts) as Record<string, unknown>);
      assert.deepEqual(shown, elements.toSorted());
    }),
  );
});

test("an order key is what the library makes and takes", () => {
  for (const key of [
    "a0",
    "a1",
    "Zz",
    "b00",
    "a0V",
    "z" + "z".repeat(26),
    "a0" + "0".repeat(9) + "1",
  ]) {
    assert.ok(isOrderKey(key), key);
  }
  const least = `A${"0".repeat(26)}`;
  for (const key of ["", "a", "b0", "a00", "a0V0", "0a", "a-", "ä0", 5, null, least]) {
    assert.equal(isOrderKey(key), false, String(key));
  }
  // Any walk of insertions has valid keys, in the order of their code units.
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 60 }), (places) => {
      const keys: string[] = [];
      for (const place of places) {
        const index = place % (keys.length + 1);
        keys.splice(index, 0, generateKeyBetween(keys[index - 1], keys[index]));
      }
      assert.ok(keys.every(isOrderKey));
      assert.deepEqual(keys, keys.toSorted());
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Ca-cZz][0-9a-bA-B]{1,5}$/), (key) => {
      const isTaken = (() => {
        try {
          return generateKeyBetween(key, null) > key;
        } catch {
          return false;
        }
      })();
      assert.equal(isOrderKey(key), isTaken, key);
    }),
  );
});

test("an order goes by key, then by id, and entities without a key are last", () => {
  const positions = [
    { id: "e", key: "" },
    { id: "d", key: "a1" },
    { id: "b", key: "a0" },
    { id: "c", key: "" },
    { id: "a", key: "a1" },
  ];
  const ids = positions.toSorted(compareOrder).map(({ id }) => id);
  assert.deepEqual(ids, ["b", "a", "d", "c", "e"]);
});

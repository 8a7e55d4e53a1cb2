import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSortedList } from "./sorted-list.ts";

const compare = (one: number, other: number) => one - other;

test("any changes give the sorted array of what is left, and leave given arrays as they were", () => {
  const numbers = fc.uniqueArray(fc.nat(200), { maxLength: 60 });
  fc.assert(
    fc.property(fc.array(numbers, { maxLength: 8 }), (steps) => {
      const list = createSortedList(compare);
      const expected = new Set<number>();
      const given: [readonly number[], number[]][] = [];
      for (const step of steps) {
        // Those that are there go, the others come.
        const removed = step.filter((one) => expected.has(one));
        const added = step.filter((one) => !expected.has(one));
        list.change(removed, added);
        for (const one of removed) expected.delete(one);
        for (const one of added) expected.add(one);
        given.push([list.items(), [...expected].sort(compare)]);
      }
      for (const [items, copy] of given) assert.deepEqual(items, copy);
    }),
  );
});

test("the array is the same until something changes, and a slice has its bounds", () => {
  const list = createSortedList(compare);
  list.change([], [5, 1, 3, 9, 7]);
  const items = list.items();
  list.change([], []);
  assert.equal(list.items(), items);
  const slice = (from: number, to: number, limit: number) =>
    list.slice(
      (one) => one >= from,
      (one) => one > to,
      limit,
    );
  assert.deepEqual(slice(2, 7, 10), [3, 5, 7]);
  assert.deepEqual(slice(2, 7, 2), [3, 5]);
  assert.deepEqual(slice(8, 2, 10), []);
});

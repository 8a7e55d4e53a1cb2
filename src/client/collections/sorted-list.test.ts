import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSortedList } from "./sorted-list.ts";

const compare = (one: number, other: number) => one - other;

test("any changes give the sorted array of what is left, and leave given arrays as they were", () => {
  const change = fc.tuple(fc.nat(200), fc.option(fc.nat(9), { nil: undefined }));
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 90 }), { maxLength: 8 }), (steps) => {
      const list = createSortedList<{ id: number; value: number }>(
        (one, other) => one.value - other.value || one.id - other.id,
      );
      const current = new Map<number, { id: number; value: number }>();
      const given: [readonly unknown[], unknown[]][] = [];
      for (const step of steps) {
        const next = new Map(step);
        const removed = [...next.keys()].flatMap((id) => current.get(id) ?? []);
        const added = [...next].flatMap(([id, value]) =>
          value === undefined ? [] : [{ id, value }],
        );
        list.change(removed, added);
        for (const { id } of removed) current.delete(id);
        for (const item of added) current.set(item.id, item);
        const sorted = [...current.values()].sort((a, b) => a.value - b.value || a.id - b.id);
        given.push([list.items(), sorted]);
      }
      for (const [items, copy] of given) {
        assert.equal(items.length, copy.length);
        assert.ok(items.every((item, index) => item === copy[index]));
      }
    }),
  );
});

test("the array is the same until something changes", () => {
  const list = createSortedList(compare);
  list.change([], [5, 1, 3, 9, 7]);
  const items = list.items();
  list.change([], []);
  assert.equal(list.items(), items);
  assert.deepEqual(list.current(), [1, 3, 5, 7, 9]);
});

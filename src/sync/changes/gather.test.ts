import assert from "node:assert/strict";
import { test } from "node:test";
import { gather } from "./gather.ts";

test("what comes within the time is done together, and each gets its own result", async () => {
  const groups: (readonly number[])[] = [];
  const double = gather(async (numbers: readonly number[]) => {
    groups.push(numbers);
    return numbers.map((number) => number * 2);
  }, 5);
  assert.deepEqual(await Promise.all([double(1), double(2), double(3)]), [2, 4, 6]);
  assert.equal(await double(4), 8);
  assert.deepEqual(groups, [[1, 2, 3], [4]]);
});

test("a failure is that of all in its group, and of no other", async () => {
  let isBroken = true;
  const same = gather(async (numbers: readonly number[]) => {
    if (isBroken) throw new Error("broken");
    return numbers;
  }, 5);
  const results = await Promise.allSettled([same(1), same(2)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  isBroken = false;
  assert.equal(await same(3), 3);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createSemaphore } from "./gate.ts";

test("so many are inside at a time, in the order in which they came", async () => {
  const gate = createSemaphore(2);
  const begun: number[] = [];
  let inside = 0;
  const work = (index: number) => async () => {
    begun.push(index);
    assert.ok(++inside <= 2);
    await nextTurn();
    inside--;
    return index;
  };
  const results = await Promise.all([0, 1, 2, 3, 4].map((index) => gate(work(index))));
  assert.deepEqual(results, [0, 1, 2, 3, 4]);
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
});

test("whoever fails leaves the place to the next", async () => {
  const gate = createSemaphore(1);
  const failing = gate(() => Promise.reject(new Error("no")));
  const next = gate(() => Promise.resolve("in"));
  await assert.rejects(failing, /no/);
  assert.equal(await next, "in");
  assert.equal(await gate(() => Promise.resolve("again")), "again");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createSemaphore } from "./semaphore.ts";

test("at most so many run at a time, in order", async () => {
  const run = createSemaphore(2);
  const begun: number[] = [];
  let running = 0;
  const work = (index: number) => async () => {
    begun.push(index);
    assert.ok(++running <= 2);
    await nextTurn();
    running--;
    return index;
  };
  const results = await Promise.all([0, 1, 2, 3, 4].map((index) => run(work(index))));
  assert.deepEqual(results, [0, 1, 2, 3, 4]);
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
});

test("a failure releases its permit", async () => {
  const run = createSemaphore(1);
  const failing = run(() => Promise.reject(new Error("no")));
  const next = run(() => Promise.resolve("in"));
  await assert.rejects(failing, /no/);
  assert.equal(await next, "in");
  assert.equal(await run(() => Promise.resolve("again")), "again");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { takeTurn } from "./take-turn.ts";

test("each turn of the event loop has one piece of work, in the order in which they came", async () => {
  const ran: number[] = [];
  const seen: number[] = [];
  const all = Promise.all([1, 2, 3].map((piece) => takeTurn().then(() => ran.push(piece))));
  while (ran.length < 3) {
    await nextTurn();
    seen.push(ran.length);
  }
  await all;
  assert.deepEqual(ran, [1, 2, 3]);
  assert.deepEqual(seen, [1, 2, 3]);
});

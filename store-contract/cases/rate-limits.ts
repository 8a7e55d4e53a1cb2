import assert from "node:assert/strict";
import { NOW } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

export const RATE_LIMIT_CASES: StoreCases = {
  "requests are counted up to the limit, by subject and window": async ({ store }) => {
    const take = (subject: string, start: number) =>
      store.transaction(({ rateLimitCounters }) =>
        rateLimitCounters.take(subject, { start, end: start + 60_000 }, 4, 10),
      );
    const taken = [];
    for (let count = 0; count < 4; count++) taken.push(await take("one", NOW));
    assert.deepEqual(taken, [4, 4, 2, 0]);
    assert.equal(await take("two", NOW), 4);
    assert.equal(await take("one", NOW + 60_000), 4);
  },
  "pruning removes counters of windows that are over, and no other": async ({ store }) => {
    const take = (subject: string, end: number) =>
      store.transaction(({ rateLimitCounters }) =>
        rateLimitCounters.take(subject, { start: NOW, end }, 4, 4),
      );
    const over = () => take("over", NOW + 5);
    const running = () => take("running", NOW + 6);
    assert.deepEqual([await over(), await running()], [4, 4]);
    await store.prune(NOW + 4);
    assert.deepEqual([await over(), await running()], [0, 0]);
    await store.prune(NOW + 5);
    assert.deepEqual([await over(), await running()], [4, 0]);
  },
};

import assert from "node:assert/strict";
import { NOW } from "../samples.ts";
import type { StoreCase } from "../store-case.ts";

export const RATE_LIMIT_CASES: readonly StoreCase[] = [
  {
    name: "requests are counted up to the limit, by subject and window",
    async run({ store }) {
      const take = (subject: string, windowStart: number) =>
        store.transaction(({ rateLimitCounters }) =>
          rateLimitCounters.take(subject, windowStart, 4, 10),
        );
      const taken = [];
      for (let count = 0; count < 4; count++) taken.push(await take("one", NOW));
      assert.deepEqual(taken, [4, 4, 2, 0]);
      assert.equal(await take("two", NOW), 4);
      assert.equal(await take("one", NOW + 60_000), 4);
    },
  },
];

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  FETCH_INTERVAL_MS,
  MANUAL_INTERVAL_MS,
  MAX_FETCH_DELAY_MS,
  nextFetchAfterFailure,
  nextFetchAfterSuccess,
  nextManualFetch,
} from "./schedule.ts";

const NOW = 1_800_000_000_000;
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test("a feed is fetched again after an hour and a jitter", () => {
  assert.equal(nextFetchAfterSuccess(NOW, 0), NOW + FETCH_INTERVAL_MS);
  assert.equal(nextFetchAfterSuccess(NOW, 0.5), NOW + 1.125 * FETCH_INTERVAL_MS);
});

test("a feed that fails is fetched less and less often, down to once a day", () => {
  const hours = [1, 2, 3, 4, 5, 6, 50, 1e6].map(
    (failures) => (nextFetchAfterFailure(NOW, failures, null, 0) - NOW) / FETCH_INTERVAL_MS,
  );
  assert.deepEqual(hours, [1, 2, 4, 8, 16, 24, 24, 24]);
});

test("the Retry-After of a server counts, up to a day", () => {
  const wait = (retryAfterMs: number) => nextFetchAfterFailure(NOW, 1, retryAfterMs, 0) - NOW;
  assert.equal(wait(1000), FETCH_INTERVAL_MS);
  assert.equal(wait(3 * FETCH_INTERVAL_MS), 3 * FETCH_INTERVAL_MS);
  assert.equal(wait(Number.MAX_SAFE_INTEGER), MAX_FETCH_DELAY_MS);
});

test("the next fetch is from an hour to thirty hours away", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e9 }),
      fc.option(fc.integer({ min: 0, max: 1e13 })),
      random,
      (failures, retryAfterMs, random) => {
        const delay = nextFetchAfterFailure(NOW, failures, retryAfterMs, random) - NOW;
        assert.ok(Number.isInteger(delay));
        assert.ok(delay >= FETCH_INTERVAL_MS && delay <= 1.25 * MAX_FETCH_DELAY_MS);
      },
    ),
  );
});

test("manual fetches are a minute apart", () => {
  assert.equal(nextManualFetch(null, NOW), NOW);
  assert.equal(nextManualFetch(NOW - 10_000, NOW), NOW - 10_000 + MANUAL_INTERVAL_MS);
  assert.equal(nextManualFetch(NOW - MANUAL_INTERVAL_MS, NOW), NOW);
  assert.equal(nextManualFetch(NOW + 1_000_000, NOW), NOW);
});

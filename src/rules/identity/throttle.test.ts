import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  FORGET_FAILURES_MS,
  FREE_FAILURES,
  isDelayed,
  MAX_DELAY_MS,
  recordFailure,
  waitingTime,
  type FailureRecord,
} from "./throttle.ts";

test("four failures are free, then each wait is twice the one before, up to five minutes", () => {
  let record: FailureRecord | null = null;
  const waits: number[] = [];
  for (let now = 0, failure = 1; failure <= 12; failure++) {
    record = recordFailure(record, now);
    waits.push(waitingTime(record, now) / 1000);
    now = record.blockedUntil;
  }
  assert.deepEqual(waits, [0, 0, 0, 0, 15, 30, 60, 120, 240, 300, 300, 300]);
});

test("failures are followed by delays from the first that is not free", () => {
  assert.equal(isDelayed(null, 0), false);
  const record = (failures: number) => ({ failures, lastFailureAt: 0, blockedUntil: 0 });
  assert.equal(isDelayed(record(FREE_FAILURES - 1), 1), false);
  assert.equal(isDelayed(record(FREE_FAILURES), 1), true);
});

test("waits never shrink while failures follow one another, and end exactly when announced", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 3_600_000 }), { maxLength: 60 }), (pauses) => {
      let now = 1_700_000_000_000;
      let record: FailureRecord | null = null;
      let longest = 0;
      for (const pause of pauses) {
        now = Math.max(now + pause, record?.blockedUntil ?? 0);
        record = recordFailure(record, now);
        const wait = waitingTime(record, now);
        assert.ok(wait >= longest && wait <= MAX_DELAY_MS);
        assert.equal(waitingTime(record, now + wait), 0);
        if (wait > 0) assert.equal(waitingTime(record, now + wait - 1), 1);
        longest = wait;
      }
    }),
  );
});

test("a day later failures no longer count", () => {
  const record = { failures: 40, lastFailureAt: 0, blockedUntil: MAX_DELAY_MS };
  assert.equal(recordFailure(record, FORGET_FAILURES_MS - 1).failures, 41);
  assert.equal(recordFailure(record, FORGET_FAILURES_MS).failures, 1);
});

test("a clock that was set back by a day does not block for a day", () => {
  const record = { failures: 9, lastFailureAt: FORGET_FAILURES_MS, blockedUntil: 1e12 };
  assert.equal(waitingTime(record, 0), 0);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isBackupDue, isRetryDue, nextBackupAt, periodStart } from "./due-times.ts";

const at = (text: string) => Date.parse(text);
const DAILY = { every: "day" } as const;

test("periods begin with the hour, the day and the Monday of UTC", () => {
  const now = at("2026-01-29T13:14:15Z");
  assert.equal(periodStart("hour", now), at("2026-01-29T13:00:00Z"));
  assert.equal(periodStart("day", now), at("2026-01-29T00:00:00Z"));
  assert.equal(periodStart("week", now), at("2026-01-26T00:00:00Z"));
  assert.equal(periodStart("week", at("2026-01-26T00:00:00Z") - 1), at("2026-01-19T00:00:00Z"));
});

test("a backup is due once in each period, and at once when periods were missed", () => {
  const now = at("2026-01-29T00:00:05Z");
  assert.equal(isBackupDue(DAILY, null, now), true);
  assert.equal(isBackupDue(DAILY, at("2026-01-28T23:59:59Z"), now), true);
  assert.equal(isBackupDue(DAILY, at("2026-01-02T00:00:00Z"), now), true);
  assert.equal(isBackupDue(DAILY, at("2026-01-29T00:00:00Z"), now), false);
  assert.equal(isBackupDue({ every: "hour" }, at("2026-01-29T00:00:00Z"), now + 3_600_000), true);
});

test("an offset moves the moment in each period", () => {
  const times = { every: "day", offsetMs: 6 * 3_600_000 } as const;
  const last = at("2026-01-28T06:00:10Z");
  assert.equal(isBackupDue(times, last, at("2026-01-29T05:59:59Z")), false);
  assert.equal(isBackupDue(times, last, at("2026-01-29T06:00:00Z")), true);
});

test("a schedule is looked at again when its next backup or its next attempt is due", () => {
  const times = { every: "day", offsetMs: 6 * 3_600_000 } as const;
  const now = at("2026-01-29T07:00:00Z");
  const record = (createdAt: string) => ({
    createdAt,
    verifiedAt: createdAt,
    place: "",
    bytes: 0,
    sha256: null,
    facts: {},
  });
  const nextAt = (scheduled: string | null, failedAt: string | null) =>
    nextBackupAt(
      times,
      {
        scheduled: scheduled === null ? null : record(scheduled),
        failure:
          failedAt === null
            ? null
            : { since: failedAt, lastAt: failedAt, attempts: 2, message: "" },
      },
      now,
    );
  assert.equal(nextAt(null, null), now);
  assert.equal(nextAt("2026-01-29T06:10:00.000Z", null), at("2026-01-30T06:00:00Z"));
  assert.equal(nextAt("2026-01-28T06:10:00.000Z", null), now);
  assert.equal(
    nextAt("2026-01-28T06:10:00.000Z", "2026-01-29T06:59:00.000Z"),
    at("2026-01-29T07:01:00Z"),
  );
  assert.equal(nextAt(null, "2027-01-01T00:00:00.000Z"), now + 3_600_000);
});

test("a backup from the future counts when clocks differ a little, and not when one was wrong", () => {
  const now = at("2026-01-29T00:00:00Z");
  assert.equal(isBackupDue(DAILY, now + 2000, now), false);
  assert.equal(isBackupDue(DAILY, at("2027-01-01T00:00:00Z"), now), true);
});

test("a failure is tried again after one minute, twice as long each time, at most an hour", () => {
  const lastAt = "2026-01-29T00:00:00.000Z";
  const pauseOf = (attempts: number) => {
    const failure = { since: lastAt, lastAt, attempts, message: "" };
    for (let minutes = 1; ; minutes++) {
      const now = Date.parse(lastAt) + minutes * 60_000;
      if (!isRetryDue(failure, now)) continue;
      assert.equal(isRetryDue(failure, now - 1), false);
      return minutes;
    }
  };
  assert.deepEqual([1, 2, 3, 6, 7, 1000].map(pauseOf), [1, 2, 4, 32, 60, 60]);
  const fromTheFuture = { since: lastAt, lastAt, attempts: 9, message: "" };
  assert.equal(isRetryDue(fromTheFuture, at("2025-01-01T00:00:00Z")), true);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS } from "../../contract/durations.ts";
import { chooseKept } from "./choose-kept.ts";

const KEEP = { daily: 7, weekly: 5, monthly: 12 };
const START = Date.parse("2024-02-20T00:00:00Z");

const times = fc.array(fc.integer({ min: 0, max: 900 * 24 }), { minLength: 1, maxLength: 80 });
const rules = fc.record({
  daily: fc.integer({ min: 0, max: 9 }),
  weekly: fc.integer({ min: 0, max: 9 }),
  monthly: fc.integer({ min: 0, max: 14 }),
});
const toBackups = (hours: readonly number[]) =>
  [...new Set(hours)].map((hour) => ({ createdAt: START + hour * 3_600_000 }));
const newestOf = (backups: readonly { readonly createdAt: number }[]) =>
  Math.max(...backups.map(({ createdAt }) => createdAt));
const days = (backups: Iterable<{ readonly createdAt: number }>) =>
  new Set([...backups].map(({ createdAt }) => new Date(createdAt).toISOString().slice(0, 10)));
const months = (backups: Iterable<{ readonly createdAt: number }>) =>
  new Set([...days(backups)].map((day) => day.slice(0, 7)));

test("the newest backup is kept, whatever the rules and the clock", () => {
  fc.assert(
    fc.property(times, rules, fc.integer({ min: -500, max: 1500 }), (hours, keep, day) => {
      const backups = toBackups(hours);
      const kept = chooseKept(backups, keep, START + day * DAY_MS);
      assert.ok([...kept].some(({ createdAt }) => createdAt === newestOf(backups)));
    }),
  );
});

test("the newest backup is kept when it is old and the rules keep none", () => {
  const old = { createdAt: START };
  const older = { createdAt: START - DAY_MS };
  const none = { daily: 0, weekly: 0, monthly: 0 };
  assert.deepEqual(chooseKept([older, old], none, START + 10 * DAY_MS), new Set([old]));
});

test("a backup of this moment is kept, also when the clock was set back behind others", () => {
  fc.assert(
    fc.property(times, rules, fc.integer({ min: -500, max: 1500 }), (hours, keep, day) => {
      const made = { createdAt: START + day * DAY_MS };
      assert.ok(chooseKept([...toBackups(hours), made], keep, made.createdAt).has(made));
    }),
  );
});

test("as many days and months as the rules name have a backup, and not many more are kept", () => {
  fc.assert(
    fc.property(times, rules, (hours, keep) => {
      const backups = toBackups(hours);
      const now = newestOf(backups);
      const kept = [...chooseKept(backups, keep, now)];
      const newestFirst = [...days(backups)].sort().toReversed();
      for (const day of newestFirst.slice(0, keep.daily)) assert.ok(days(kept).has(day), day);
      assert.ok(months(kept).size >= Math.min(keep.monthly, months(backups).size));
      const old = kept.filter(({ createdAt }) => createdAt <= now - DAY_MS);
      assert.ok(old.length <= keep.daily + keep.weekly + keep.monthly);
    }),
  );
});

test("what is kept is kept again: pruning twice deletes no more", () => {
  fc.assert(
    fc.property(times, rules, (hours, keep) => {
      const backups = toBackups(hours);
      const kept = chooseKept(backups, keep, newestOf(backups));
      assert.deepEqual(chooseKept([...kept], keep, newestOf(backups)), kept);
    }),
  );
});

test("pruned after each backup for three years, a week of days, five weeks and a year of months remain", () => {
  let backups: readonly { readonly createdAt: number }[] = [];
  for (let day = 0; day < 3 * 365; day++) {
    const now = START + day * DAY_MS;
    backups = [...chooseKept(backups.concat({ createdAt: now }), KEEP, now)];
  }
  const kept = [...days(backups)].sort();
  assert.deepEqual(kept.slice(-7), [
    "2027-02-12",
    "2027-02-13",
    "2027-02-14",
    "2027-02-15",
    "2027-02-16",
    "2027-02-17",
    "2027-02-18",
  ]);
  // Sundays end the weeks, and the last day ends a month.
  for (const sunday of ["2027-01-24", "2027-01-31", "2027-02-07"]) assert.ok(kept.includes(sunday));
  for (const last of ["2026-03-31", "2026-06-30", "2026-12-31"]) assert.ok(kept.includes(last));
  assert.equal(months(backups).size, 12);
  assert.ok(!kept.some((day) => day < "2026-03-31"));
});

test("backups of a clock that was ahead are kept, and take the place of no other", () => {
  const dates = (from: number) =>
    Array.from({ length: 10 }, (_, day) => ({ createdAt: from + day * DAY_MS }));
  const past = dates(START);
  const ahead = dates(START + 3650 * DAY_MS);
  const rules = { daily: 7, weekly: 0, monthly: 0 };
  const now = START + 9 * DAY_MS;
  assert.deepEqual(
    chooseKept([...past, ...ahead], rules, now),
    new Set([...ahead.toReversed(), ...past.toReversed().slice(0, 7)]),
  );
});

test("days are those of UTC, and a backup of the last 24 hours is never deleted", () => {
  const at = (text: string) => ({ createdAt: Date.parse(text) });
  const backups = [
    at("2026-01-29T10:00:00Z"),
    at("2026-01-29T23:59:59Z"),
    at("2026-01-30T00:00:00Z"),
    at("2026-01-30T12:00:01Z"),
    at("2026-01-31T00:00:00Z"),
    at("2026-01-31T12:00:00Z"),
  ];
  const keep = { daily: 3, weekly: 0, monthly: 0 };
  const kept = chooseKept(backups, keep, Date.parse("2026-01-31T12:00:00Z"));
  assert.deepEqual(
    backups.filter((backup) => !kept.has(backup)),
    [backups[0], backups[2]],
  );
});

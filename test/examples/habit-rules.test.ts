/** What the example app makes of habits and entries: due days, skipped ones, weeks, streaks and rates. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { formatSize } from "../../examples/habits/src/format-size.ts";
import type { Habit, HabitData } from "../../examples/habits/src/habit.ts";
import type { StoredEntity } from "../../src/client/index.ts";
import {
  bundleHabitRules,
  dataOf as openData,
  ENTRY,
  entriesOf,
  HABIT,
  type HabitRules,
} from "../fixtures/habit-rules.ts";

/** A Wednesday. */
const TODAY = "2026-03-04";

let rules: HabitRules;
before(async () => {
  rules = await bundleHabitRules();
});

const dataOf = (stored: readonly StoredEntity[]) => openData(rules, stored);
const entries = (counts: Readonly<Record<string, number>>) => dataOf(entriesOf(counts));

const done = (...days: readonly string[]) =>
  entries(Object.fromEntries(days.map((day) => [day, 1])));

test("a streak counts done days without a gap, and today may be open yet", () => {
  const { streakOf } = rules;
  assert.equal(streakOf(done(), HABIT, TODAY), 0);
  assert.equal(streakOf(done("2026-03-03", "2026-03-02"), HABIT, TODAY), 2);
  assert.equal(streakOf(done(TODAY, "2026-03-03"), HABIT, TODAY), 2);
  assert.equal(streakOf(done(TODAY, "2026-03-02"), HABIT, TODAY), 1);
  assert.equal(streakOf(done("2026-03-02"), HABIT, TODAY), 0);
});

test("a day counts when its goal is reached", () => {
  const habit = { ...HABIT, targetCount: 3 };
  const counts = entries({ "2026-03-03": 3, "2026-03-02": 2, [TODAY]: 4 });
  assert.equal(rules.streakOf(counts, habit, TODAY), 2);
  assert.deepEqual(rules.doneDays(counts, habit), ["2026-03-03", TODAY]);
});

test("a habit whose id another app made of any text has its entries", () => {
  const { source: _, ...payload } = { ...HABIT, id: "planner:1" };
  const entry = { ...ENTRY, habitId: "planner:1", date: TODAY, count: 1 };
  const data = dataOf([
    { entityId: "habit/planner%3A1", payload, metadata: {} },
    { entityId: `entry/planner%3A1/${TODAY}`, payload: entry, metadata: {} },
  ]);
  const [habit = HABIT] = rules.listHabits(data);
  assert.equal(rules.countOn(data, habit, TODAY), 1);
  assert.deepEqual(rules.doneDays(data, habit), [TODAY]);
});

test("days that are not planned break no streak", () => {
  const habit: Habit = { ...HABIT, frequency: "custom", customDays: [1, 3] };
  assert.equal(rules.streakOf(done("2026-03-02", "2026-02-25", "2026-02-23"), habit, TODAY), 3);
  assert.equal(rules.streakOf(done("2026-03-02", "2026-02-23"), habit, TODAY), 1);
  assert.ok(rules.isForToday(done(), habit, TODAY));
  assert.ok(!rules.isForToday(done(), habit, "2026-03-05"));
});

test("a weekly habit counts weeks, from Monday to Sunday", () => {
  const habit: Habit = { ...HABIT, frequency: "weekly", targetCount: 2 };
  const lastWeek = ["2026-02-23", "2026-03-01"];
  assert.equal(rules.streakOf(done(...lastWeek), habit, TODAY), 1);
  assert.equal(rules.streakOf(done(...lastWeek, "2026-03-02", TODAY), habit, TODAY), 2);
  assert.equal(rules.daysDoneInWeek(done(...lastWeek, TODAY), habit, TODAY), 1);
  assert.ok(rules.isFinishedToday(done("2026-03-02", "2026-03-03"), habit, TODAY));
});

test("an imported task stays among today's until it is done, and is gone the day after", () => {
  const source = { eventId: "e1", occursOn: "2026-03-01", serviceName: "Planner" };
  const habit: Habit = { ...HABIT, frequency: "custom", customDays: [7], source };
  assert.ok(rules.isForToday(done(), habit, TODAY));
  assert.ok(rules.isForToday(done(TODAY), habit, TODAY));
  assert.ok(!rules.isForToday(done("2026-03-03"), habit, TODAY));
});

/** Marks of days that were done, and of days that do not count. */
const marks = (done: readonly string[], skipped: readonly string[] = []) => ({
  done: new Set(done),
  skipped: new Set(skipped),
});
const skip = (date: string, count = 0) => ({
  entityId: `entry/walk/${date}`,
  payload: { ...ENTRY, completed: false, date, count, skipped: true },
  metadata: {},
});

test("a skipped day breaks no streak, and one that was done after all counts", () => {
  const done = entriesOf({ "2026-03-03": 1, "2026-03-01": 1 });
  assert.equal(rules.streakOf(dataOf(done), HABIT, TODAY), 1);
  const data = dataOf([...done, skip("2026-03-02"), skip("2026-02-28", 1)]);
  assert.equal(rules.streakOf(data, HABIT, TODAY), 3);
  assert.ok(rules.isSkippedOn(data, HABIT, "2026-03-02"));
  assert.ok(!rules.isSkippedOn(data, HABIT, "2026-02-28"));
  assert.deepEqual([...rules.marksOf(data, HABIT).skipped], ["2026-03-02"]);
});

test("a rate is of the planned days since the habit was made, without today and skipped ones", () => {
  const { rateOf } = rules;
  const habit = { ...HABIT, createdAt: "2026-02-28T12:00:00" };
  const rate = (...given: Parameters<typeof marks>) =>
    rateOf(habit, marks(...given), "2026-01-01", "2026-12-31", TODAY);
  assert.deepEqual(rate([]), { done: 0, due: 4 });
  assert.deepEqual(rate(["2026-03-01", TODAY]), { done: 2, due: 5 });
  assert.deepEqual(rate(["2026-03-01"], ["2026-03-02", "2026-03-03"]), { done: 1, due: 2 });
  // It was done before this app knew of it.
  assert.deepEqual(rate(["2026-02-26"]), { done: 1, due: 6 });
  const mondays: Habit = { ...habit, frequency: "custom", customDays: [1] };
  const onMondays = rateOf(mondays, marks(["2026-03-01"]), "2026-01-01", TODAY, TODAY);
  assert.deepEqual(onMondays, { done: 0, due: 1 });
  const broken = { ...HABIT, createdAt: "x" };
  assert.deepEqual(rateOf(broken, marks([]), "2026-01-01", TODAY, TODAY), { done: 0, due: 0 });
});

test("a weekly habit is due as often as its weeks have days that count", () => {
  const habit: Habit = {
    ...HABIT,
    frequency: "weekly",
    targetCount: 3,
    createdAt: "2026-02-20T12:00:00",
  };
  const done = ["2026-02-21", "2026-02-23", "2026-02-24", "2026-02-25", "2026-02-26", TODAY];
  const rate = (skipped: readonly string[], from = "2026-01-01") =>
    rules.rateOf(habit, marks(done, skipped), from, TODAY, TODAY);
  // Of the first week three days were left; the last one is open yet.
  assert.deepEqual(rate([]), { done: 1 + 3 + 1, due: 3 + 3 + 1 });
  assert.deepEqual(rate(["2026-02-20", "2026-02-22"]), { done: 5, due: 1 + 3 + 1 });
  assert.deepEqual(rate([], "2026-02-24"), { done: 1, due: 1 });
  const week = rules.weekFrom("2026-02-23");
  const data = dataOf([
    ...entriesOf({ "2026-02-16": 1, "2026-02-17": 1, "2026-02-18": 1, [TODAY]: 1 }),
    ...week.map((day) => skip(day)),
  ]);
  assert.equal(rules.streakOf(data, habit, TODAY), 1, "a week of holidays is no gap");
});

test("habits are in the person's order, and those without a place come first, as they were made", () => {
  const habit = (id: string, createdAt: string, order?: string) => {
    const { source: _, ...payload } = { ...HABIT, id, name: id, createdAt };
    return {
      entityId: `habit/${id}`,
      payload: { ...payload, ...(order && { order }) },
      metadata: {},
    };
  };
  const data = dataOf([
    habit("third", "2026-01-01T08:00:00Z", "a1"),
    habit("fourth", "2026-01-02T08:00:00Z", "a2"),
    habit("a", "2026-01-04T08:00:00Z"),
    habit("b", "2026-01-03T08:00:00Z"),
  ]);
  assert.deepEqual(
    rules.listHabits(data).map(({ id }) => id),
    ["b", "a", "third", "fourth"],
  );
  assert.deepEqual(
    rules.listUnplaced(data).map(({ id }) => id),
    ["b", "a"],
  );
});

test("months and weeks follow the calendar, leap years included", () => {
  const { daysOfMonth, monthOf, weekdayOf, weekUntil } = rules;
  assert.equal(daysOfMonth("2028-02-01").length, 29);
  assert.equal(daysOfMonth("2026-03-01").length, 31);
  assert.equal(monthOf("2026-01-31", 1), "2026-02-01");
  assert.equal(monthOf("2026-01-31", -1), "2025-12-01");
  assert.equal(weekdayOf("2026-03-01"), 7);
  assert.deepEqual(weekUntil(TODAY).slice(0, 3), ["2026-02-26", "2026-02-27", "2026-02-28"]);
});

/** What no app stores: of every kind, and in every form that dates, numbers and names have. */
const HOSTILE: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1e308,
  Number.POSITIVE_INFINITY,
  "",
  "x",
  "0000-01-01",
  "9999-12-31",
  "2026-02-30",
  "+275760-09-13",
  "__proto__",
  "\u202e\ud800",
  "x".repeat(100_000),
  [],
  [null],
  [[]],
  [1e308, -1, "x"],
  {},
  { eventId: "e" },
  { eventId: 1, occursOn: "2026-03-04", serviceName: "Planner" },
  { eventId: "e", occursOn: "x", serviceName: "Planner" },
  { eventId: "e", occursOn: "0000-01-01", serviceName: {} },
];

/** Everything that a view computes. */
function showAll(data: HabitData): readonly Habit[] {
  const habits = rules.listHabits(data);
  for (const habit of habits) {
    rules.isForToday(data, habit, TODAY);
    rules.isFinishedToday(data, habit, TODAY);
    rules.streakOf(data, habit, TODAY);
    rules.rateOf(habit, rules.marksOf(data, habit), "2026-01-01", "2026-12-31", TODAY);
    rules.doneDays(data, habit).map((day) => rules.monthOf(day));
    if (habit.source !== null) rules.formatDay(habit.source.occursOn, "de", { month: "long" });
    assert.equal(typeof habit.name, "string");
    new Intl.ListFormat("en").format((habit.customDays ?? []).map(String));
  }
  return habits;
}

test("no value of a server keeps the app from showing the other habits", () => {
  const { source: _, ...payload } = HABIT;
  const entry = { ...ENTRY, date: "2026-03-03", count: 1 };
  const good = { ...payload, id: "good", name: "Good" };
  const others: StoredEntity[] = [
    { entityId: "habit/good", payload: good, metadata: {} },
    {
      entityId: "entry/good/0001-01-01",
      payload: { ...entry, habitId: "good", date: "0001-01-01" },
      metadata: {},
    },
  ];
  const walk = { entityId: "habit/walk", payload, metadata: {} };
  const ticked = { entityId: "entry/walk/2026-03-03", payload: entry, metadata: {} };
  for (const value of HOSTILE) {
    const variants: StoredEntity[] = [
      ...Object.keys(payload).map((name) => ({ ...walk, payload: { ...payload, [name]: value } })),
      { ...walk, metadata: { source: value } },
      ...Object.keys(entry).map((name) => ({ ...ticked, payload: { ...entry, [name]: value } })),
    ];
    for (const variant of variants) {
      const rest = [walk, ticked].filter(({ entityId }) => entityId !== variant.entityId);
      const data = dataOf([...others, ...rest, variant]);
      const shown = showAll(data).map(({ name }) => name);
      assert.ok(shown.includes("Good"));
      assert.ok(damagedIn(data).every((id) => id === variant.entityId));
    }
  }
});

function damagedIn(data: HabitData): string[] {
  return rules
    .listDamaged(data)
    .map(({ id, collection }) => `${collection === data.habits ? "habit" : "entry"}/${id}`);
}

test("a habit whose source is no event, and an entry of no day, are damaged", () => {
  const { source: _, ...payload } = HABIT;
  const entities: StoredEntity[] = [
    { entityId: "habit/run", payload: { ...payload, tone: null }, metadata: {} },
    { entityId: "habit/walk", payload, metadata: { source: "x" } },
    {
      entityId: "entry/walk/2026-03-03",
      payload: { ...ENTRY, date: "", count: 1 },
      metadata: {},
    },
    {
      entityId: "entry/walk/2026-03-04",
      payload: { ...ENTRY, date: TODAY, count: "9" },
      metadata: {},
    },
  ];
  const data = dataOf(entities);
  assert.deepEqual(
    damagedIn(data),
    entities.map(({ entityId }) => entityId),
  );
  assert.deepEqual(
    ["run", "walk", "swim"].map((id) => rules.isDamaged(data, id)),
    [true, true, false],
  );
  assert.deepEqual(showAll(data), []);
});

test("a habit without planned days is searched for a streak only so far back", () => {
  const habit: Habit = { ...HABIT, frequency: "custom", customDays: [] };
  assert.equal(rules.streakOf(done("0001-01-01"), habit, TODAY), 0);
  assert.equal(rules.streakOf(done("1970-01-01", TODAY), habit, TODAY), 2);
});

test("the size of a download is never 0", () => {
  const sizes = [14, 1500, 999_000, 48_200_000].map((bytes) => formatSize(bytes, "en"));
  assert.deepEqual(sizes, ["0.1 kB", "1.5 kB", "999 kB", "48.2 MB"]);
});

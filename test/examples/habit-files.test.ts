/** The files of the example app: what it saves it reads again, and what is wrong it refuses as a whole. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { BackupHabit } from "../../examples/habits/src/backup.ts";
import type { SyncClient, TransactionWork } from "../../src/client/index.ts";
import {
  bundleHabitRules,
  dataOf,
  ENTRY,
  entriesOf,
  HABIT,
  type HabitRules,
} from "../fixtures/habit-rules.ts";

let rules: HabitRules;
before(async () => {
  rules = await bundleHabitRules();
});

const { source: _, ...PAYLOAD } = HABIT;
const WALK = { entityId: "habit/walk", payload: PAYLOAD, metadata: {} };
const SKIPPED = {
  entityId: "entry/walk/2026-03-02",
  payload: { ...ENTRY, date: "2026-03-02", count: 0, completed: false, skipped: true },
  metadata: {},
};
const DAYS = entriesOf({ "2026-03-01": 1 });

const readTable = (text: string) => rules.readTable(text, "General");
function habitsOf(result: ReturnType<HabitRules["readJson"]>): readonly BackupHabit[] {
  assert.ok(result.kind === "read", JSON.stringify(result));
  return result.habits;
}

test("what the app saves it reads again, in both formats", () => {
  const names = ['=HYPERLINK("x")', "'=1", "'quoted'", 'a;b,"c"\nd', "-5", "Ä 🌱"];
  const entities = names.map((name, index) => {
    const id = `h${index}`;
    const payload = { ...PAYLOAD, id, name, category: name, description: index > 2 ? name : null };
    return { entityId: `habit/${id}`, payload, metadata: {} };
  });
  const weekly = { ...PAYLOAD, id: "w", name: "Run", frequency: "custom", customDays: [1, 7] };
  const run = { entityId: "habit/w", payload: { ...weekly, isActive: false }, metadata: {} };
  const task = { ...WALK, entityId: "habit/task", payload: { ...PAYLOAD, id: "task" } };
  const source = { eventId: "e", occursOn: "2026-03-01", serviceName: "Planner" };
  const data = dataOf(rules, [
    WALK,
    SKIPPED,
    ...DAYS,
    ...entities,
    run,
    { ...task, metadata: { source } },
  ]);
  const saved = rules.toBackup(data);
  assert.equal(saved.length, names.length + 2, "without the task of a planner");
  assert.deepEqual(saved.find(({ id }) => id === "walk")?.days, [
    { date: "2026-03-01", count: 1, skipped: false },
    { date: "2026-03-02", count: 0, skipped: true },
  ]);
  const moment = (habit: BackupHabit) => ({
    ...habit,
    createdAt: Date.parse(habit.createdAt ?? ""),
  });
  const expected = saved.map(moment);
  assert.deepEqual(habitsOf(rules.readJson(rules.formatJson(saved))).map(moment), expected);
  const table = rules.formatTable(saved);
  assert.doesNotMatch(table, /(^|[,\n"])[=+@-]/m, "no cell is a formula");
  assert.deepEqual(habitsOf(readTable(table)).map(moment), expected);
});

test("a table of another program needs two columns, and may have semicolons", () => {
  const [read, swim] = habitsOf(
    readTable(
      "Date;Habit;Category;Mood\r\n2026-03-01;Read;Mind;+\r\n2026-03-02;Read;Mind;\r\n\r\n;Swim;",
    ),
  );
  assert.deepEqual(
    [read?.name, read?.category, read?.days.map(({ date, count }) => [date, count])],
    [
      "Read",
      "Mind",
      [
        ["2026-03-01", 1],
        ["2026-03-02", 1],
      ],
    ],
  );
  assert.deepEqual([swim?.name, swim?.category, swim?.days], ["Swim", "General", []]);
});

test("a file with anything wrong is refused as a whole, and the place is named", () => {
  const json = (habit: object, file: object = {}) =>
    JSON.stringify({
      format: "trellis-habits",
      version: 1,
      habits: [{ name: "A", category: "B", days: [], ...habit }],
      ...file,
    });
  const day = (changes: object) => json({ days: [{ date: "2026-03-01", count: 1, ...changes }] });
  const cases = [
    [rules.readJson, "{", "not-readable", ""],
    [rules.readJson, "[".repeat(1_000_000), "not-readable", ""],
    [rules.readJson, "[]", "other-format", ""],
    [rules.readJson, '{"__proto__":{"format":"trellis-habits"}}', "other-format", ""],
    [rules.readJson, json({}, { version: 2 }), "newer-version", ""],
    [rules.readJson, json({}, { habits: [] }), "empty", ""],
    [rules.readJson, json({}, { habits: {} }), "wrong-value", "habits"],
    [rules.readJson, json({ name: " " }), "wrong-value", "habits.0.name"],
    [rules.readJson, json({ name: "\ud800" }), "wrong-value", "habits.0.name"],
    [rules.readJson, json({ tone: "__proto__" }), "wrong-value", "habits.0.tone"],
    [rules.readJson, json({ targetCount: 0 }), "wrong-value", "habits.0.targetCount"],
    [rules.readJson, json({ frequency: "custom" }), "wrong-value", "habits.0.customDays"],
    [rules.readJson, json({ customDays: [1, 1] }), "wrong-value", "habits.0.customDays"],
    [
      rules.readJson,
      json({ createdAt: "+275760-09-13T00:00:00Z" }),
      "wrong-value",
      "habits.0.createdAt",
    ],
    [rules.readJson, day({ date: "2026-02-30" }), "wrong-value", "habits.0.days.0.date"],
    [rules.readJson, day({ count: -1 }), "wrong-value", "habits.0.days.0.count"],
    [
      rules.readJson,
      day({ count: 0 }).replace('"count":0', '"count":1e999'),
      "wrong-value",
      "habits.0.days.0.count",
    ],
    [readTable, "", "empty", ""],
    [readTable, 'habit,date\n"A', "not-readable", ""],
    [readTable, "name,day\nA,2026-03-01", "no-columns", ""],
    [readTable, "habit,date\n", "empty", ""],
    [readTable, "habit,date\nA,2026-03-01\nA,tomorrow", "wrong-value", "3"],
    [readTable, 'habit,date\n"A\nB",2026-03-01\n,2026-03-01', "wrong-value", "4"],
    [readTable, "habit,date,count\nA,2026-03-01,many", "wrong-value", "2"],
    [readTable, "habit,date,skipped\nA,2026-03-01,maybe", "wrong-value", "2"],
  ] as const;
  for (const [read, text, reason, where] of cases) {
    assert.deepEqual(read(text), { kind: "refused", reason, where }, text.slice(0, 100));
  }
  const many = Array.from({ length: rules.MAX_HABITS + 1 }, (_, index) => `${index},`);
  const refused = { kind: "refused", reason: "too-many", where: "" };
  assert.deepEqual(readTable(`habit,date\n${many.join("\n")}`), refused);
});

test("an import adds what is new, and leaves what the device has", async () => {
  const data = dataOf(rules, [WALK, ...DAYS]);
  const [walk] = rules.toBackup(data);
  assert.ok(walk);
  const days = ["2026-03-01", "2026-03-05", "2026-03-05"].map((date) => ({
    date,
    count: 9,
    skipped: false,
  }));
  const plan = rules.planImport(data, [
    { ...walk, days },
    { ...walk, id: "other-device", name: "WALK ", days },
    { ...walk, id: "planner:1", name: "Swim", days },
    { ...walk, id: null, name: "swim", days: [] },
  ]);
  assert.deepEqual(
    [plan.added.map(({ id }) => id), plan.days.map(({ entryId }) => entryId)],
    [["planner:1"], ["walk/2026-03-05", "planner%3A1/2026-03-01", "planner%3A1/2026-03-05"]],
  );
  assert.deepEqual([plan.knownHabits, plan.knownDays], [3, 6]);

  const stored: unknown[][] = [];
  const upsert = (...edit: unknown[]) => void stored.push(edit);
  const transaction = async (work: TransactionWork) => {
    work((() => ({ upsert })) as unknown as Parameters<TransactionWork>[0]);
    return { kind: "stored", operationIds: [] } as const;
  };
  const result = await rules.runImport({ transaction } as unknown as SyncClient, data, plan);
  assert.equal(result.refused, null);
  assert.deepEqual(
    result.stored.map(({ id }) => id),
    ["planner%3A1", ...plan.days.map(({ entryId }) => entryId)],
  );
  const [[id, habit] = [], [entryId, entry] = []] = stored;
  assert.equal(id, "planner%3A1");
  assert.deepEqual(Object.keys(habit as object).includes("days"), false);
  assert.equal(entryId, "walk/2026-03-05");
  const { habitId, date, count, completed } = entry as Record<string, unknown>;
  assert.deepEqual([habitId, date, count, completed], ["walk", "2026-03-05", 9, true]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { eventsToHabits, type EventIcon, type LocalHabit } from "./import-events.ts";
import type { RemoteEvent } from "./remote-event.ts";

const options = {
  serviceName: "My planner",
  // A device two hours east of Greenwich.
  toLocalDate: (instant: number) => new Date(instant + 7_200_000).toISOString().slice(0, 10),
};

function createEvent(changes: Partial<RemoteEvent> = {}): RemoteEvent {
  return {
    id: "e1",
    type: "homework",
    subject_name: "Mathematics",
    title: "Page 42",
    date: "2026-08-21",
    created_at: null,
    ...changes,
  };
}

const run = (events: readonly RemoteEvent[], habits: readonly LocalHabit[] = []) =>
  eventsToHabits(events, habits, options);

test("an event becomes a habit with the event as its source", () => {
  assert.deepEqual(run([createEvent()]), {
    imported: [
      {
        name: "Page 42",
        icon: "homework",
        category: "Mathematics",
        source: { eventId: "e1", occursOn: "2026-08-21" },
      },
    ],
    skipped: [],
  });
});

for (const [changes, reason] of [
  [{ type: "info" }, "info"],
  [{ type: "INFO" }, "info"],
  [{ type: "Info", date: null }, "info"],
  [{ date: null }, "missing-date"],
  [{ date: "" }, "missing-date"],
  [{ date: "2026-02-30" }, "invalid-date"],
  [{ date: "soon" }, "invalid-date"],
  [{ date: "2026-09" }, "date-without-day"],
  [{ date: "+002026-09-01" }, "expanded-year"],
  [{ date: "2026-0901" }, "mixed-forms"],
  // On this device already of the year 10000.
  [{ date: "9999-12-31T23:30:00Z" }, "invalid-date"],
  [{ date: "0000-01-01T00:00+14:00" }, "invalid-date"],
] as const) {
  test(`${JSON.stringify(changes)} is skipped as ${reason}`, () => {
    assert.deepEqual(run([createEvent(changes)]), {
      imported: [],
      skipped: [{ id: "e1", reason }],
    });
  });
}

test("a type that only begins with info is imported", () => {
  assert.equal(run([createEvent({ type: "information" })]).imported.length, 1);
  assert.equal(run([createEvent({ type: " info" })]).imported.length, 1);
});

test("an event that a habit was imported from is not imported again, archived or not", () => {
  const archived = { source: { eventId: "e1" }, isActive: false };
  const report = run([createEvent(), createEvent({ id: "e2" })], [{}, { source: null }, archived]);
  assert.deepEqual(report.skipped, [{ id: "e1", reason: "already-imported" }]);
  assert.deepEqual(
    report.imported.map(({ source }) => source.eventId),
    ["e2"],
  );
});

test("an event that the list has twice is imported once, from the first that can be", () => {
  const report = run([
    createEvent({ date: null }),
    createEvent({ title: "first" }),
    createEvent({ title: "second" }),
  ]);
  assert.deepEqual(
    report.imported.map(({ name }) => name),
    ["first"],
  );
  assert.deepEqual(report.skipped, [
    { id: "e1", reason: "missing-date" },
    { id: "e1", reason: "repeated" },
  ]);
});

for (const [title, subject, name, category] of [
  ["Page 42", "Mathematics", "Page 42", "Mathematics"],
  ["  Page 42\n", " Mathematics ", "Page 42", "Mathematics"],
  [null, "Mathematics", "Mathematics", "Mathematics"],
  ["", "Mathematics", "Mathematics", "Mathematics"],
  [" \t\u00a0 ", "Mathematics", "Mathematics", "Mathematics"],
  ["Page 42", null, "Page 42", "My planner"],
  ["Page 42", "   ", "Page 42", "My planner"],
  [null, null, "My planner Task", "My planner"],
  [" ", " ", "My planner Task", "My planner"],
] as const) {
  test(`title ${JSON.stringify(title)} of ${JSON.stringify(subject)} is named "${name}"`, () => {
    const [habit] = run([createEvent({ title, subject_name: subject })]).imported;
    assert.deepEqual([habit?.name, habit?.category], [name, category]);
  });
}

const ICONS: Readonly<Record<EventIcon, readonly string[]>> = {
  homework: ["homework", "Homework", "hausaufgabe", "HA"],
  exam: ["exam", "test", "TEST", "Klausur", "klassenarbeit", "ka"],
  presentation: ["presentation", "Präsentation", "PRÄSENTATION", "pra\u0308sentation", "referat"],
  task: ["task", "", "homeworks", "essay", "constructor", "__proto__", " exam"],
};

for (const [icon, types] of Object.entries(ICONS)) {
  test(`${types.join(", ")}: the ${icon} icon`, () => {
    for (const type of types) {
      assert.equal(run([createEvent({ type })]).imported[0]?.icon, icon, type);
    }
  });
}

for (const [date, occursOn] of [
  ["2026-08-21", "2026-08-21"],
  ["2026-08-21T23:30:00", "2026-08-21"],
  ["2026-08-21T23:30:00Z", "2026-08-22"],
  ["2026-08-21T00:30:00+02:00", "2026-08-21"],
  ["2026-08-21T00:30:00+14:00", "2026-08-20"],
  ["2026-08-21T23:30:00+0200", "2026-08-21"],
  ["2026-W34-5T23:30Z", "2026-08-22"],
  ["2026-W34-5", "2026-08-21"],
  ["2026233", "2026-08-21"],
  ["20260821T1015,5", "2026-08-21"],
  ["2026-08-21T24:00", "2026-08-22"],
  ["2026-08-21T24:00+02:00", "2026-08-22"],
] as const) {
  test(`${date} is on ${occursOn} for a device two hours east`, () => {
    assert.equal(run([createEvent({ date })]).imported[0]?.source.occursOn, occursOn);
  });
}

test("every event is either imported or skipped, and importing again imports nothing", () => {
  const word = fc.constantFrom("", " ", "info", "exam", "x", "2026-08-21", "2026-02-30");
  const text = fc.oneof(word, fc.string());
  const event = fc.record({
    id: fc.constantFrom("a", "b", "c", "__proto__", "constructor"),
    type: text,
    subject_name: fc.option(text),
    title: fc.option(text),
    date: fc.option(text),
    created_at: fc.constant(null),
  });
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const first = run(events);
      assert.equal(first.imported.length + first.skipped.length, events.length);
      assert.equal(
        new Set(first.imported.map(({ source }) => source.eventId)).size,
        first.imported.length,
      );
      assert.ok(first.imported.every(({ name }) => name.trim() !== ""));
      assert.deepEqual(run(events, first.imported).imported, []);
    }),
  );
});

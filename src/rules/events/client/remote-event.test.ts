import assert from "node:assert/strict";
import { test } from "node:test";
import { sortEvents } from "./remote-event.ts";

test("events are sorted by date, else by when they were made, else they are last", () => {
  const rows = [
    ["unknown", null, null],
    ["made-late", null, "2026-08-23T00:00:00Z"],
    ["b-same-day", "2026-08-21", null],
    ["a-same-day", "2026-08-21", "2020-01-01T00:00:00Z"],
    ["invalid", "2026-02-30", "2026-08-22T00:00:00Z"],
    ["first", "2026-08-21T01:00:00+02:00", null],
  ] as const;
  const events = rows.map(([id, date, created]) => ({
    id,
    type: "exam",
    subject_name: null,
    title: null,
    date,
    created_at: created,
  }));
  assert.deepEqual(
    sortEvents(events).map(({ id }) => id),
    ["first", "a-same-day", "b-same-day", "invalid", "made-late", "unknown"],
  );
});

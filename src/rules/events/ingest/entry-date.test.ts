import assert from "node:assert/strict";
import { test } from "node:test";
import { readEntryDate, writeEntryDate } from "./entry-date.ts";

const read = (text: string, zone = "Europe/Berlin") => {
  const result = readEntryDate(text, zone);
  return result.kind === "valid" ? writeEntryDate(result.date).date : result.reason;
};

test("a day stays that day in every zone", () => {
  assert.equal(read("2026-08-21"), "2026-08-21");
  assert.equal(read("2026-08-21", "Pacific/Auckland"), "2026-08-21");
  const result = readEntryDate("2026-08-21", "Pacific/Auckland");
  assert.ok(result.kind === "valid");
  assert.equal(writeEntryDate(result.date).dateAt, Date.parse("2026-08-21T00:00:00Z"));
});

test("an offset is kept, a UTC time is shown in the zone of the account", () => {
  assert.equal(read("2026-08-21T00:30:00-05:00"), "2026-08-21T00:30:00-05:00");
  assert.equal(read("2026-08-20T22:30:00Z"), "2026-08-21T00:30:00+02:00");
  assert.equal(read("2026-08-20T22:30:00.5Z"), "2026-08-21T00:30:00+02:00");
});

test("a time without an offset is in the zone of the account", () => {
  assert.equal(read("2026-01-21T00:30"), "2026-01-21T00:30:00+01:00");
  assert.equal(read("2026-01-21 00:30:15.123"), "2026-01-21T00:30:15+01:00");
});

test("every form of ISO 8601 that names a day or a moment is read", () => {
  assert.equal(read("20260821"), "2026-08-21");
  assert.equal(read("2026-W34-5"), "2026-08-21");
  assert.equal(read("2026233T10,5"), "2026-08-21T10:30:00+02:00");
  assert.equal(read("2026-08-21T10:15:30+0200"), "2026-08-21T10:15:30+02:00");
  assert.equal(read("2026-08-21 10:15:30-05"), "2026-08-21T10:15:30-05:00");
  assert.equal(read("2026-04-30T24:00"), "2026-05-01T00:00:00+02:00");
});

test("days that no calendar has are no dates", () => {
  for (const text of [
    "2026-02-30",
    "2026-13-01",
    "2026-00-10",
    "2026-04-31T10:00",
    "21.08.2026",
    "tomorrow",
    "",
    "2026-8-1",
    "2026-08",
    "2026-0821",
    "2026-08-21 ",
  ]) {
    assert.equal(read(text), "bad-date", text);
  }
});

test("implausible years are out of range", () => {
  for (const text of ["0001-01-01", "9999-12-31", "1899-12-31T23:00", "9999-12-31T10:00:00Z"]) {
    assert.equal(read(text), "date-out-of-range", text);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isDate, isDateTime, parseDateTime } from "./date-time.ts";

test("every instant that a Date can write is parsed back unchanged", () => {
  const instants = fc.date({
    min: new Date("0000-01-01T00:00:00.000Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instants, (date) => {
      assert.equal(parseDateTime(date.toISOString()), date.getTime());
    }),
  );
});

test("an offset moves the instant", () => {
  const minutes = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 });
  fc.assert(
    fc.property(minutes, (offset) => {
      const distance = Math.abs(offset);
      const hh = String(Math.floor(distance / 60)).padStart(2, "0");
      const mm = String(distance % 60).padStart(2, "0");
      const text = `2026-06-15T12:30:00${offset < 0 ? "-" : "+"}${hh}:${mm}`;
      assert.equal(parseDateTime(text), Date.UTC(2026, 5, 15, 12, 30) - offset * 60_000);
    }),
  );
});

test("exactly the days of the calendar are days", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9999 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      (year, month, day) => {
        const date = new Date(0);
        date.setUTCFullYear(year, month - 1, day);
        const exists =
          date.getUTCFullYear() === year &&
          date.getUTCMonth() === month - 1 &&
          date.getUTCDate() === day;
        const two = (value: number) => String(value).padStart(2, "0");
        const text = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T00:00:00Z`;
        assert.equal(isDateTime(text), exists, text);
      },
    ),
  );
});

for (const [text, iso] of [
  ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
  ["2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"],
  ["0000-02-29T00:00:00Z", "0000-02-29T00:00:00.000Z"],
  ["0099-12-31T23:59:59Z", "0099-12-31T23:59:59.000Z"],
  ["2026-01-31t12:00:00z", "2026-01-31T12:00:00.000Z"],
  ["2026-01-31T12:00:00-00:00", "2026-01-31T12:00:00.000Z"],
  ["2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00.000Z"],
  ["2026-01-01T12:00:00.1Z", "2026-01-01T12:00:00.100Z"],
  ["2026-01-01T12:00:00.123456789Z", "2026-01-01T12:00:00.123Z"],
  // A leap second is read as the last second before it.
  ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"],
] as const) {
  test(`${text} is ${iso}`, () => assert.equal(parseDateTime(text), Date.parse(iso)));
}

for (const text of [
  "",
  "2026-02-30T00:00:00Z",
  "2026-02-29T00:00:00Z",
  "1900-02-29T00:00:00Z",
  "2026-04-31T00:00:00Z",
  "2026-00-10T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T00:60:00Z",
  "2016-12-31T23:59:61Z",
  "2026-01-01T00:00:00+24:00",
  "2026-01-01T00:00:00+01:60",
  "2026-01-01T00:00:00+0100",
  "2026-01-01T00:00:00+01",
  "2026-01-01T00:00:00",
  "2026-01-01 00:00:00Z",
  "2026-01-01",
  "2026-1-1T00:00:00Z",
  "2026-01-01T00:00Z",
  "2026-01-01T00:00:00.Z",
  "2026-01-01T00:00:00.1234567890Z",
  "2026-01-01T00:00:00,5Z",
  "+002026-01-01T00:00:00Z",
  "-000001-01-01T00:00:00Z",
  " 2026-01-01T00:00:00Z",
  "2026-01-01T00:00:00Z\n",
  "２０２６-01-01T00:00:00Z",
]) {
  test(`${JSON.stringify(text)} is not a date-time`, () => assert.equal(parseDateTime(text), null));
}

test("a date is a day of the calendar, and nothing more", () => {
  for (const text of ["2026-01-31", "2024-02-29", "2000-02-29", "0000-12-31"]) {
    assert.ok(isDate(text), text);
  }
  for (const text of [
    "2026-02-29",
    "1900-02-29",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "2026-1-31",
    "2026-01-31T00:00:00Z",
    "2026-01-3x",
    "",
  ]) {
    assert.equal(isDate(text), false, text);
  }
});

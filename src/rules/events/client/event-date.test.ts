import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseEventDate } from "./event-date.ts";

test("a date and a time without a zone are the day as written", () => {
  for (const text of [
    "2026-08-21",
    "2026-08-21T00:30",
    "2026-08-21T23:59:59",
    "2026-08-21T10:15:30.123456",
    "2026-08-21t10:15:30",
  ]) {
    assert.equal(parseEventDate(text)?.kind, "day", text);
    assert.equal(readDay(text), "2026-08-21", text);
  }
});

function readDay(text: string): string | null {
  const date = parseEventDate(text);
  return date?.kind === "day" ? date.day : null;
}

test("Z or an offset makes an instant", () => {
  const expected = { kind: "instant", sortMs: Date.UTC(2026, 7, 20, 22, 30) };
  for (const text of [
    "2026-08-20T22:30:00Z",
    "2026-08-20T22:30Z",
    "2026-08-21T00:30:00+02:00",
    "2026-08-21T00:30+02:00",
    "2026-08-20T22:30:00.000-00:00",
  ]) {
    assert.deepEqual(parseEventDate(text), expected, text);
  }
});

for (const text of [
  "",
  " 2026-08-21",
  "2026-08-21 ",
  "2026-08-21\n",
  "2026-02-30",
  "2026-02-29",
  "2100-02-29",
  "2026-04-31",
  "2026-13-01",
  "2026-00-10",
  "2026-01-00",
  "2026-8-21",
  "20260821",
  "2026-08",
  "2026-W34-5",
  "2026-233",
  "+002026-08-21",
  "21.08.2026",
  "tomorrow",
  "1787270400000",
  "2026-08-21T",
  "2026-08-21T24:00:00",
  "2026-08-21T10",
  "2026-08-21T10:60:00",
  "2026-08-21T10:15:61",
  "2026-08-21 10:15:00",
  "2026-08-21T10:15:00+2:00",
  "2026-08-21T10:15:00+0200",
  "2026-08-21T10:15:00+25:00",
  "2026-08-21T10:15:00 Europe/Berlin",
  "２０２６-08-21",
]) {
  test(`${JSON.stringify(text)} is no date`, () => {
    assert.equal(parseEventDate(text), null);
  });
}

test("every day of the calendar is one, and no other", () => {
  const part = (max: number) => fc.integer({ min: 0, max });
  fc.assert(
    fc.property(part(9999), part(13), part(32), (year, month, day) => {
      const text = [String(year).padStart(4, "0"), String(month), String(day)]
        .map((number) => number.padStart(2, "0"))
        .join("-");
      const date = new Date(0);
      date.setUTCFullYear(year, month - 1, day);
      const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
      assert.equal(parseEventDate(text) !== null, isReal);
    }),
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseSince } from "./parse-since.ts";

for (const [text, iso] of [
  ["2026-08-21T10:15:30Z", "2026-08-21T10:15:30.000Z"],
  ["2026-08-21t10:15:30z", "2026-08-21T10:15:30.000Z"],
  ["2026-08-21T10:15:30+02:00", "2026-08-21T08:15:30.000Z"],
  ["2026-08-21T10:15:30-00:00", "2026-08-21T10:15:30.000Z"],
  ["2026-08-21T10:15:30.123456789Z", "2026-08-21T10:15:30.123Z"],
  ["2026-08-21T10:15:30.999999999Z", "2026-08-21T10:15:30.999Z"],
  ["1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"],
  ["2026-08-21T10:15:30", "2026-08-20T20:15:30.000Z"],
  ["2026-08-21T10:15:30.123456", "2026-08-20T20:15:30.123Z"],
  ["2026-08-21T10:15:30.1239", "2026-08-20T20:15:30.123Z"],
  ["2026-08-21", "2026-08-20T10:00:00.000Z"],
  ["2024-02-29", "2024-02-28T10:00:00.000Z"],
  ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"],
  ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"],
  ["2016-12-31T23:59:60.5", "2016-12-31T09:59:59.500Z"],
  ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
] as const) {
  test(`${text} is ${iso}`, () => assert.equal(parseSince(text), Date.parse(iso)));
}

for (const text of [
  "",
  " ",
  "yesterday",
  "0",
  "1755771330",
  "2026-02-30",
  "2026-02-29T00:00:00",
  "2026-13-01",
  "2026-00-01T00:00:00Z",
  "2026-08-21T24:00:00",
  "2026-08-21T10:60:00",
  "2026-08-21T10:15:61",
  "2026-08-21T10:15",
  "2026-08-21T10",
  "2026-08-21 10:15:30",
  "2026-08-21T10:15:30 02:00",
  "2026-08-21T10:15:30+0200",
  "2026-08-21T10:15:30+24:00",
  "2026-08-21T10:15:30.",
  "2026-08-21T10:15:30.1234567890",
  "2026-08-21T10:15:30,5",
  "20260821T101530Z",
  "2026-W34-5",
  "2026-233",
  "2026-08-21Z",
  "2026-08-21\n",
  " 2026-08-21",
  "+002026-08-21",
  "２０２６-08-21",
]) {
  test(`${JSON.stringify(text)} is no moment`, () => assert.equal(parseSince(text), null));
}

const instants = fc.date({
  min: new Date("0001-01-01T00:00:00Z"),
  max: new Date("9998-12-31T00:00:00Z"),
  noInvalidDate: true,
});

test("without an offset no moment that was meant lies before what is read", () => {
  const minutes = fc.integer({ min: -12 * 60, max: 14 * 60 });
  fc.assert(
    fc.property(instants, minutes, (date, offset) => {
      const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
      const read = parseSince(local);
      assert.ok(read !== null && read <= date.getTime(), local);
      assert.ok(date.getTime() - read <= 26 * 3_600_000, local);
    }),
  );
});

test("a date is its midnight, and a longer fraction never a later moment", () => {
  fc.assert(
    fc.property(instants, fc.stringMatching(/^\d{1,6}$/), (date, digits) => {
      const iso = date.toISOString();
      assert.equal(parseSince(iso.slice(0, 10)), parseSince(`${iso.slice(0, 10)}T00:00:00`));
      assert.equal(parseSince(iso.replace("Z", `${digits}Z`)), date.getTime());
    }),
  );
});

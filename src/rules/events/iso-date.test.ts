import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseIsoDate, parseMoment, type IsoDateError } from "./iso-date.ts";

const at = (iso: string) => Date.parse(iso);
const day = (iso: string) => ({ kind: "day", wall: at(iso) });
const local = (iso: string) => ({ kind: "local", wall: at(`${iso}Z`) });
const moment = (iso: string, offset = "Z") => ({ kind: "moment", instant: at(iso), offset });

// 2026-09-01 is a Tuesday, of week 36, and the 244th day of its year.
for (const text of [
  "2026-09-01",
  "20260901",
  "2026-W36-2",
  "2026W362",
  "2026-244",
  "2026244",
] as const) {
  test(`${text} is the first of September`, () => {
    assert.deepEqual(parseIsoDate(text), day("2026-09-01"));
    for (const time of ["T10", "t10", "T10Z", "T10+02", "T10,5-05"]) {
      assert.notEqual(parseIsoDate(text + time).kind, "invalid", text + time);
    }
  });
}

for (const [text, expected] of [
  ["2026-W01-1", day("2025-12-29")],
  ["2026-W53-7", day("2027-01-03")],
  ["2025-W01-1", day("2024-12-30")],
  ["2024366", day("2024-12-31")],
  ["0000-02-29", day("0000-02-29")],
  ["0001-W01-1", day("0001-01-01")],
  ["9999-W52-5", day("9999-12-31")],
  ["2026-09-01T10", local("2026-09-01T10:00:00")],
  ["2026-09-01T10,5", local("2026-09-01T10:30:00")],
  ["2026-09-01T10.0001", local("2026-09-01T10:00:00.360")],
  ["2026-09-01T10:15", local("2026-09-01T10:15:00")],
  ["2026-09-01t10:15,5", local("2026-09-01T10:15:30")],
  ["2026-09-01T10:15:30.123456", local("2026-09-01T10:15:30.123")],
  ["20260901T101530,9999999999", local("2026-09-01T10:15:30.999")],
  ["20260901T1015.00001666666666666667", local("2026-09-01T10:15:00.001")],
  ["2026-09-01T24:00", local("2026-09-02T00:00:00")],
  ["2026-12-31T24", local("2027-01-01T00:00:00")],
  ["20260228T240000,000", local("2026-03-01T00:00:00")],
  ["2026-09-01T10:15:30Z", moment("2026-09-01T10:15:30Z")],
  ["2026-09-01t10:15:30z", moment("2026-09-01T10:15:30Z")],
  ["2026-09-01T24:00Z", moment("2026-09-02T00:00:00Z")],
  ["9999-12-31T24:00Z", moment("+010000-01-01T00:00:00Z")],
  ["2026-09-01T10:15:30+02:00", moment("2026-09-01T08:15:30Z", "+02:00")],
  // What PHP's DATE_ISO8601 writes.
  ["2026-09-01T10:15:30+0200", moment("2026-09-01T08:15:30Z", "+02:00")],
  ["2026-09-01T10:15:30-05", moment("2026-09-01T15:15:30Z", "-05:00")],
  ["20260901T101530-0330", moment("2026-09-01T13:45:30Z", "-03:30")],
  ["2026-W36-2T10:15,5+05:45", moment("2026-09-01T04:30:30Z", "+05:45")],
  ["2026244T10-23", moment("2026-09-02T09:00:00Z", "-23:00")],
  ["2026-09-01T10:15:30-00:00", moment("2026-09-01T10:15:30Z", "-00:00")],
  ["2016-12-31T23:59:60Z", moment("2016-12-31T23:59:59Z")],
] as const) {
  test(`${text} is read`, () => assert.deepEqual(parseIsoDate(text), expected));
}

const REFUSED: Readonly<Record<IsoDateError, readonly string[]>> = {
  "date-without-day": [
    "20",
    "202",
    "2026",
    "2026-09",
    "2026-W36",
    "2026W36",
    "2026-09T10:15",
    "--09-01",
    "--0901",
    "---01",
    "-244",
    "-W36-2",
    "-W-2",
    "T10:15",
    "t1015Z",
  ],
  "expanded-year": ["+002026-09-01", "-002026-09-01", "+002026", "+2026-09-01", "-0044-03-15"],
  "mixed-forms": [
    "2026-0901",
    "202609-01",
    "2026-W362",
    "2026W36-2",
    "2026-09-01T1015",
    "2026-09-01T101530Z",
    "20260901T10:15",
    "20260901T10:15:30Z",
    "2026244T10:15",
    "2026-09-01T10:1530",
    "2026-09-01T1015:30",
    "20260901T101530+02:00",
    "20260901T10+02:00",
  ],
  "invalid-date": [
    "",
    "T",
    "soon",
    "tomorrow",
    " 2026-09-01",
    "2026-09-01 ",
    "2026-09-01\n",
    "2026-09-01T10:15\n",
    "2026-02-29",
    "2100-02-29",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "20260230",
    "2026-000",
    "2026-366",
    "2024367",
    "2026-W00-1",
    "2025-W53-1",
    "2026-W54-1",
    "2026-W36-0",
    "2026-W36-8",
    "2026-w36-2",
    "9999-W52-6",
    "9999-12-31T24:00",
    "2026-9-1",
    "26-09-01",
    "260901",
    "12026-09-01",
    "2026/09/01",
    "01.09.2026",
    "1787270400000",
    "2026-09-01T",
    "2026-09-01T1",
    "2026-09-01T25",
    "2026-09-01T24:00:01",
    "2026-09-01T24:01",
    "2026-09-01T24,5",
    "2026-09-01T24:00:00.001",
    "2026-09-01T10:60",
    "2026-09-01T10:15:61",
    "2026-09-01T10:15:30.",
    "2026-09-01T10:15:30.5.5",
    "2026-09-01 10:15:30",
    "2026-09-01T10:15:30 +02:00",
    "2026-09-01T10:15:30+2:00",
    "2026-09-01T10:15:30+24:00",
    "2026-09-01T10:15:30+02:60",
    "2026-09-01T10:15:30+02:00:00",
    "2026-09-01T10:15:30\u221202:00",
    "2026-09-01T10:15:30ZZ",
    "2026-09-01T10:15:30 Europe/Berlin",
    "2026-09-01T10:15:30[Europe/Berlin]",
    "2026-09-01Z",
    "2026-09-01+02:00",
    "2026-09-01/2026-09-02",
    "P1D",
    "\uff12\uff10\uff12\uff16-09-01",
  ],
};

for (const [reason, texts] of Object.entries(REFUSED)) {
  for (const text of texts) {
    test(`${JSON.stringify(text)} is refused: ${reason}`, () =>
      assert.deepEqual(parseIsoDate(text), { kind: "invalid", reason }));
  }
}

const pad = (value: number, length = 2) => String(value).padStart(length, "0");

/** A day by its number since 1970, in the six forms: by the platform's calendar, without the parser. */
const days = fc
  .integer({ min: at("0000-01-03") / 86_400_000, max: at("9999-12-31") / 86_400_000 })
  .map((number) => {
    const date = new Date(number * 86_400_000);
    const [year, month, dayOfMonth] = [
      date.getUTCFullYear(),
      date.getUTCMonth() + 1,
      date.getUTCDate(),
    ];
    const ordinal = 1 + (date.getTime() - new Date(0).setUTCFullYear(year, 0, 1)) / 86_400_000;
    const weekday = date.getUTCDay() === 0 ? 7 : date.getUTCDay();
    const thursday = new Date(date.getTime() + (4 - weekday) * 86_400_000);
    const weekYear = thursday.getUTCFullYear();
    const newYear = new Date(0).setUTCFullYear(weekYear, 0, 1);
    const week = 1 + Math.floor((thursday.getTime() - newYear) / (7 * 86_400_000));
    return {
      wall: date.getTime(),
      forms: [
        [pad(year, 4), pad(month), pad(dayOfMonth)],
        [pad(year, 4), pad(ordinal, 3)],
        [pad(weekYear, 4), `W${pad(week)}`, String(weekday)],
      ],
    };
  });

const clock = fc.record({
  hour: fc.nat(23),
  minute: fc.option(fc.nat(59)),
  second: fc.option(fc.nat(59)),
  fraction: fc.option(fc.stringMatching(/^\d{1,20}$/)),
  mark: fc.constantFrom(".", ","),
  letter: fc.constantFrom("T", "t"),
});
type Clock = typeof clock extends fc.Arbitrary<infer T> ? T : never;

const offsets = fc.option(
  fc.oneof(
    fc.constantFrom("Z", "z"),
    fc.record({
      sign: fc.constantFrom(1, -1),
      hours: fc.nat(23),
      minutes: fc.option(fc.nat(59)),
      isBasic: fc.boolean(),
    }),
  ),
);
type Offset = typeof offsets extends fc.Arbitrary<infer T> ? T : never;

/** The text, and its milliseconds since midnight by exact arithmetic. */
function writeClock({ hour, minute, second, fraction, mark, letter }: Clock, colon: string) {
  const units = [hour, ...(minute === null ? [] : [minute, ...(second === null ? [] : [second])])];
  const unit = [3_600_000, 60_000, 1000][units.length - 1] ?? 0;
  const whole = units.reduce((sum, value, index) => sum + (value * 3_600_000) / 60 ** index, 0);
  const part =
    fraction === null ? 0n : (BigInt(fraction) * BigInt(unit)) / 10n ** BigInt(fraction.length);
  const digits = fraction === null ? "" : mark + fraction;
  return {
    text: `${letter}${units.map((value) => pad(value)).join(colon)}${digits}`,
    sinceMidnight: whole + Number(part),
  };
}

function writeOffset(offset: Exclude<Offset, null>, isExtended: boolean) {
  if (typeof offset === "string") return { text: offset, name: "Z", minutes: 0 };
  const { sign, hours, minutes, isBasic } = offset;
  const start = (sign < 0 ? "-" : "+") + pad(hours);
  const colon = isExtended && !isBasic ? ":" : "";
  return {
    text: start + (minutes === null ? "" : colon + pad(minutes)),
    name: `${start}:${pad(minutes ?? 0)}`,
    minutes: sign * (hours * 60 + (minutes ?? 0)),
  };
}

test("every form of every day and moment is read, to the millisecond", () => {
  fc.assert(
    fc.property(
      days,
      fc.nat(2),
      fc.boolean(),
      fc.option(clock),
      offsets,
      ({ wall, forms }, index, isExtended, time, offset) => {
        const date = (forms[index] ?? []).join(isExtended ? "-" : "");
        if (time === null) return assert.deepEqual(parseIsoDate(date), { kind: "day", wall });
        const { text, sinceMidnight } = writeClock(time, isExtended ? ":" : "");
        const local = wall + sinceMidnight;
        if (offset === null) {
          return assert.deepEqual(parseIsoDate(date + text), { kind: "local", wall: local });
        }
        const written = writeOffset(offset, isExtended);
        assert.deepEqual(parseIsoDate(date + text + written.text), {
          kind: "moment",
          instant: local - written.minutes * 60_000,
          offset: written.name,
        });
      },
    ),
    { numRuns: 2000 },
  );
});

test("a text of the same characters is refused or names a day, and never throws", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."0123456789-:+.,TtWZz ") }), (text) => {
      const date = parseIsoDate(text);
      if (date.kind === "invalid") return;
      assert.ok(Number.isSafeInteger(date.kind === "moment" ? date.instant : date.wall));
      assert.match(text, /^\d{4}/);
    }),
    { numRuns: 5000 },
  );
});

test("only what has an offset is a moment", () => {
  assert.equal(parseMoment("20260901T1015+0200"), at("2026-09-01T08:15Z"));
  for (const text of ["2026-09-01", "2026-09-01T10:15", "soon"])
    assert.equal(parseMoment(text), null);
});

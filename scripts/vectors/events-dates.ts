/** Texts in and beside the forms of ISO 8601, and what an app reads in them. */
import { parseIsoDate, type IsoDateError } from "../../src/rules/events/iso-date.ts";
import { formatDay } from "../../src/rules/events/wall-time.ts";
import type { VectorSource } from "./vector-file.ts";

export function createDateVectors(): VectorSource<{ readonly text: string }> {
  return {
    name: "events-dates",
    description:
      "What an app and the service read in the date of an event, and in updated_since: docs/protocol/events.md, Dates. `input` has the text. `expected` is the day that it names, with the time of day in milliseconds where it has one, or the moment in milliseconds since 1970, or the reason why it is refused.",
    inputs: Object.fromEntries(
      [...writeForms(), ...TEXTS].map((text) => [JSON.stringify(text), { text }]),
    ),
    expect: readDate,
    codes: Object.keys(CODES),
  };
}

const CODES = {
  day: true,
  local: true,
  moment: true,
  "date-without-day": true,
  "expanded-year": true,
  "mixed-forms": true,
  "invalid-date": true,
} satisfies Record<"day" | "local" | "moment" | IsoDateError, true>;

function readDate({ text }: { readonly text: string }): object {
  const date = parseIsoDate(text);
  if (date.kind === "invalid") return date;
  if (date.kind === "moment") return { kind: "moment", at: date.instant };
  const day = formatDay(date.wall);
  if (date.kind === "day") return { kind: "day", day };
  return { kind: "local", day, sinceMidnight: date.wall - Date.parse(day) };
}

const DATES = {
  extended: ["2026-09-01", "2026-244", "2026-W36-2"],
  basic: ["20260901", "2026244", "2026W362"],
};
const TIMES = {
  extended: ["T10", "T10,5", "T10:15", "t10:15.5", "T10:15:30", "T10:15:30,123456", "T24:00"],
  basic: ["T10", "T10.25", "T1015", "t1015,5", "T101530", "T101530.123456", "T2400"],
};
const OFFSETS = {
  extended: ["Z", "z", "+02", "-0330", "+05:45"],
  basic: ["Z", "z", "+02", "-0330"],
};

/** Each date with each time of its form, and each offset with one time of each date. */
function writeForms(): string[] {
  return (["extended", "basic"] as const).flatMap((form) =>
    DATES[form].flatMap((date) => [
      date,
      ...TIMES[form].map((time) => date + time),
      ...OFFSETS[form].flatMap((offset) =>
        TIMES[form].slice(3, 5).map((time) => date + time + offset),
      ),
    ]),
  );
}

const TEXTS = [
  // Ends of years, weeks and days
  "0000-02-29",
  "0001-01-01",
  "2024-02-29",
  "2026-01-01T00:00-12:00",
  "2026-12-31T24:00",
  "2026-12-31T24:00:00,000Z",
  "2025-W01-1",
  "2026-W53-7",
  "2024-366",
  "9999-W52-5",
  "9999-12-31T23:59:59.999Z",
  // As PHP, Java and Python write them
  "2026-09-01T10:15:30+0200",
  "2026-09-01T10:15:30.123456789+02:00",
  "2026-09-01T10:15:30.123456+00:00",
  "2026-09-01T10:15:30.12345678901234567890Z",
  "2026-09-01T10:15:30-00:00",
  "2016-12-31T23:59:60Z",
  "2026-09-01T10:15,00001666666666666667",
  // No day
  "20",
  "202",
  "2026",
  "2026-09",
  "2026-W36",
  "2026W36",
  "2026-09T10:15",
  "--09-01",
  "---01",
  "-244",
  "-W36-2",
  "T10:15",
  // Expanded years
  "+002026-09-01",
  "-002026-09-01T10:15Z",
  "+2026-09-01",
  // Mixed forms
  "2026-0901",
  "202609-01",
  "2026-W362",
  "2026W36-2",
  "2026-09-01T1015",
  "20260901T10:15",
  "2026-09-01T10:1530",
  "2026-09-01T1015:30",
  "20260901T1015+02:00",
  // No calendar and no clock has them
  "2026-02-29",
  "2100-02-29",
  "2026-13-01",
  "2026-00-01",
  "2026-01-00",
  "2026-000",
  "2026-366",
  "2026-W00-1",
  "2025-W53-1",
  "2026-W36-0",
  "2026-W36-8",
  "9999-W52-6",
  "9999-12-31T24:00",
  "2026-09-01T25",
  "2026-09-01T24:01",
  "2026-09-01T24,1",
  "2026-09-01T10:60",
  "2026-09-01T10:15:61",
  "2026-09-01T10:15+24:00",
  "2026-09-01T10:15+02:60",
  // Not ISO 8601
  "",
  "T",
  "tomorrow",
  " 2026-09-01",
  "2026-09-01\n",
  "2026-9-1",
  "260901",
  "12026-09-01",
  "01.09.2026",
  "1787270400000",
  "2026-w36-2",
  "2026-09-01T",
  "2026-09-01T1",
  "2026-09-01 10:15",
  "2026-09-01Z",
  "2026-09-01T10:15:30.",
  "2026-09-01T10:15 +02:00",
  "2026-09-01T10:15+2:00",
  "2026-09-01T10:15+02:00:00",
  "2026-09-01T10:15[Europe/Berlin]",
  "2026-09-01/2026-09-02",
  "P1D",
  "\uff12\uff10\uff12\uff16-09-01",
];

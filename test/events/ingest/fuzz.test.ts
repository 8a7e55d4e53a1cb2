import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyCodePoint } from "../../fixtures/any-code-point.ts";
import { isDateTime } from "../../../src/contract/date-time.ts";
import type { FeedResult } from "../../../src/rules/events/ingest/entry.ts";
import { parseFeed } from "../../../src/events/ingest/parse-feed.ts";
import { parseSource } from "../../../src/events/ingest/parse-source.ts";
import { calendar, event, OPTIONS, todo } from "./read-source.ts";

const GOOD = calendar(
  "BEGIN:VTIMEZONE",
  "TZID:Here",
  "BEGIN:STANDARD",
  "DTSTART:19700101T000000",
  "TZOFFSETFROM:+0200",
  "TZOFFSETTO:+0100",
  "END:STANDARD",
  "END:VTIMEZONE",
  event("UID:1", "DTSTART;TZID=Here:20261120T080000", "SUMMARY:Klausur", "CATEGORIES:Mathe,Test"),
  event(
    "UID:2",
    "DTSTART;TZID=Europe/Berlin:20261012T083000",
    "RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=30",
    "EXDATE;TZID=Europe/Berlin:20261102T083000",
    "SUMMARY:Unterricht",
  ),
  event("UID:2", "RECURRENCE-ID:20261109T073000Z", "DTSTART:20261110T130000Z"),
  event("UID:3", "DTSTART;VALUE=DATE:20261224", "RDATE;VALUE=DATE:20261231"),
  todo("UID:4", "DTSTART:20261118", "DUE;VALUE=DATE:20261120", "RRULE:FREQ=DAILY;COUNT=3"),
).split("\r\n");

const NASTY = [
  "RRULE:FREQ=SECONDLY",
  "RRULE:FREQ=HOURLY;BYMINUTE=0,1,2,3,4,5,6,7",
  "RRULE:FREQ=YEARLY;BYWEEKNO=53;BYDAY=-1SU;BYSETPOS=-1",
  "RRULE:FREQ=MONTHLY;BYMONTHDAY=31;INTERVAL=2;UNTIL=99991231",
  "RRULE:FREQ=DAILY;COUNT=-1",
  "RRULE:",
  "DTSTART:00000000",
  "DTSTART:20260229T996199Z",
  "DTSTART;TZID=:20261120T080000",
  'DTSTART;TZID=";:20261120T080000',
  "DTSTART;TZID=Customized Time Zone:20261120T080000",
  "EXDATE:,,,/,20261120",
  "RDATE;VALUE=PERIOD:20261120T080000Z/PT1H,x",
  "RECURRENCE-ID;RANGE=THISANDFUTURE:20261109",
  "UID:__proto__",
  "UID:",
  "SUMMARY:\\",
  "SUMMARY;LANGUAGE=de:\u0000\ud800\\n\u202e",
  "CATEGORIES:,,\\,,",
  "STATUS:CANCELLED",
  "SEQUENCE:NaN",
  "TZID:__proto__",
  "TZOFFSETTO:+9999",
  "BEGIN:VEVENT",
  "END:VEVENT",
  "BEGIN:VCALENDAR",
  "END:VCALENDAR",
  " folded",
  "\t",
  ":",
  ";;=:",
];

type Edit = (lines: readonly string[]) => string[];

const anyPlace = fc.nat({ max: 100 });
const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  anyPlace.map(
    (at): Edit =>
      (lines) =>
        lines.toSpliced(at % lines.length, 1),
  ),
  fc.tuple(anyPlace, fc.constantFrom(...NASTY, ...GOOD)).map(
    ([at, line]): Edit =>
      (lines) =>
        lines.toSpliced(at % lines.length, 0, line),
  ),
  fc.tuple(anyPlace, fc.constantFrom(...NASTY, ...GOOD)).map(
    ([at, line]): Edit =>
      (lines) =>
        lines.with(at % lines.length, line),
  ),
  fc
    .tuple(anyPlace, anyPlace, fc.string({ unit: anyCodePoint, maxLength: 5 }))
    .map(([at, inside, text]): Edit => (lines) => {
      const line = lines[at % lines.length] ?? "";
      const cut = inside % (line.length + 1);
      return lines.with(at % lines.length, line.slice(0, cut) + text + line.slice(cut + 1));
    }),
);

const anyCalendar = fc
  .array(anyEdit, { maxLength: 8 })
  .map((edits) => edits.reduce((lines, edit) => edit(lines), GOOD).join("\r\n"));

function checkResult(result: FeedResult): void {
  if (result.kind === "failed") {
    assert.match(result.error.code, /^[a-z-]+$/);
    return;
  }
  const { entries, counts, skipped } = result.feed;
  assert.equal(new Set(entries.map(({ eventId }) => eventId)).size, entries.length);
  assert.equal(counts.kept + counts.cancelled, entries.length);
  assert.ok(skipped.list.length <= 100 && skipped.total >= skipped.list.length);
  for (const { eventId, type, title, subjectName, date, dateAt } of entries) {
    assert.ok(eventId.length > 0 && type.length > 0);
    for (const text of [eventId, type, title ?? "", subjectName ?? ""]) {
      assert.ok(text.isWellFormed() && text.length <= 1_000);
      // oxlint-disable-next-line no-control-regex
      assert.doesNotMatch(text, /[\u0000-\u001f]/);
    }
    if (date === null) continue;
    const moment = date.length === 10 ? `${date}T00:00:00Z` : date;
    assert.ok(isDateTime(moment), date);
    assert.equal(dateAt, Date.parse(moment));
  }
}

const readHere = (bytes: Uint8Array, format: "ics" | "auto") =>
  parseSource({ bytes, format }, OPTIONS, () => {});

test("a mutated calendar is read or refused, and the same way each time", () => {
  fc.assert(
    fc.property(anyCalendar, (source) => {
      const bytes = new TextEncoder().encode(source);
      const result = readHere(bytes, "ics");
      checkResult(result);
      assert.deepEqual(readHere(bytes, "ics"), result);
    }),
    { numRuns: 300 },
  );
});

test("any bytes are read or refused", () => {
  const begins = ["", "BEGIN:VCALENDAR\r\n", "title,date\n", '[{"title":"', '{"events":['];
  fc.assert(
    fc.property(fc.constantFrom(...begins), fc.uint8Array({ maxLength: 200 }), (begin, bytes) => {
      checkResult(readHere(Buffer.concat([Buffer.from(begin), bytes]), "auto"));
    }),
    { numRuns: 500 },
  );
});

test("any table and any list is read or refused", () => {
  const anyCell = fc.oneof(
    fc.string({ unit: anyCodePoint }),
    fc.constantFrom("2026-12-01", '"', "\n"),
  );
  fc.assert(
    fc.property(fc.array(fc.array(anyCell, { maxLength: 8 })), (rows) => {
      const table = rows.map((row) => row.join(",")).join("\n");
      checkResult(readHere(new TextEncoder().encode(`title,date,id,type\n${table}`), "auto"));
    }),
  );
  const anyEvent = fc.dictionary(
    fc.constantFrom("id", "type", "title", "subject_name", "date", "created_at", "__proto__"),
    fc.oneof(fc.jsonValue(), fc.constantFrom("2026-12-01", "2026-12-01T08:00:00Z")),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(anyEvent, fc.jsonValue())), (events) => {
      checkResult(readHere(new TextEncoder().encode(JSON.stringify({ events })), "auto"));
    }),
  );
});

test("in its own thread nothing gets past the time it has", async () => {
  await fc.assert(
    fc.asyncProperty(anyCalendar, async (source) => {
      const began = performance.now();
      checkResult(await parseFeed(new TextEncoder().encode(source), OPTIONS));
      assert.ok(performance.now() - began < 20_000);
    }),
    { numRuns: 15 },
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { FILE_LIMITS, parseFeed } from "../../../src/events/ingest/parse-feed.ts";
import {
  calendar,
  event,
  listOf,
  OPTIONS,
  read,
  readError,
  skippedOf,
  theOnly,
} from "./read-source.ts";

/** A busy machine needs longer than a quiet one, and without a bound these calendars take minutes. */
const PATIENT = { limits: { ...FILE_LIMITS, maxMilliseconds: 15_000 } };
/** The memory that a subscription may use. */
const BOUNDED = { limits: { ...PATIENT.limits, maxMemoryMiB: 192 } };

test("a page to sign in at is no empty calendar", async () => {
  assert.equal(await readError("<!doctype html><html><body>Please sign in</body></html>"), "html");
  assert.equal(await readError("\ufeff\r\n  <HTML>"), "html");
  assert.equal(await readError(`<pre>${calendar()}</pre>`), "html");
});

test("an error text with status 200 is no empty calendar", async () => {
  assert.equal(await readError("Internal error, try again later"), "not-a-calendar");
  assert.equal(await readError('{"error":"login required"}'), "not-a-calendar");
  assert.equal(await readError("BEGIN:VCARD\r\nEND:VCARD\r\n"), "not-a-calendar");
  assert.equal(await readError(""), "empty");
  assert.equal(await readError(" \r\n \ufeff"), "empty");
});

test("a calendar without entries can be read, and has none", async () => {
  const feed = await read(calendar());
  assert.deepEqual([feed.entries, feed.counts.read], [[], 0]);
});

test("a download that broke off is no shorter calendar", async () => {
  const source = calendar(
    event("UID:1", "DTSTART:20261120", "SUMMARY:x"),
    event("UID:2", "DTSTART:20261121", "SUMMARY:y"),
  );
  const lines = source.trimEnd().split("\r\n");
  for (let kept = 2; kept < lines.length; kept++) {
    assert.equal(await readError(lines.slice(0, kept).join("\r\n") + "\r\n"), "malformed");
  }
});

test("another encoding than UTF-8 is refused", async () => {
  const source = calendar(event("UID:1", "DTSTART:20261120", "SUMMARY:Prüfung"));
  assert.equal(await readError(Buffer.from(source, "latin1")), "bad-encoding");
  assert.equal(await readError(Buffer.from(source, "utf16le")), "bad-encoding");
  assert.equal(await readError(Buffer.from(`\ufeff${source}`, "utf16le")), "bad-encoding");
});

test("names of object prototype members are ordinary names", async () => {
  const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
  const feed = await read(
    calendar(
      ...names.map((name) =>
        event(`UID:${name}`, "DTSTART:20261120", `SUMMARY:${name}`, `X-${name}:1`, `${name}:2`),
      ),
      event("UID;__proto__=1:z", "DTSTART;__proto__=1;TZID=__proto__:20261121T080000"),
    ),
  );
  assert.deepEqual(
    feed.entries.map(({ title }) => title),
    [...names, null],
  );
  assert.equal(new Set(feed.entries.map(({ eventId }) => eventId)).size, 6);
});

test("rules without end are cut, upcoming occurrences first", async () => {
  for (const rule of [
    "FREQ=SECONDLY",
    "FREQ=MINUTELY;COUNT=1000000000",
    "FREQ=HOURLY",
    "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=0,1,2,3,4,5,6,7,8,9;BYMINUTE=0,1,2,3;BYSECOND=0,1,2",
  ]) {
    const feed = await read(
      calendar(event("UID:1", "DTSTART:20261115T120000Z", `RRULE:${rule}`, "SUMMARY:Bomb")),
      BOUNDED,
    );
    assert.equal(feed.entries.length, 500, rule);
    assert.equal(feed.notices[0]?.code, "series-cut");
    assert.ok(feed.entries.every(({ dateAt }) => (dateAt ?? 0) >= OPTIONS.now));
  }
});

test("rules that lead nowhere are skipped, and the other entries are there", async () => {
  const rules = [
    "FREQ=SECONDLY;COUNT=1000000000;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=DAILY;COUNT=1000000000",
    "FREQ=NONSENSE",
    "FREQ=DAILY;INTERVAL=0",
    "FREQ=DAILY;UNTIL=banana",
    `FREQ=DAILY;BYMONTHDAY=${"1,".repeat(1000)}1`,
    "COUNT=5",
    "",
  ];
  const feed = await read(
    calendar(
      ...rules.map((rule, index) => event(`UID:${index}`, "DTSTART:19700101", `RRULE:${rule}`)),
      event("UID:good", "DTSTART:20261120", "SUMMARY:Good"),
    ),
    PATIENT,
  );
  assert.deepEqual(listOf(feed), ["2026-11-20 task Good"]);
  assert.deepEqual(
    skippedOf(feed),
    rules.map((_, index) => `${index} bad-rule`),
  );
});

const upTo = (end: number) => [...Array(end).keys()].join(",");
const EVERY_MINUTE = `BYHOUR=${upTo(24)};BYMINUTE=${upTo(60)}`;

test("costly rules are left out or cut, and the other series are there", async () => {
  const rules = [
    `FREQ=YEARLY;${EVERY_MINUTE};BYSECOND=${upTo(60)}`,
    `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;${EVERY_MINUTE};COUNT=1000000`,
    `FREQ=MONTHLY;BYMONTHDAY=31;${EVERY_MINUTE};BYSETPOS=7;COUNT=2000`,
    "FREQ=MINUTELY;COUNT=100;BYMONTH=1;BYWEEKNO=-13,44,8",
  ];
  const costly = Array.from({ length: 5 }, () => rules).flat();
  const feed = await read(
    calendar(
      ...costly.map((rule, index) =>
        event(`UID:${index}`, "DTSTART;TZID=Europe/Berlin:19000101T000000", `RRULE:${rule}`),
      ),
      event("UID:doses", "DTSTART:20261101T080000Z", "RRULE:FREQ=DAILY;BYHOUR=8,14,20;COUNT=30"),
      event("UID:week", "DTSTART:20261116", "RRULE:FREQ=WEEKLY;COUNT=3"),
    ),
    PATIENT,
  );
  assert.equal(feed.entries.length, 33);
  assert.deepEqual(
    skippedOf(feed),
    costly.map((_, index) => `${index} bad-rule`),
  );
});

test("costly rules of a zone make it an unknown one, and the series are there", async () => {
  const zone = (name: string, rule: string) =>
    [
      "BEGIN:VTIMEZONE",
      `TZID:${name}`,
      "BEGIN:STANDARD",
      "DTSTART:19000101T000000",
      "TZOFFSETFROM:+0100",
      "TZOFFSETTO:+0200",
      `RRULE:FREQ=YEARLY;${rule}`,
      "END:STANDARD",
      "END:VTIMEZONE",
    ].join("\r\n");
  const names = Array.from({ length: 50 }, (_, index) => `Hostile ${index}`);
  const feed = await read(
    calendar(
      ...names.map((name, index) =>
        zone(name, index < 2 ? EVERY_MINUTE : "BYDAY=MO,TU,WE,TH,FR,SA,SU"),
      ),
      ...names.map((name) => event(`UID:${name}`, `DTSTART;TZID=${name}:20261120T100000`)),
    ),
    PATIENT,
  );
  assert.equal(feed.entries.length, 50);
  assert.deepEqual(
    feed.notices.map(({ code, count }) => [code, count]),
    [["unknown-zone", 50]],
  );
});

test("one event with very many dates or very long texts does not use up the time of the others", async () => {
  const stamp = (index: number) =>
    new Date(Date.UTC(1905, 0, 1) + index * 3 * 3_600_000)
      .toISOString()
      .replaceAll(/[-:]|\.\d+Z/g, "");
  const lists = Array.from({ length: 60 }, (_, line) =>
    Array.from({ length: 4_000 }, (_entry, index) => stamp(line * 4_000 + index)).join(","),
  );
  const dates = (name: string) => lists.map((list) => `${name};TZID=Europe/Berlin:${list}`);
  const daily = ["DTSTART;TZID=Europe/Berlin:20261101T080000", "RRULE:FREQ=DAILY"];
  const feed = await read(
    calendar(
      event("UID:excluded", ...daily, ...dates("EXDATE")),
      event("UID:extra", ...daily, ...dates("RDATE")),
      event("UID:long", ...daily, ...Array(20).fill(`CATEGORIES:${"Prüfun ".repeat(9_000)}`)),
      event("UID:usual", ...daily, `EXDATE;TZID=Europe/Berlin:${upToDays(365)}`),
    ),
    PATIENT,
  );
  assert.deepEqual(skippedOf(feed), ["0 bad-rule", "1 bad-rule"]);
  assert.equal(feed.entries.length, 415 + 415 - 365);
  assert.deepEqual(feed.notices, [{ code: "text-cut", count: 1, examples: ["long"] }]);
});

/** As many mornings from the first of November 2026 on. */
function upToDays(count: number): string {
  const days = Array.from({ length: count }, (_, index) => new Date(Date.UTC(2026, 10, 1 + index)));
  return days
    .map((day) => `${day.toISOString().slice(0, 10).replaceAll("-", "")}T080000`)
    .join(",");
}

test("days that no calendar has are skipped, each with its reason", async () => {
  const starts = [
    ["20260230", "bad-date"],
    ["20261301T080000Z", "bad-date"],
    ["20261120T250000Z", "bad-date"],
    ["2026-11-20", "bad-date"],
    ["tomorrow", "bad-date"],
    ["", "bad-date"],
    ["00010101", "date-out-of-range"],
    ["99991231T235959Z", "date-out-of-range"],
  ] as const;
  const feed = await read(
    calendar(
      ...starts.map(([start], index) => event(`UID:u${index}`, `DTSTART:${start}`)),
      event("UID:none", "SUMMARY:No date"),
      event("UID:good", "DTSTART:20261120", "SUMMARY:Good"),
    ),
  );
  assert.deepEqual(skippedOf(feed), [
    ...starts.map(([, reason], index) => `${index} ${reason}`),
    "8 no-date",
  ]);
  assert.equal(theOnly(feed).title, "Good");
  const [first] = feed.skipped.list;
  assert.equal(first?.uid, "u0");
  assert.equal(first?.line, 4);
  assert.match(first?.text ?? "", /20260230/);
});

test("two starts are one start, the first", async () => {
  const feed = await read(calendar(event("UID:1", "DTSTART:20261120", "DTSTART:20261121")));
  assert.equal(theOnly(feed).date, "2026-11-20");
});

test("components nested in each other end the reading", async () => {
  const deep = calendar(
    ..."x"
      .repeat(100_000)
      .split("")
      .map(() => "BEGIN:VEVENT"),
  );
  assert.equal(await readError(deep, BOUNDED), "malformed");
  assert.equal(await readError(calendar("BEGIN:VEVENT", "END:VTODO", "END:VEVENT")), "malformed");
});

test("lines of a megabyte are cut, folded or not", async () => {
  const long = "x".repeat(1_000_000);
  const folded = Array.from({ length: 500_000 }, () => " y").join("\r\n");
  const feed = await read(
    calendar(
      event("UID:1", "DTSTART:20261120", `SUMMARY:${long}`),
      event("UID:2", "DTSTART:20261121", `SUMMARY:z\r\n${folded}`),
      event(
        `UID:${long}`,
        "DTSTART:20261122",
        `DESCRIPTION:${long}`,
        `CATEGORIES:${",".repeat(60_000)}`,
      ),
    ),
    BOUNDED,
  );
  assert.deepEqual(
    feed.entries.map(({ title }) => title?.length ?? null),
    [500, 500, null],
  );
  assert.deepEqual(feed.notices, [{ code: "text-cut", count: 2, examples: ["1", "2"] }]);
});

test("characters that no store takes are left out", async () => {
  const feed = await read(
    calendar(event("UID:1", "DTSTART:20261120", "SUMMARY:a\u0000b\\nc\u0007 \u009bd")),
  );
  assert.equal(theOnly(feed).title, "a b c d");
});

test("twenty thousand entries take seconds and report progress", async () => {
  const entries = Array.from({ length: 20_000 }, (_, index) =>
    event(
      `UID:${index}@school.example`,
      `DTSTART;TZID=Europe/Berlin:2026${String((index % 12) + 1).padStart(2, "0")}15T${String(index % 24).padStart(2, "0")}0000`,
      `SUMMARY:Hausaufgabe ${index}`,
    ),
  );
  const seen: number[] = [];
  const began = performance.now();
  const feed = await read(calendar(...entries), {
    limits: FILE_LIMITS,
    onProgress: (entriesRead) => seen.push(entriesRead),
  });
  assert.equal(feed.entries.length, 20_000);
  assert.equal(seen.at(-1), 20_000);
  assert.ok(seen.every((count, index) => index === 0 || count > (seen[index - 1] ?? 0)));
  assert.ok(performance.now() - began < 30_000);
});

test("a hundred thousand entries are too many", async () => {
  const entries = Array.from({ length: 100_000 }, (_, index) =>
    event(`UID:${index}`, "DTSTART:20261120"),
  );
  assert.equal(await readError(calendar(...entries), { limits: FILE_LIMITS }), "too-many-entries");
});

test("series that make too many entries together are too many", async () => {
  const series = Array.from({ length: 150 }, (_, index) =>
    event(`UID:${index}`, "DTSTART:20260101", "RRULE:FREQ=DAILY"),
  );
  assert.equal(await readError(calendar(...series), { limits: FILE_LIMITS }), "too-many-entries");
});

test("reading that takes too long is stopped", async () => {
  const entries = Array.from({ length: 4_000 }, (_, index) =>
    event(`UID:${index}`, "DTSTART:19700101T000000Z", "RRULE:FREQ=DAILY;COUNT=1000000000"),
  );
  const limits = { ...FILE_LIMITS, maxMilliseconds: 50 };
  const began = performance.now();
  assert.equal(await readError(calendar(...entries), { limits }), "too-slow");
  assert.ok(performance.now() - began < 20_000);
});

test("reading that takes too much memory is stopped without ending the process", async () => {
  const list = `[${Array.from({ length: 400_000 }, (_, index) => `{"a":{"b":[${index}]}}`).join(",")}]`;
  const limits = { ...FILE_LIMITS, maxMemoryMiB: 16 };
  assert.equal(await readError(list, { format: "json", limits }), "out-of-memory");
  const next = await read(calendar(event("UID:1", "DTSTART:20261120")), BOUNDED);
  assert.equal(next.entries.length, 1);
});

test("more bytes than allowed are not even looked at", async () => {
  const result = await parseFeed(new Uint8Array(5 * 1024 * 1024 + 1), OPTIONS);
  assert.equal(result.kind === "failed" && result.error.code, "too-large");
});

test("reading can be called off", async () => {
  const control = new AbortController();
  const reading = parseFeed(new TextEncoder().encode(calendar()), {
    ...OPTIONS,
    signal: control.signal,
  });
  control.abort(new Error("The service stops"));
  await assert.rejects(reading, /The service stops/);
  await assert.rejects(
    parseFeed(new Uint8Array(), { ...OPTIONS, signal: control.signal }),
    /The service stops/,
  );
});

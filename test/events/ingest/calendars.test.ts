import assert from "node:assert/strict";
import { test } from "node:test";
import {
  calendar,
  event,
  listOf,
  read,
  readError,
  skippedOf,
  theOnly,
  todo,
} from "./read-source.ts";

const BERLIN = [
  "BEGIN:VTIMEZONE",
  "TZID:Europe/Berlin",
  "BEGIN:DAYLIGHT",
  "TZOFFSETFROM:+0100",
  "TZOFFSETTO:+0200",
  "TZNAME:CEST",
  "DTSTART:19700329T020000",
  "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3",
  "END:DAYLIGHT",
  "BEGIN:STANDARD",
  "TZOFFSETFROM:+0200",
  "TZOFFSETTO:+0100",
  "TZNAME:CET",
  "DTSTART:19701025T030000",
  "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
  "END:STANDARD",
  "END:VTIMEZONE",
];

test("a German timetable: exams and homework are distinguished from lessons", async () => {
  const feed = await read(
    calendar(
      ...BERLIN,
      event(
        "UID:lesson-1",
        "DTSTART;TZID=Europe/Berlin:20261116T080000",
        "DTEND;TZID=Europe/Berlin:20261116T084500",
        "SUMMARY:Mathematik",
        "CATEGORIES:Unterricht,Mathematik",
        "DESCRIPTION:Raum 204\\nKlausur nächste Woche",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "SUMMARY:Klausur",
        "TRIGGER:-PT15M",
        "END:VALARM",
      ),
      event(
        "UID:exam-1",
        "DTSTART;TZID=Europe/Berlin:20261123T100000",
        "SUMMARY:Klausur Analysis\\, Teil 1",
        "CATEGORIES:Mathematik",
        "CREATED:20261001T060000Z",
      ),
      event(
        "UID:homework-1",
        "DTSTART;VALUE=DATE:20261120",
        "SUMMARY:HA S. 42 Nr. 3–",
        "  7",
        "CATEGORIES:Deutsch",
      ),
    ),
  );
  assert.deepEqual(listOf(feed), [
    "2026-11-16T08:00:00+01:00 info Mathematik",
    "2026-11-20 homework HA S. 42 Nr. 3– 7",
    "2026-11-23T10:00:00+01:00 exam Klausur Analysis, Teil 1",
  ]);
  assert.deepEqual(
    feed.entries.map(({ subjectName }) => subjectName),
    ["Mathematik", "Mathematik", "Deutsch"],
  );
  assert.equal(feed.entries[1]?.createdAt, "2026-10-01T06:00:00Z");
  assert.deepEqual(feed.counts, { read: 3, kept: 3, cancelled: 0 });
});

test("a task due at half past midnight in Berlin is not due the day before", async () => {
  const stamp = await read(calendar(todo("UID:1", "DUE:20261119T233000Z", "SUMMARY:Essay")));
  assert.equal(theOnly(stamp).date, "2026-11-20T00:30:00+01:00");
  const local = await read(
    calendar(...BERLIN, todo("UID:1", "DUE;TZID=Europe/Berlin:20261120T003000", "SUMMARY:Essay")),
    { timeZone: "America/New_York" },
  );
  assert.equal(theOnly(local).date, "2026-11-20T00:30:00+01:00");
  assert.equal(theOnly(local).dateAt, Date.parse("2026-11-19T23:30:00Z"));
});

test("names of Windows for zones are understood", async () => {
  const feed = await read(
    calendar(
      event("UID:1", "DTSTART;TZID=W. Europe Standard Time:20260715T080000", "SUMMARY:Summer"),
      event("UID:2", 'DTSTART;TZID="(UTC-05:00) Eastern Time (US & Canada)":20261116T080000'),
      event("UID:3", "DTSTART;TZID=tzone://Microsoft/Utc:20261116T080000"),
      event("UID:4", "DTSTART;TZID=/freeassociation.sourceforge.net/Asia/Tokyo:20261117T080000"),
      event("UID:5", 'DTSTART;TZID="GMT+0530":20261118T080000'),
    ),
    { timeZone: "America/Sao_Paulo" },
  );
  assert.deepEqual(
    feed.entries.map(({ date }) => date),
    [
      "2026-07-15T08:00:00+02:00",
      "2026-11-16T08:00:00-05:00",
      "2026-11-16T08:00:00+00:00",
      "2026-11-17T08:00:00+09:00",
      "2026-11-18T08:00:00+05:30",
    ],
  );
  assert.deepEqual(feed.notices, []);
});

test("a zone of a calendar's own is read by its rules", async () => {
  const own = BERLIN.map((line) => (line.startsWith("TZID") ? "TZID:Our school" : line));
  const feed = await read(
    calendar(
      ...own,
      event("UID:1", "DTSTART;TZID=Our school:20260715T080000"),
      event("UID:2", "DTSTART;TZID=Our school:20261215T080000"),
    ),
    { timeZone: "UTC" },
  );
  assert.deepEqual(
    feed.entries.map(({ date }) => date),
    ["2026-07-15T08:00:00+02:00", "2026-12-15T08:00:00+01:00"],
  );
});

/** A zone of no known offsets that changes them on other days than any known zone. */
const OWN_ZONE = [
  "BEGIN:VTIMEZONE",
  "TZID:Our school",
  "BEGIN:STANDARD",
  "TZOFFSETFROM:+0215",
  "TZOFFSETTO:+0115",
  "DTSTART:16010101T040000",
  "RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=12",
  "END:STANDARD",
  "BEGIN:DAYLIGHT",
  "TZOFFSETFROM:+0115",
  "TZOFFSETTO:+0215",
  "DTSTART:16010101T030000",
  "RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=5",
  "END:DAYLIGHT",
  "END:VTIMEZONE",
];

test("a zone that matches no known one follows its own rules", async () => {
  const feed = await read(
    calendar(
      ...OWN_ZONE,
      event("UID:1", "DTSTART;TZID=Our school:20260509T080000"),
      event("UID:2", "DTSTART;TZID=Our school:20260510T080000"),
      event("UID:3", "DTSTART;TZID=Our school:20261205T080000"),
      event("UID:4", "DTSTART;TZID=Our school:20261206T080000"),
      event("UID:5", "DTSTART;TZID=Our school:19500101T080000"),
    ),
    { timeZone: "Asia/Tokyo" },
  );
  assert.deepEqual(
    feed.entries.map(({ date }) => date),
    [
      "2026-05-09T08:00:00+01:15",
      "2026-05-10T08:00:00+02:15",
      "2026-12-05T08:00:00+02:15",
      "2026-12-06T08:00:00+01:15",
      "1950-01-01T08:00:00+01:15",
    ],
  );
  assert.deepEqual(feed.notices, []);
});

test("a name of a zone belongs to its own calendar of a file (RFC 5545 3.8.3.1)", async () => {
  const fixed = (offset: string) => [
    "BEGIN:VTIMEZONE",
    "TZID:Our school",
    "BEGIN:STANDARD",
    `TZOFFSETFROM:${offset}`,
    `TZOFFSETTO:${offset}`,
    "DTSTART:16010101T000000",
    "END:STANDARD",
    "END:VTIMEZONE",
  ];
  const at = (uid: string) => event(`UID:${uid}`, "DTSTART;TZID=Our school:20260509T080000");
  const feed = await read(
    [
      calendar(...fixed("+0115"), at("first")),
      // A zone may come after what refers to it.
      calendar(at("second"), ...fixed("-0330")),
      calendar(at("third")),
    ].join(""),
    { timeZone: "Asia/Tokyo" },
  );
  assert.deepEqual(
    feed.entries.map(({ date }) => date),
    ["2026-05-09T08:00:00+01:15", "2026-05-09T08:00:00-03:30", "2026-05-09T08:00:00+09:00"],
  );
  assert.deepEqual(
    feed.notices.map(({ code }) => code),
    ["unknown-zone"],
  );
});

test("a zone of the calendar's own is found by a name that needs escapes", async () => {
  const own = OWN_ZONE.map((line) =>
    line.replace("TZID:Our school", String.raw`TZID:Our\, school`),
  );
  const feed = await read(
    calendar(...own, event("UID:1", 'DTSTART;TZID="Our, school":20261206T080000')),
  );
  assert.equal(theOnly(feed).date, "2026-12-06T08:00:00+01:15");
});

test("a series in a zone of the calendar's own keeps its clock time", async () => {
  const series = [
    "UID:1",
    "DTSTART;TZID=Our school:20261122T080000",
    "RRULE:FREQ=WEEKLY;UNTIL=20261213T064500Z",
    "EXDATE;TZID=Our school:20261129T080000",
  ];
  const change = [
    "UID:1",
    "RECURRENCE-ID;TZID=Our school:20261213T080000",
    "DTSTART;TZID=Our school:20261214T090000",
  ];
  const feed = await read(calendar(...OWN_ZONE, event(...series), event(...change)));
  assert.deepEqual(
    feed.entries.map(({ date }) => date),
    ["2026-11-22T08:00:00+02:15", "2026-12-06T08:00:00+01:15", "2026-12-14T09:00:00+01:15"],
  );
});

test("an own zone begins and ends its summer time by the year, and by listed dates", async () => {
  const lines = [
    "BEGIN:VTIMEZONE",
    "TZID:Here",
    "BEGIN:STANDARD",
    "TZOFFSETFROM:+005328",
    "TZOFFSETTO:+0100",
    "DTSTART:19200101T000000",
    "RDATE:20250902T030000,20260902T030000",
    "END:STANDARD",
    "BEGIN:DAYLIGHT",
    "TZOFFSETFROM:+0100",
    "TZOFFSETTO:+0200",
    "DTSTART:20250402T020000",
    "RRULE:FREQ=YEARLY;UNTIL=20260402T010000Z",
    "END:DAYLIGHT",
    "END:VTIMEZONE",
  ];
  const dates = ["19190101", "20250101", "20250701", "20260701", "20261001", "20270701"];
  const feed = await read(
    calendar(
      ...lines,
      ...dates.map((day, index) => event(`UID:${index}`, `DTSTART;TZID=Here:${day}T080000`)),
    ),
  );
  assert.deepEqual(
    feed.entries.map(({ date }) => date?.slice(-6)),
    ["+00:53", "+01:00", "+02:00", "+02:00", "+01:00", "+01:00"],
  );
});

test("a zone whose rules cannot be followed is the account's, with a notice", async () => {
  for (const [from, to] of [
    ["TZOFFSETTO:+0215", "TZOFFSETTO:+2515"],
    ["TZOFFSETTO:+0215", "X-NOTHING:1"],
    ["FREQ=YEARLY;BYDAY=2SU", "FREQ=SECONDLY;BYDAY=2SU"],
    ["FREQ=YEARLY;BYDAY=2SU", "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR"],
    ["FREQ=YEARLY;BYDAY=2SU", "FREQ=YEARLY;BYDAY=nonsense"],
    ["DTSTART:16010101T030000", "DTSTART:never"],
  ] as const) {
    const own = OWN_ZONE.map((line) => line.replace(from, to));
    const feed = await read(
      calendar(...own, event("UID:1", "DTSTART;TZID=Our school:20261116T080000")),
      { timeZone: "Asia/Tokyo" },
    );
    assert.equal(theOnly(feed).date, "2026-11-16T08:00:00+09:00", to);
    assert.deepEqual(feed.notices, [{ code: "unknown-zone", count: 1, examples: ["Our school"] }]);
  }
});

test("a series is expanded in its zone, a UTC time in UTC", async () => {
  const rule = "RRULE:FREQ=DAILY;BYDAY=MO;COUNT=2";
  const feed = await read(
    calendar(
      event("UID:1", 'DTSTART;TZID="UTC+05:30":20261116T003000', rule),
      event("UID:2", "DTSTART:20261116T003000Z", rule),
      event("UID:3", "DTSTART;TZID=Pacific Standard Time:20261116T003000", rule),
      event("UID:4", "DTSTART:20261116T003000", rule),
    ),
    { timeZone: "Asia/Tokyo" },
  );
  assert.deepEqual(
    feed.entries.map(({ date }) => date),
    [
      "2026-11-16T00:30:00+05:30",
      "2026-11-23T00:30:00+05:30",
      "2026-11-16T09:30:00+09:00",
      "2026-11-23T09:30:00+09:00",
      "2026-11-16T00:30:00-08:00",
      "2026-11-23T00:30:00-08:00",
      "2026-11-16T00:30:00+09:00",
      "2026-11-23T00:30:00+09:00",
    ],
  );
});

test("an unknown zone is read as the account's, with a notice", async () => {
  const feed = await read(calendar(event("UID:1", "DTSTART;TZID=Mars/Olympus:20261116T080000")));
  assert.equal(theOnly(feed).date, "2026-11-16T08:00:00+01:00");
  assert.deepEqual(feed.notices, [{ code: "unknown-zone", count: 1, examples: ["Mars/Olympus"] }]);
});

test("a time without a zone is one of the account, also beside rules for another zone", async () => {
  const source = calendar(...BERLIN, event("UID:1", "DTSTART:20261116T080000", "SUMMARY:Club"));
  const feed = await read(source, { timeZone: "Asia/Tokyo" });
  assert.equal(theOnly(feed).date, "2026-11-16T08:00:00+09:00");
});

test("whole days stay whole days, in every zone", async () => {
  const source = calendar(
    event("UID:1@google.com", "DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261225"),
    event("UID:2@google.com", "DTSTART:20261231", "SUMMARY:Test"),
    event("UID:3@outlook.com", "DTSTART;VALUE=DATE:20270101T000000"),
  );
  for (const timeZone of ["Pacific/Auckland", "Europe/Berlin", "Pacific/Pago_Pago"]) {
    const feed = await read(source, { timeZone });
    assert.deepEqual(
      feed.entries.map(({ date, dateAt }) => [date, dateAt]),
      [
        ["2026-12-24", Date.parse("2026-12-24T00:00:00Z")],
        ["2026-12-31", Date.parse("2026-12-31T00:00:00Z")],
        ["2027-01-01", Date.parse("2027-01-01T00:00:00Z")],
      ],
    );
  }
});

test("tasks have the date on which they are due", async () => {
  const feed = await read(
    calendar(
      todo("UID:1", "DUE;VALUE=DATE:20261120", "DTSTART;VALUE=DATE:20261110", "SUMMARY:Read ch. 4"),
      todo("UID:2", "DTSTART;VALUE=DATE:20261121", "SUMMARY:Begin"),
      todo("UID:3", "SUMMARY:Some day"),
      todo("UID:4", "DUE;TZID=Europe/Berlin:20261122T235900", "SUMMARY:Worksheet"),
    ),
  );
  assert.deepEqual(listOf(feed), [
    "2026-11-20 task Read ch. 4",
    "2026-11-21 task Begin",
    "2026-11-22T23:59:00+01:00 homework Worksheet",
  ]);
  assert.deepEqual(skippedOf(feed), ["2 no-date"]);
});

test("a rule may end with a local time, or with a time beside whole days", async () => {
  const feed = await read(
    calendar(
      event(
        "UID:local",
        "DTSTART;TZID=Europe/Berlin:20261116T080000",
        "RRULE:FREQ=DAILY;UNTIL=20261118T080000",
        "SUMMARY:Local",
      ),
      event(
        "UID:days",
        "DTSTART;VALUE=DATE:20261116",
        "RRULE:FREQ=DAILY;UNTIL=20261117T230000Z",
        "SUMMARY:Days",
      ),
      // Outlook writes midnight in Berlin as a UTC time of the day before.
      event(
        "UID:outlook",
        "DTSTART;VALUE=DATE:20261120",
        "RRULE:FREQ=DAILY;UNTIL=20261119T230000Z",
        "SUMMARY:Outlook",
      ),
    ),
  );
  assert.deepEqual(listOf(feed), [
    "2026-11-16 task Days",
    "2026-11-16T08:00:00+01:00 task Local",
    "2026-11-17 task Days",
    "2026-11-17T08:00:00+01:00 task Local",
    "2026-11-18T08:00:00+01:00 task Local",
    "2026-11-20 task Outlook",
  ]);
});

test("the parts of a rule count in any order", async () => {
  const rule = "RRULE:COUNT=2;INTERVAL=2;FREQ=WEEKLY";
  const feed = await read(calendar(event("UID:1", "DTSTART;VALUE=DATE:20261116", rule)));
  assert.deepEqual(
    feed.entries.map(({ date }) => date),
    ["2026-11-16", "2026-11-30"],
  );
});

test("a series of tasks is due as long after its start as the first", async () => {
  const feed = await read(
    calendar(
      todo(
        "UID:1",
        "DTSTART;VALUE=DATE:20261116",
        "DUE;VALUE=DATE:20261118",
        "RRULE:FREQ=WEEKLY;COUNT=2",
        "SUMMARY:Homework",
      ),
    ),
  );
  assert.deepEqual(listOf(feed), ["2026-11-18 homework Homework", "2026-11-25 homework Homework"]);
});

const SERIES = [
  "UID:series",
  "DTSTART;TZID=Europe/Berlin:20261012T083000",
  "RRULE:FREQ=WEEKLY;UNTIL=20261116T073000Z",
  "EXDATE;TZID=Europe/Berlin:20261102T083000",
  "SUMMARY:Chemie Unterricht",
];

test("a series keeps its clock time when the clocks change, with its exceptions", async () => {
  const feed = await read(
    calendar(
      ...BERLIN,
      event(...SERIES),
      event(
        "UID:series",
        "RECURRENCE-ID;TZID=Europe/Berlin:20261109T083000",
        "DTSTART;TZID=Europe/Berlin:20261110T140000",
        "SUMMARY:Chemie Klausur",
      ),
    ),
  );
  assert.deepEqual(listOf(feed), [
    "2026-10-19T08:30:00+02:00 info Chemie Unterricht",
    "2026-10-26T08:30:00+01:00 info Chemie Unterricht",
    "2026-11-10T14:00:00+01:00 exam Chemie Klausur",
    "2026-11-16T08:30:00+01:00 info Chemie Unterricht",
  ]);
});

test("an occurrence has one id, changed or not, however its moment is written", async () => {
  const plain = await read(calendar(event(...SERIES)));
  const before = plain.entries.find(({ date }) => date?.startsWith("2026-11-09"));
  for (const moment of [
    ";TZID=Europe/Berlin:20261109T083000",
    ":20261109T073000Z",
    ";VALUE=DATE:20261109",
  ]) {
    const change = event("UID:series", `RECURRENCE-ID${moment}`, "DTSTART:20261110T130000Z");
    const changed = await read(calendar(change, event(...SERIES)));
    const after = changed.entries.find(({ date }) => date?.startsWith("2026-11-10"));
    assert.equal(after?.eventId, before?.eventId, moment);
    assert.equal(after?.title, "Chemie Unterricht");
    assert.equal(changed.entries.length, plain.entries.length);
  }
});

test("a cancelled occurrence, a cancelled entry and a calendar called off are deletions", async () => {
  const one = await read(
    calendar(
      event("UID:a", "DTSTART:20261120T080000Z", "STATUS:CANCELLED", "SUMMARY:Off"),
      event("UID:s", "DTSTART;VALUE=DATE:20261120", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:On"),
      event("UID:s", "RECURRENCE-ID:20261121", "DTSTART:20261121", "STATUS:cancelled"),
    ),
  );
  assert.deepEqual(listOf(one), [
    "2026-11-20 task On",
    "2026-11-20T09:00:00+01:00 task Off cancelled",
    "2026-11-21 task On cancelled",
    "2026-11-22 task On",
  ]);
  assert.deepEqual(one.counts, { read: 3, kept: 2, cancelled: 2 });
  const off = await read(calendar("METHOD:CANCEL", event("UID:a", "DTSTART:20261120T080000Z")));
  assert.equal(theOnly(off).cancelled, true);
});

test("an exclusion of one hour leaves the others of that day", async () => {
  const feed = await read(
    calendar(
      event(
        "UID:1",
        "DTSTART;TZID=Europe/Berlin:20261120T000000",
        "RRULE:FREQ=HOURLY;INTERVAL=8;COUNT=3",
        "EXDATE;TZID=Europe/Berlin:20261120T000000",
      ),
    ),
  );
  assert.deepEqual(
    feed.entries.map(({ date }) => date),
    ["2026-11-20T08:00:00+01:00", "2026-11-20T16:00:00+01:00"],
  );
});

test("whole days can be excluded by their midnight", async () => {
  const feed = await read(
    calendar(
      event(
        "UID:1",
        "DTSTART;VALUE=DATE:20261120",
        "RRULE:FREQ=DAILY;COUNT=3",
        "EXDATE:20261120T230000Z",
      ),
    ),
  );
  assert.deepEqual(
    feed.entries.map(({ date }) => date),
    ["2026-11-20", "2026-11-22"],
  );
});

test("dates that are listed beside or instead of a rule count", async () => {
  const feed = await read(
    calendar(
      event("UID:1", "DTSTART;VALUE=DATE:20261120", "RDATE;VALUE=DATE:20261127,20261204"),
      event(
        "UID:2",
        "DTSTART:20261121T080000Z",
        "RRULE:FREQ=DAILY;COUNT=2",
        "RDATE:20261121T080000Z,20261201T080000Z",
      ),
    ),
  );
  assert.deepEqual(
    listOf(feed).map((line) => line.slice(0, 10)),
    ["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-27", "2026-12-01", "2026-12-04"],
  );
});

test("series are read from 30 days back to 400 ahead, single entries whenever they are", async () => {
  const feed = await read(
    calendar(
      event("UID:1", "DTSTART;VALUE=DATE:19500312", "RRULE:FREQ=DAILY", "SUMMARY:Daily"),
      event("UID:2", "DTSTART;VALUE=DATE:20200101", "SUMMARY:Past"),
      event("UID:3", "DTSTART;VALUE=DATE:20300101", "SUMMARY:Future"),
      event("UID:4", "DTSTART;VALUE=DATE:20200101", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Over"),
    ),
  );
  const daily = feed.entries.filter(({ title }) => title === "Daily");
  assert.deepEqual([daily[0]?.date, daily.at(-1)?.date], ["2026-10-16", "2027-12-20"]);
  assert.equal(daily.length, 431);
  assert.deepEqual(skippedOf(feed), ["3 no-occurrence"]);
  assert.equal(feed.entries.length, 433);
  assert.deepEqual(feed.window, {
    from: Date.parse("2026-10-16T00:00:00Z"),
    to: Date.parse("2027-12-21T00:00:00Z") - 1,
  });
});

test("of two entries with one UID the newer is taken and the other reported", async () => {
  const feed = await read(
    calendar(
      event("UID:1", "SEQUENCE:2", "DTSTART:20261120T080000Z", "SUMMARY:New"),
      event("UID:1", "SEQUENCE:1", "DTSTART:20261119T080000Z", "SUMMARY:Old"),
      event("DTSTART:20261120", "SUMMARY:Nameless"),
      event("DTSTART:20261120", "SUMMARY:Nameless"),
    ),
  );
  assert.deepEqual(listOf(feed), [
    "2026-11-20 task Nameless",
    "2026-11-20T09:00:00+01:00 task New",
  ]);
  assert.deepEqual(skippedOf(feed), ["1 duplicate", "3 duplicate"]);
});

test("ids stay when an entry is moved or renamed, and differ by source", async () => {
  const idOf = async (sourceId: string, ...lines: string[]) =>
    theOnly(await read(calendar(event("UID:1", ...lines)), { sourceId })).eventId;
  const id = await idOf("a", "DTSTART:20261120", "SUMMARY:One");
  assert.equal(await idOf("a", "DTSTART:20261121T080000Z", "SUMMARY:Two"), id);
  assert.notEqual(await idOf("b", "DTSTART:20261120", "SUMMARY:One"), id);
});

test("rules and the default type can be replaced", async () => {
  const feed = await read(calendar(event("UID:1", "DTSTART:20261120", "SUMMARY:Probe: Chor")), {
    rules: [{ type: "rehearsal", words: ["probe"] }],
  });
  assert.equal(theOnly(feed).type, "rehearsal");
  const other = await read(calendar(event("UID:1", "DTSTART:20261120", "SUMMARY:Klausur")), {
    rules: [],
    defaultType: "info",
  });
  assert.equal(theOnly(other).type, "info");
});

test("a change of an occurrence and all later ones is followed", async () => {
  const series = event(
    "UID:choir",
    "DTSTART;TZID=Europe/Berlin:20261005T180000",
    "RRULE:FREQ=WEEKLY;COUNT=8",
    "EXDATE;TZID=Europe/Berlin:20261109T180000",
    "SUMMARY:Choir",
    "CATEGORIES:Music",
  );
  const plain = await read(calendar(series));
  const feed = await read(
    calendar(
      series,
      // One day later and two hours earlier, across the end of summer time.
      event(
        "UID:choir",
        "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261019T180000",
        "DTSTART;TZID=Europe/Berlin:20261020T160000",
        "SUMMARY:Choir in the hall",
      ),
      event(
        "UID:choir",
        "RECURRENCE-ID;TZID=Europe/Berlin:20261102T180000",
        "DTSTART;TZID=Europe/Berlin:20261104T100000",
        "SUMMARY:Concert",
      ),
      event(
        "UID:choir",
        "RECURRENCE-ID;RANGE=THISANDFUTURE:20261123T170000Z",
        "DTSTART:20261123T170000Z",
        "STATUS:CANCELLED",
      ),
    ),
  );
  assert.deepEqual(listOf(feed), [
    "2026-10-20T16:00:00+02:00 task Choir in the hall",
    "2026-10-27T16:00:00+01:00 task Choir in the hall",
    "2026-11-04T10:00:00+01:00 task Concert",
    "2026-11-17T16:00:00+01:00 task Choir in the hall",
    "2026-11-23T18:00:00+01:00 task Choir cancelled",
  ]);
  assert.deepEqual(new Set(feed.entries.map(({ subjectName }) => subjectName)), new Set(["Music"]));
  const ids = new Set(plain.entries.map(({ eventId }) => eventId));
  assert.ok(feed.entries.every(({ eventId }) => ids.has(eventId)));
  assert.deepEqual(feed.notices, []);
});

test("a change of all later occurrences moves days into the window", async () => {
  const feed = await read(
    calendar(
      event("UID:1", "DTSTART;VALUE=DATE:20260810", "RRULE:FREQ=MONTHLY;COUNT=2"),
      event(
        "UID:1",
        "RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20260810",
        "DTSTART;VALUE=DATE:20261110",
      ),
    ),
  );
  assert.deepEqual(
    feed.entries.map(({ date }) => date),
    ["2026-11-10", "2026-12-11"],
  );
});

test("a change of one occurrence counts more than that of a range which begins there", async () => {
  const feed = await read(
    calendar(
      event("UID:1", "DTSTART;VALUE=DATE:20261120", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:a"),
      event("UID:1", "RECURRENCE-ID:20261121", "DTSTART:20261121", "SUMMARY:one"),
      event(
        "UID:1",
        "RECURRENCE-ID;RANGE=THISANDFUTURE:20261121",
        "DTSTART:20261121",
        "SUMMARY:all",
      ),
    ),
  );
  assert.deepEqual(listOf(feed), [
    "2026-11-20 task a",
    "2026-11-21 task one",
    "2026-11-22 task all",
  ]);
  assert.deepEqual(skippedOf(feed), []);
});

test("a range that cannot be followed changes one occurrence, with a notice", async () => {
  for (const [range, start] of [
    ["THISANDPRIOR", "20261122"],
    ["THISANDFUTURE", "20261122T080000Z"],
  ] as const) {
    const feed = await read(
      calendar(
        event("UID:1", "DTSTART;VALUE=DATE:20261120", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:a"),
        event("UID:1", `RECURRENCE-ID;RANGE=${range}:20261121`, `DTSTART:${start}`, "SUMMARY:b"),
      ),
    );
    assert.deepEqual(
      feed.entries.map(({ title }) => title),
      ["a", "b", "a"],
    );
    assert.deepEqual(feed.notices, [{ code: "range-ignored", count: 1, examples: ["1"] }]);
  }
});

test("a second rule adds its occurrences", async () => {
  const feed = await read(
    calendar(
      event(
        "UID:1",
        "DTSTART;VALUE=DATE:20261116",
        "RRULE:FREQ=WEEKLY;COUNT=2",
        "RRULE:FREQ=MONTHLY;BYMONTHDAY=16;COUNT=2",
      ),
      event("UID:2", "DTSTART:20261116", "RRULE:FREQ=WEEKLY;COUNT=2", "RRULE:FREQ=NEVER"),
    ),
  );
  assert.deepEqual(
    feed.entries.map(({ date }) => date),
    ["2026-11-16", "2026-11-23", "2026-12-16"],
  );
  assert.deepEqual(skippedOf(feed), ["1 bad-rule"]);
});

test("an invalid COUNT beside UNTIL is ignored with a notice", async () => {
  const feed = await read(
    calendar(
      event("UID:1", "DTSTART:20261116", "RRULE:FREQ=DAILY;COUNT=-1;UNTIL=20261118"),
      event("UID:2", "DTSTART:20261120", "RRULE:UNTIL=20261121;FREQ=DAILY;count=0"),
      event("UID:3", "DTSTART:20261125", "RRULE:FREQ=DAILY;COUNT=2;UNTIL=20261230"),
    ),
  );
  assert.deepEqual(
    feed.entries.map(({ date }) => date?.slice(-2)),
    ["16", "17", "18", "20", "21", "25", "26"],
  );
  assert.deepEqual(feed.notices, [{ code: "count-ignored", count: 2, examples: ["1", "2"] }]);
});

test("an invalid COUNT without UNTIL is ignored with a notice: the series has no end", async () => {
  const counts = ["-1", "0", "ABC", "", "5.5", "1e3"];
  const feed = await read(
    calendar(
      ...counts.map((count, index) =>
        event(`UID:${index}`, "DTSTART:20271215", `RRULE:FREQ=DAILY;COUNT=${count}`),
      ),
      event("UID:good", "DTSTART:20271215", "RRULE:FREQ=DAILY;COUNT=+2"),
    ),
  );
  // Six days until the end of what is read.
  assert.equal(feed.entries.length, counts.length * 6 + 2);
  assert.deepEqual(feed.notices, [
    { code: "count-ignored", count: counts.length, examples: counts.map((_, index) => `${index}`) },
  ]);
  assert.deepEqual(skippedOf(feed), []);
});

test("white space before a calendar is skipped", async () => {
  const broken = event("DTSTART:never");
  const long = " \n".repeat(500_000);
  for (const space of [
    " ",
    "\r\n  \t",
    "\n\n",
    "\ufeff \n ",
    "\ufeff\ufeff",
    "\u00a0\u3000",
    long,
  ]) {
    const feed = await read(space + calendar(event("UID:1", "DTSTART:20261120"), broken));
    const label = JSON.stringify(space.slice(0, 10));
    assert.equal(theOnly(feed).date, "2026-11-20", label);
    const ends = space.split("\n").length - 1;
    assert.equal(feed.skipped.list[0]?.line, 9 + ends, label);
  }
});

test("lines that are folded inside of a character are unfolded before they are decoded", async () => {
  const text = calendar(event("UID:1", "DTSTART:20261120", "SUMMARY:Prüfung 🧪 für alle"));
  for (const fold of ["\r\n ", "\n\t", "\r "]) {
    // Between all bytes of the title, so inside of each character.
    const [before = "", rest = ""] = text.split("Prüfung");
    const [title = "", after = ""] = `Prüfung${rest}`.split(/(?=\r\nEND)/s, 2);
    const folded = [...Buffer.from(title)].flatMap((byte) => [...Buffer.from(fold), byte]);
    const end = text.slice(text.indexOf(after));
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from(folded), Buffer.from(end)]);
    const spaces = fold === "\n\t" ? ["\ufeff\ufeff", " \n".repeat(2_000), "\u00a0"] : [""];
    for (const space of spaces) {
      const feed = await read(Buffer.concat([Buffer.from(space), bytes]));
      assert.equal(
        theOnly(feed).title,
        "Prüfung 🧪 für alle",
        JSON.stringify([fold, space.length]),
      );
    }
  }
  // What is no UTF-8 without its folds is still refused.
  const latin = Buffer.from(text.replace("🧪", "ü"), "latin1");
  assert.equal(await readError(latin), "bad-encoding");
});

test("a byte order mark, bare line feeds and lower case are accepted", async () => {
  const source = `\ufeff${calendar(event("UID:1", "DTSTART:20261120", "SUMMARY:x"))}`;
  const feed = await read(source.replaceAll("\r\n", "\n").replaceAll("BEGIN", "begin"));
  assert.equal(theOnly(feed).date, "2026-11-20");
});

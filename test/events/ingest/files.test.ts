import assert from "node:assert/strict";
import { test } from "node:test";
import { FILE_LIMITS } from "../../../src/events/ingest/parse-feed.ts";
import { calendar, event, listOf, read, readError, skippedOf, theOnly } from "./read-source.ts";

const FILE = { format: "auto" } as const;

test("a table with commas", async () => {
  const feed = await read(
    'id,type,subject_name,title,date,created_at\r\nx1,exam,Physics,"Waves, part 1",2026-12-01,2026-10-01T08:00:00Z\r\n',
    FILE,
  );
  assert.equal(feed.format, "csv");
  assert.deepEqual(theOnly(feed), {
    eventId: "x1",
    type: "exam",
    because: null,
    subjectName: "Physics",
    title: "Waves, part 1",
    date: "2026-12-01",
    dateAt: Date.parse("2026-12-01T00:00:00Z"),
    createdAt: "2026-10-01T08:00:00Z",
    cancelled: false,
  });
});

test("a CSV file with semicolons, a byte order mark and unknown columns", async () => {
  const feed = await read(
    '\ufeff"Date";"Title";"Room";"Teacher, first"\n2026-12-01T08:30;"Klausur, Mathe";204;Frau Ö\n;;;\n\n2026-12-02;Ausflug;;\n',
    { ...FILE, fileName: "Plan.CSV" },
  );
  assert.deepEqual(listOf(feed), [
    "2026-12-01T08:30:00+01:00 exam Klausur, Mathe",
    "2026-12-02 task Ausflug",
  ]);
  assert.deepEqual(feed.notices, [
    { code: "unknown-columns", count: 2, examples: ["Room", "Teacher, first"] },
  ]);
});

test("cells that a spreadsheet would run stay text", async () => {
  const cells = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1:A9)", '=HYPERLINK("http://x")'];
  const rows = cells.map((cell) => `"${cell.replaceAll('"', '""')}",2026-12-01`);
  const feed = await read(`title,date\n${rows.join("\n")}\n`, FILE);
  assert.deepEqual(
    feed.entries.map(({ title }) => title),
    cells,
  );
});

test("rows that cannot be kept are named with their line", async () => {
  const feed = await read(
    [
      "title,date,id",
      "Good,2026-12-01,a",
      "Bad,2026-02-30,b",
      "Bad,01.12.2026,c",
      "Too,2026-12-01,d,many,cells",
      "Twice,2026-12-02,a",
      "Trailing,2026-12-03,e,,",
      '"Two',
      'lines",2026-12-04,f',
      `Long id,2026-12-05,${"x".repeat(256)}`,
    ].join("\n"),
    FILE,
  );
  assert.deepEqual(listOf(feed), [
    "2026-12-01 task Good",
    "2026-12-03 task Trailing",
    "2026-12-04 task Two lines",
  ]);
  assert.deepEqual(
    feed.skipped.list.map(({ line, reason }) => `${line} ${reason}`),
    ["3 bad-date", "4 bad-date", "5 bad-shape", "6 duplicate", "10 bad-id"],
  );
});

test("a CSV file that cannot be read has an error", async () => {
  const errors = [
    ["name,when\nx,y\n", "bad-header"],
    ["title,title\nx,y\n", "bad-header"],
    ['title,date\n"never closed,2026-12-01\n', "malformed"],
    [`title,date\n"${"x".repeat(200_000)}`, "malformed"],
  ] as const;
  for (const [source, code] of errors) {
    assert.equal(await readError(source, { ...FILE, format: "csv" }), code, source.slice(0, 40));
  }
  const latin = Buffer.from("title,date\nPrüfung,2026-12-01\n", "latin1");
  assert.equal(await readError(latin, FILE), "bad-encoding");
  const wide = Buffer.from("\ufefftitle,date\nx,2026-12-01\n", "utf16le");
  assert.equal(await readError(wide, FILE), "bad-encoding");
});

test("a JSON list, bare or in the form of the service's responses", async () => {
  const events = [
    { id: "1", type: "homework", title: "Essay", date: "2026-12-01", extra: { deep: [1] } },
    { id: 2, title: "Referat: Wale", subject_name: "Bio", date: "2026-12-02T23:30:00Z" },
    { id: "3", type: "info", title: null, date: null, subject_name: "Only a subject" },
    { id: "4", type: "info", title: "Gone", date: "2026-12-03", deleted: true },
  ];
  for (const source of [events, { events, has_more: false }]) {
    const feed = await read(JSON.stringify(source), FILE);
    assert.equal(feed.format, "json");
    assert.deepEqual(
      feed.entries.map(({ eventId, type, date, cancelled }) => [eventId, type, date, cancelled]),
      [
        ["1", "homework", "2026-12-01", false],
        ["2", "presentation", "2026-12-03T00:30:00+01:00", false],
        ["3", "info", null, false],
        ["4", "info", "2026-12-03", true],
      ],
    );
    assert.equal(feed.window, null);
  }
});

test("elements that cannot be kept are named with their index", async () => {
  const elements = [
    null,
    7,
    [],
    {},
    { title: 5, date: "2026-12-01" },
    { title: "x", date: 20_261_201 },
    { title: "x", date: "2026-02-30" },
    { id: { $ne: null }, title: "x" },
    { id: "a\u0000b", title: "x" },
    { type: ["exam"], title: "x" },
    { type: "t".repeat(65), title: "x" },
    { title: " \u0000 " },
    { title: "Good", created_at: "yesterday" },
  ];
  const feed = await read(JSON.stringify({ events: elements }), FILE);
  assert.deepEqual(skippedOf(feed), [
    "0 bad-shape",
    "1 bad-shape",
    "2 bad-shape",
    "3 no-content",
    "4 bad-text",
    "5 bad-date",
    "6 bad-date",
    "7 bad-id",
    "8 bad-id",
    "9 bad-type",
    "10 bad-type",
    "11 no-content",
  ]);
  assert.equal(theOnly(feed).createdAt, null);
});

test("dates and times of creation may have any form of ISO 8601", async () => {
  const elements = [
    { title: "a", date: "2026-W49-2", created_at: "2026-10-01T08:00:00+0200" },
    { title: "b", date: "20261201T1015,5+01", created_at: "20261001T080000Z" },
    { title: "c", date: "2026-12-01T10", created_at: "2026-10-01T08:00:00.123+02:00" },
    { title: "d", date: "2026-11-30T24:00", created_at: "2026-10-01" },
  ];
  const feed = await read(JSON.stringify(elements), FILE);
  assert.deepEqual(
    feed.entries.map(({ date, createdAt }) => [date, createdAt]),
    [
      ["2026-12-01", "2026-10-01T08:00:00+02:00"],
      ["2026-12-01T10:15:30+01:00", "2026-10-01T10:00:00+02:00"],
      ["2026-12-01T10:00:00+01:00", "2026-10-01T08:00:00.123+02:00"],
      ["2026-12-01T00:00:00+01:00", null],
    ],
  );
});

test("members that every object inherits are not members of an event", async () => {
  const feed = await read('[{"__proto__":{"title":"x","date":"2026-12-01"},"title":"Own"}]', FILE);
  assert.deepEqual([theOnly(feed).title, theOnly(feed).date], ["Own", null]);
});

test("without an id the type, title and date are the identity", async () => {
  const idOf = async (member: object, sourceId = "a") => {
    const feed = await read(JSON.stringify([member]), { ...FILE, sourceId });
    return theOnly(feed).eventId;
  };
  const essay = { type: "homework", title: "Essay", date: "2026-12-01" };
  const id = await idOf(essay);
  assert.equal(await idOf({ ...essay, subject_name: "English" }, "b"), id);
  for (const other of [{ type: "exam" }, { title: "Poem" }, { date: "2026-12-02" }]) {
    assert.notEqual(await idOf({ ...essay, ...other }), id);
  }
});

test("a JSON list that cannot be read has an error", async () => {
  for (const source of ['{"events":', '{"events":{}}', '"text"', "{}", "[".repeat(100_000)]) {
    assert.equal(await readError(source, { ...FILE, format: "json" }), "malformed");
  }
});

test("more skipped entries than are listed are counted", async () => {
  const feed = await read(JSON.stringify(Array.from({ length: 300 }, () => null)), FILE);
  assert.deepEqual([feed.skipped.list.length, feed.skipped.total], [100, 300]);
});

test("a format is found by the name of the file, or by how the text begins", async () => {
  const source = calendar(event("UID:1", "DTSTART:20261120", "SUMMARY:x"));
  assert.equal((await read(source, FILE)).format, "ics");
  assert.equal((await read(source, { ...FILE, fileName: "export" })).format, "ics");
  assert.equal(await readError("hello there", FILE), "unknown-format");
  assert.equal(await readError("hello there", { ...FILE, fileName: "x.ics" }), "not-a-calendar");
  assert.equal(await readError("<p>hello</p>", { ...FILE, fileName: "x.csv" }), "html");
});

test("twenty thousand rows take seconds", async () => {
  const limited = { ...FILE, limits: FILE_LIMITS };
  const rows = Array.from({ length: 20_000 }, (_, index) => `Homework ${index},2026-12-01T08:00`);
  const feed = await read(`title,date\n${rows.join("\n")}`, limited);
  assert.equal(feed.counts.kept, 20_000);
  const more = Array.from({ length: 50_001 }, (_, index) => `Homework ${index},2026-12-01`);
  assert.equal(await readError(`title,date\n${more.join("\n")}`, limited), "too-many-entries");
});

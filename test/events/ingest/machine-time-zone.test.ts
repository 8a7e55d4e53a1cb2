import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { calendar, event } from "./read-source.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../../..");
const SOURCE = calendar(
  "BEGIN:VTIMEZONE",
  "TZID:Our school",
  "BEGIN:STANDARD",
  "DTSTART:19700101T000000",
  "TZOFFSETFROM:+0145",
  "TZOFFSETTO:+0145",
  "END:STANDARD",
  "END:VTIMEZONE",
  event("UID:1", "DTSTART:20261120", "RRULE:FREQ=DAILY;COUNT=2"),
  event("UID:2", "DTSTART;TZID=Our school:20261122T080000", "RRULE:FREQ=DAILY;COUNT=2"),
  event("UID:3", "DTSTART;TZID=Nowhere:20261124T080000", "RRULE:FREQ=DAILY;COUNT=2"),
  event("UID:4", "DTSTART:20261126T080000"),
);

/** Reads the calendar in another process; returns the dates. */
async function readDates(module: string, folder: string, timeZone: string): Promise<unknown> {
  const script = join(folder, "read.mjs");
  await writeFile(
    script,
    `import { parseFeed } from ${JSON.stringify(module)};
    const result = await parseFeed(new TextEncoder().encode(${JSON.stringify(SOURCE)}), {
      format: "ics", sourceId: "a", timeZone: "UTC", now: Date.parse("2026-11-15T00:00:00Z"),
    });
    console.log(JSON.stringify(result.kind === "parsed" ? result.feed.entries.map(({ date }) => date) : result));`,
  );
  const env = { ...process.env, TZ: timeZone };
  const { stdout } = await run(process.execPath, [script], { env });
  return JSON.parse(stdout);
}

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  // Beside the packages, so that they are found.
  await mkdir(join(ROOT, ".cache"), { recursive: true });
  const folder = await mkdtemp(join(ROOT, ".cache/ingest-"));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("neither whole days nor unknown zones depend on the zone of this machine", async () => {
  await withFolder(async (folder) => {
    const module = join(ROOT, "src/events/ingest/parse-feed.ts");
    for (const timeZone of ["Pacific/Auckland", "America/Los_Angeles"]) {
      const dates = await readDates(module, folder, timeZone);
      assert.deepEqual(
        dates,
        [
          "2026-11-20",
          "2026-11-21",
          "2026-11-22T08:00:00+01:45",
          "2026-11-23T08:00:00+01:45",
          "2026-11-24T08:00:00+00:00",
          "2026-11-25T08:00:00+00:00",
          "2026-11-26T08:00:00+00:00",
        ],
        timeZone,
      );
    }
  });
});

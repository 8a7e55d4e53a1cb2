import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParsedEntry } from "../../rules/events/ingest/entry.ts";
import { MAX_TEXT_CHARACTERS } from "../../rules/events/ingest/limits.ts";
import { createFeedBuilder } from "./feed-builder.ts";

const SETTINGS = { sourceId: "school", timeZone: "UTC", now: 0 };

function entryOf(eventId: string, title: string): ParsedEntry {
  return {
    eventId,
    type: "task",
    because: null,
    date: "2026-11-20",
    dateAt: 0,
    createdAt: null,
    subjectName: null,
    title,
    cancelled: false,
  };
}

test("entries whose texts together are too large for a message to another thread are refused", () => {
  const title = "x".repeat(MAX_TEXT_CHARACTERS);
  const mostEntries = 20_000_000 / title.length;
  for (const [count, kind] of [
    [mostEntries, "parsed"],
    [mostEntries + 1, "failed"],
  ] as const) {
    const builder = createFeedBuilder("ics", SETTINGS, () => {});
    let taken = 0;
    for (let index = 0; index < count; index++) {
      const position = { index, line: index, uid: null };
      if (builder.add(entryOf(`e${index}`, title), position)) taken++;
    }
    const result = builder.finish(null);
    assert.deepEqual([taken, result.kind], [mostEntries, kind]);
    if (result.kind === "failed") assert.equal(result.error.code, "too-large");
  }
});

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { calendarEventId, fileEventId } from "./event-id.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("base64url");
const idOf = (uid: string | null, recurrenceId: string | null, title = "Title", start = "x") =>
  calendarEventId(hash, "source", uid, recurrenceId, title, start);

test("with a UID, title and start do not change the id", () => {
  assert.equal(idOf("a", null, "Old", "2026-01-01"), idOf("a", null, "New", "2026-01-02"));
});

test("source, UID and occurrence make different ids", () => {
  const ids = [
    idOf("a", null),
    idOf("b", null),
    idOf("a", "20260101"),
    idOf("a", "20260102"),
    idOf("__proto__", null),
    calendarEventId(hash, "other", "a", null, null, "x"),
  ];
  assert.equal(new Set(ids).size, ids.length);
});

test("without a UID the title and the start are the identity", () => {
  assert.equal(idOf(null, null), idOf(null, null));
  assert.notEqual(idOf(null, null), idOf(null, null, "Other"));
  assert.notEqual(idOf(null, null), idOf(null, null, "Title", "y"));
});

test("parts cannot run into each other", () => {
  assert.notEqual(idOf('a","b', null), idOf("a", "b"));
  assert.notEqual(fileEventId(hash, "a", "b", null), fileEventId(hash, "a", null, "b"));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { readEventList } from "./read-event-list.ts";

const event = {
  id: "e1",
  type: "exam",
  subject_name: "Mathematics",
  title: "Algebra",
  date: "2026-08-21",
  created_at: "2026-08-01T00:00:00Z",
};

test("a response without a list is an empty one", () => {
  const nothing = { entries: [], hasMore: null, nextUpdatedSince: null, serverTime: null };
  assert.deepEqual(readEventList({}), nothing);
  assert.deepEqual(readEventList({ events: null, unknown: 1 }), nothing);
});

test("what is no object, or has something else for a list, is no list", () => {
  for (const value of [null, 1, "events", [], [event], { events: {} }, { events: "none" }]) {
    assert.equal(readEventList(value), null);
  }
});

test("unknown members are dropped, missing and odd ones are null", () => {
  const page = readEventList({
    events: [
      { ...event, color: "red", deleted: "yes" },
      { id: "e2", type: "", title: 7, date: {}, subject_name: [] },
    ],
  });
  const bare = { subject_name: null, title: null, date: null, created_at: null };
  assert.deepEqual(page?.entries, [
    { kind: "event", event },
    { kind: "event", event: { id: "e2", type: "", ...bare } },
  ]);
});

test("an entry without its two required members is set aside, and named if it can be", () => {
  const page = readEventList({
    events: [
      null,
      "e1",
      [event],
      { type: "exam" },
      { ...event, id: 7 },
      { ...event, id: "" },
      { id: "e9" },
    ],
  });
  assert.deepEqual(
    page?.entries.map((entry) => entry.kind === "unreadable" && entry.entry),
    [
      { reason: "not-an-object", id: null },
      { reason: "not-an-object", id: null },
      { reason: "not-an-object", id: null },
      { reason: "missing-id", id: null },
      { reason: "missing-id", id: null },
      { reason: "missing-id", id: null },
      { reason: "missing-type", id: "e9" },
    ],
  );
});

test("a deletion is no event", () => {
  const page = readEventList({ events: [{ ...event, type: "info", deleted: true }] });
  assert.deepEqual(page?.entries, [{ kind: "deleted", id: "e1" }]);
});

test("extensions are read when they are valid", () => {
  const read = (extras: object) => {
    const page = readEventList({ events: [], ...extras });
    return [page?.hasMore, page?.nextUpdatedSince, page?.serverTime];
  };
  const stamp = "2026-08-21T10:00:00.001Z";
  assert.deepEqual(read({ has_more: true, next_updated_since: stamp, server_time: stamp }), [
    true,
    stamp,
    Date.parse(stamp),
  ]);
  assert.deepEqual(read({ has_more: "true", next_updated_since: "soon", server_time: 5 }), [
    null,
    null,
    null,
  ]);
});

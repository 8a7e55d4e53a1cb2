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
  const nothing = {
    entries: [],
    extras: [],
    hasMore: null,
    nextUpdatedSince: null,
    serverTime: null,
  };
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

test("a deletion is no event of a service that announces deletions", () => {
  const events = [
    { ...event, type: "info", deleted: true },
    { id: "e2", deleted: true },
  ];
  assert.deepEqual(readEventList({ events, extras: ["deletions"] })?.entries, [
    { kind: "deleted", id: "e1" },
    { kind: "deleted", id: "e2" },
  ]);
});

test("the member deleted of another service is one that the contract does not know", () => {
  for (const extras of [undefined, [], ["pages", "server_time"], "deletions"]) {
    const page = readEventList({ events: [{ ...event, deleted: true }], extras });
    assert.deepEqual(page?.entries, [{ kind: "event", event }]);
  }
});

const stamp = "2026-08-21T10:00:00.001Z";
const members = { has_more: true, next_updated_since: stamp, server_time: stamp };
const read = (value: object) => {
  const page = readEventList({ events: [], ...value });
  return [page?.hasMore, page?.nextUpdatedSince, page?.serverTime];
};

test("extras are read when they are announced, and valid", () => {
  const extras = ["pages", "server_time"];
  assert.deepEqual(read({ ...members, extras }), [true, stamp, Date.parse(stamp)]);
  assert.deepEqual(read({ ...members, extras: ["pages"] }), [true, stamp, null]);
  assert.deepEqual(read({ ...members, extras: ["server_time"] }), [null, null, Date.parse(stamp)]);
  const odd = { has_more: "true", next_updated_since: "soon", server_time: 5, extras };
  assert.deepEqual(read(odd), [null, null, null]);
});

test("stamps have every form of ISO 8601 that names a moment", () => {
  const extras = ["pages", "server_time"];
  for (const text of ["2026-08-21T12:00:00.001+0200", "20260821T100000,001z"]) {
    const page = { ...members, extras, next_updated_since: text, server_time: text };
    assert.deepEqual(read(page), [true, text, Date.parse(stamp)]);
  }
  const odd = {
    ...members,
    extras,
    next_updated_since: "2026-08-21",
    server_time: "2026-W34-5T10",
  };
  assert.deepEqual(read(odd), [true, null, null]);
});

test("members of the same names without an announcement are ignored", () => {
  for (const extras of [undefined, null, [], "pages", { pages: true }, ["Pages", 7, null]]) {
    assert.deepEqual(read({ ...members, extras }), [null, null, null]);
  }
});

test("an extra that this client does not know is no extra", () => {
  const page = readEventList({ extras: ["webhooks", "pages", "pages", "__proto__"] });
  assert.deepEqual(page?.extras, ["pages"]);
});

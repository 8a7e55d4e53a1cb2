import assert from "node:assert/strict";
import { test } from "node:test";
import { createChecker } from "../../../contract/check.ts";
import { DeletedEvent, WireEvent } from "../../../contract/events/schemas.ts";
import { eventToWire } from "./event-to-wire.ts";

const event = {
  eventId: "e-1",
  type: "exam",
  subjectName: "Mathematics",
  title: "Fractions",
  date: "2026-03-01T08:00:00+01:00",
  createdAt: "2026-01-01T00:00:00Z",
  deletedAt: null,
};

test("an event has its six members, in this order", () => {
  assert.equal(
    JSON.stringify(eventToWire(event)),
    '{"id":"e-1","type":"exam","subject_name":"Mathematics","title":"Fractions","date":"2026-03-01T08:00:00+01:00","created_at":"2026-01-01T00:00:00Z"}',
  );
  assert.ok(createChecker(WireEvent).is(eventToWire(event)));
});

test("missing content is null, not absent", () => {
  const bare = eventToWire({ ...event, subjectName: null, title: null, date: null });
  assert.equal(
    JSON.stringify(bare),
    '{"id":"e-1","type":"exam","subject_name":null,"title":null,"date":null,"created_at":"2026-01-01T00:00:00Z"}',
  );
  assert.ok(createChecker(WireEvent).is(bare));
});

test("a deleted event is an info without a date and without content", () => {
  const deleted = eventToWire({ ...event, deletedAt: 1 });
  assert.equal(
    JSON.stringify(deleted),
    '{"id":"e-1","type":"info","subject_name":null,"title":null,"date":null,"created_at":"2026-01-01T00:00:00Z","deleted":true}',
  );
  assert.ok(createChecker(DeletedEvent).is(deleted));
});

test("an event deleted at time 0 is deleted", () => {
  assert.ok("deleted" in eventToWire({ ...event, deletedAt: 0 }));
});

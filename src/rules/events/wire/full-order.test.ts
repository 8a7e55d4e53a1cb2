import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareFullOrder, fullOrderGroup, upcomingFrom } from "./full-order.ts";

const HOUR = 3_600_000;
const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
const now = Date.parse("2026-03-10T15:00:00Z");

test("upcoming events by date, past ones newest first, then those without a date", () => {
  const events = [
    { eventId: "undated-b", dateAt: null },
    { eventId: "old", dateAt: day("2025-01-01") },
    { eventId: "later", dateAt: day("2026-04-01") },
    { eventId: "today", dateAt: day("2026-03-10") },
    { eventId: "undated-a", dateAt: null },
    { eventId: "recent", dateAt: day("2026-03-01") },
    { eventId: "tomorrow", dateAt: day("2026-03-11") },
  ];
  const from = upcomingFrom(now);
  assert.deepEqual(
    events.toSorted((a, b) => compareFullOrder(a, b, from)).map(({ eventId }) => eventId),
    ["today", "tomorrow", "later", "recent", "old", "undated-a", "undated-b"],
  );
});

test("a whole day is upcoming until it has ended everywhere", () => {
  const yesterday = day("2026-03-09");
  const groupAt = (text: string) => fullOrderGroup(yesterday, upcomingFrom(Date.parse(text)));
  assert.equal(groupAt("2026-03-09T23:59:59Z"), 0);
  assert.equal(groupAt("2026-03-10T11:59:59.999Z"), 0, "it still is that day at UTC-12:00");
  assert.equal(groupAt("2026-03-10T12:00:00Z"), 1);
});

test("an event of today is upcoming, in whatever zone today is", () => {
  const moments = fc.date({
    min: new Date("1971-01-01T00:00:00Z"),
    max: new Date("2100-01-01T00:00:00Z"),
    noInvalidDate: true,
  });
  const offsets = fc.integer({ min: -12 * 4, max: 14 * 4 }).map((quarters) => quarters * 15);
  fc.assert(
    fc.property(
      moments,
      offsets,
      fc.integer({ min: 0, max: 24 * 60 - 1 }),
      (date, offset, minute) => {
        const localNow = date.getTime() + offset * 60_000;
        const midnight = Math.floor(localNow / (24 * HOUR)) * 24 * HOUR;
        const from = upcomingFrom(date.getTime());
        assert.equal(fullOrderGroup(midnight, from), 0, "a whole day");
        assert.equal(fullOrderGroup(midnight + (minute - offset) * 60_000, from), 0, "a time");
      },
    ),
  );
});

test("an event of two days ago is past in every zone", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 24 * 60 - 1 }), (minute) => {
      const from = upcomingFrom(day("2026-03-10") + minute * 60_000);
      assert.equal(fullOrderGroup(day("2026-03-08"), from), 1);
    }),
  );
});

test("the order is one: equal dates are decided by id, the past is the mirror of the future", () => {
  const event = fc.record({
    eventId: fc.string({ maxLength: 3 }),
    dateAt: fc.option(fc.integer({ min: -3, max: 3 })),
  });
  const events = fc.uniqueArray(event, { selector: ({ eventId }) => eventId, maxLength: 12 });
  fc.assert(
    fc.property(events, fc.integer({ min: -3, max: 3 }), (list, from) => {
      const sort = (items: typeof list) => items.toSorted((a, b) => compareFullOrder(a, b, from));
      assert.deepEqual(sort(list.toReversed()), sort(list));
      const dated = (group: 0 | 1) =>
        sort(list.filter(({ dateAt }) => fullOrderGroup(dateAt, from) === group));
      const forward = (items: typeof list) =>
        items.toSorted((a, b) => compareFullOrder(a, b, -Infinity));
      assert.deepEqual(dated(0), forward(dated(0)));
      assert.deepEqual(dated(1), forward(dated(1)).toReversed());
    }),
  );
});

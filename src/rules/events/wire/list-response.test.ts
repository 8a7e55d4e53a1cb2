import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createChecker } from "../../../contract/check.ts";
import { EventList } from "../../../contract/events/schemas.ts";
import { eventToWire } from "./event-to-wire.ts";
import { createListResponse, nextSince, type EventPage } from "./list-response.ts";
import { parseListQuery, type ListQuery } from "./parse-list-query.ts";
import { parseParameters } from "./parse-parameters.ts";

const ISSUER = "https://events.example.com";
const NOW = Date.parse("2026-03-01T12:00:00.5Z");
const query = { limit: 2, updatedSince: null, includeDeleted: false };
const textOf = (eventId: string) =>
  JSON.stringify(
    eventToWire({
      eventId,
      type: "exam",
      subjectName: null,
      title: null,
      date: null,
      createdAt: "2026-01-01T00:00:00Z",
      deletedAt: null,
    }),
  );

/** Returns the response with the parts of its body together. */
function respond(page: EventPage, asked: ListQuery) {
  const { body, link } = createListResponse(page, asked, NOW, ISSUER);
  return { body: body.join(""), link };
}

test("a response has the members of the contract, in this order", () => {
  const page = { text: `${textOf("a")},${textOf("b")}`, hasMore: true, lastStamp: 1000 };
  const { body, link } = respond(page, { ...query, updatedSince: 7 });
  assert.equal(
    body,
    `{"events":[${textOf("a")},${textOf("b")}],"has_more":true,"next_updated_since":"1970-01-01T00:00:01.001Z","server_time":"2026-03-01T12:00:00.500Z","extras":["deletions","pages","server_time"]}`,
  );
  assert.ok(createChecker(EventList).is(JSON.parse(body)));
  assert.equal(
    link,
    '<https://events.example.com/api/events?limit=2&updated_since=1970-01-01T00%3A00%3A01.001Z>; rel="next"',
  );
});

test("the link keeps include_deleted", () => {
  const page = { text: textOf("a"), hasMore: true, lastStamp: 0 };
  const asked = { limit: 1, updatedSince: 0, includeDeleted: true };
  const { link } = respond(page, asked);
  const target = /<([^>]+)>/.exec(link ?? "")?.[1] ?? "";
  assert.deepEqual(parseListQuery(parseParameters(new URL(target).search.slice(1))), {
    kind: "accepted",
    query: { limit: 1, updatedSince: 1, includeDeleted: true },
  });
});

test("an empty page is a valid response", () => {
  const page = { text: "", hasMore: false, lastStamp: null };
  assert.deepEqual(respond(page, query), {
    body: '{"events":[],"has_more":false,"next_updated_since":"1970-01-01T00:00:00.000Z","server_time":"2026-03-01T12:00:00.500Z","extras":["deletions","pages","server_time"]}',
    link: null,
  });
});

for (const [what, page, since, next] of [
  [
    "a full read that did not fit begins at the beginning",
    { hasMore: true, lastStamp: 9 },
    null,
    0,
  ],
  ["a full read that fitted goes on after it", { hasMore: false, lastStamp: 9 }, null, 10],
  ["an empty full read leaves everything open", { hasMore: false, lastStamp: null }, null, 0],
  ["changes go on after the last", { hasMore: true, lastStamp: 9 }, 5, 10],
  ["the last changes too", { hasMore: false, lastStamp: 9 }, 5, 10],
  ["no change: the same moment again", { hasMore: false, lastStamp: null }, 5, 5],
  ["a future moment comes back as now", { hasMore: false, lastStamp: null }, NOW + 1, NOW],
  ["a moment before 1970 comes back as 1970", { hasMore: false, lastStamp: null }, -5, 0],
] as const) {
  test(`next: ${what}`, () => assert.equal(nextSince(page, since, NOW), next));
}

test("every next_updated_since is a valid updated_since", () => {
  const years = ["0000-01-01", "9999-12-31T23:59:59-23:59", "1970-01-01", "2026-03-01T12:00:00"];
  for (const text of years) {
    const parsed = parseListQuery(
      parseParameters(`limit=1&updated_since=${encodeURIComponent(text)}`),
    );
    assert.ok(parsed.kind === "accepted");
    const page = { text: "", hasMore: false, lastStamp: null };
    const { body } = respond(page, parsed.query);
    assert.ok(createChecker(EventList).is(JSON.parse(body)), body);
  }
});

/** An account in the store: every change gets a greater stamp. */
function createAccount() {
  const stampById = new Map<string, number>();
  let last = 0;
  const toPage = (entries: [string, number][], limit: number): EventPage => {
    const page = entries.slice(0, limit);
    return {
      text: page.map(([id]) => id).join(","),
      hasMore: entries.length > limit,
      lastStamp: page.length === 0 ? null : Math.max(...page.map(([, stamp]) => stamp)),
    };
  };
  return {
    stampById,
    change(id: string, now: number) {
      last = Math.max(now, last + 1);
      stampById.set(id, last);
    },
    list(since: number | null, limit: number) {
      const entries = [...stampById];
      if (since === null) return toPage(entries, limit);
      const changed = entries.filter(([, stamp]) => stamp >= since);
      return toPage(
        changed.toSorted(([, a], [, b]) => a - b),
        limit,
      );
    },
  };
}

const change = fc.record({
  kind: fc.constant("change" as const),
  id: fc.constantFrom("a", "b", "c", "d", "e"),
});
const read = fc.record({ kind: fc.constant("read" as const) });
const clock = (min: number) =>
  fc.record({ kind: fc.constant("clock" as const), by: fc.integer({ min, max: 50 }) });

/** What a client has seen that follows `next` from `start` to the end. */
function follow(
  account: ReturnType<typeof createAccount>,
  steps: readonly (
    | { kind: "change"; id: string }
    | { kind: "clock"; by: number }
    | { kind: "read" }
  )[],
  start: number | null,
  limit: number,
): Map<string, number> {
  const seen = new Map<string, number>();
  let now = 100;
  let since = start;
  const readPage = () => {
    const page = account.list(since, limit);
    for (const id of page.text.match(/[^,]+/g) ?? []) seen.set(id, account.stampById.get(id) ?? -1);
    since = nextSince(page, since, now);
    return page.hasMore;
  };
  for (const step of steps) {
    if (step.kind === "change") account.change(step.id, now);
    else if (step.kind === "clock") now += step.by;
    else readPage();
  }
  for (let round = 0; readPage(); round++) assert.ok(round < 100, "it comes to an end");
  return seen;
}

const limits = fc.integer({ min: 1, max: 4 });

test("a client that follows next_updated_since sees the last state of everything", () => {
  const steps = fc.array(fc.oneof(change, clock(-50), read), { maxLength: 60 });
  fc.assert(
    fc.property(steps, limits, fc.constantFrom(null, 0), (list, limit, start) => {
      const account = createAccount();
      const seen = follow(account, list, start, limit);
      assert.deepEqual(new Map([...seen].sort()), new Map([...account.stampById].sort()));
    }),
    { numRuns: 500 },
  );
});

test("a client whose clock was ahead misses nothing from its first response on", () => {
  const steps = fc.array(fc.oneof(change, clock(0), read), { maxLength: 60 });
  fc.assert(
    fc.property(steps, limits, (list, limit) => {
      const account = createAccount();
      const seen = follow(account, [{ kind: "read" }, ...list], 1_000_000, limit);
      assert.deepEqual(new Map([...seen].sort()), new Map([...account.stampById].sort()));
    }),
  );
});

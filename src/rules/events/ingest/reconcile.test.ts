import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS } from "../../../contract/durations.ts";
import type { ParsedEntry } from "./entry.ts";
import {
  reconcile,
  type KnownEvent,
  type ReconcileOptions,
  type Reconciliation,
} from "./reconcile.ts";

const NOW = Date.parse("2026-11-15T12:00:00Z");
const WINDOW = { from: NOW - 30 * DAY_MS, to: NOW + 400 * DAY_MS };
const FETCH: ReconcileOptions = { mode: "subscription", now: NOW };

/** `days` from now. */
function entry(eventId: string, days = 1, more: Partial<ParsedEntry> = {}): ParsedEntry {
  const dateAt = NOW + days * DAY_MS;
  return {
    eventId,
    type: "task",
    because: null,
    subjectName: null,
    title: eventId,
    date: new Date(dateAt).toISOString(),
    dateAt,
    createdAt: null,
    cancelled: false,
    ...more,
  };
}

function known(eventId: string, days = 1, more: Partial<KnownEvent> = {}): KnownEvent {
  const { type, subjectName, title, date, dateAt } = entry(eventId, days);
  return { eventId, type, subjectName, title, date, dateAt, deletedAt: null, missing: 0, ...more };
}

const feedOf = (...entries: ParsedEntry[]) => ({ entries, window: WINDOW });
const idsOf = (entries: readonly ParsedEntry[]) => entries.map(({ eventId }) => eventId);

test("new entries are added, others changed only when their content is another", () => {
  const stored = [known("same"), known("renamed"), known("moved"), known("typed")];
  const result = reconcile(
    stored,
    feedOf(
      entry("same", 1, { createdAt: "2026-01-01T00:00:00Z" }),
      entry("renamed", 1, { title: "New" }),
      entry("moved", 2),
      entry("typed", 1, { type: "exam" }),
      entry("new"),
    ),
    FETCH,
  );
  assert.deepEqual(idsOf(result.added), ["new"]);
  assert.deepEqual(idsOf(result.changed), ["renamed", "moved", "typed"]);
  assert.deepEqual(result.deleted, []);
  assert.equal(result.warning, null);
});

test("an entry is deleted when it is missing for the second time in a row", () => {
  const others = [known("a"), known("b")];
  const feed = feedOf(entry("a"), entry("b"));
  const first = reconcile([...others, known("gone")], feed, FETCH);
  assert.deepEqual([first.missingOnce, first.deleted], [["gone"], []]);
  const second = reconcile([...others, known("gone", 1, { missing: 1 })], feed, FETCH);
  assert.deepEqual([second.missingOnce, second.deleted], [[], ["gone"]]);
});

test("an entry that is back after it was missing once is no longer counted as missing", () => {
  const result = reconcile([known("a", 1, { missing: 1 })], feedOf(entry("a")), FETCH);
  assert.deepEqual(result.returned, ["a"]);
  assert.deepEqual(result.changed, []);
});

test("a past event is never deleted, and gives no warning", () => {
  const stored = [known("a"), known("past", -1, { missing: 1 }), known("b")];
  const result = reconcile(stored, feedOf(entry("a"), entry("b")), FETCH);
  assert.deepEqual([result.deleted, result.held, result.warning], [[], ["past"], null]);
});

test("a whole day is upcoming until its end", () => {
  const today = { date: "2026-11-15", dateAt: Date.parse("2026-11-15T00:00:00Z"), missing: 1 };
  const stored = [known("a"), known("today", 0, today)];
  assert.deepEqual(reconcile(stored, feedOf(entry("a")), FETCH).deleted, ["today"]);
  const tomorrow: ReconcileOptions = { mode: "subscription", now: NOW + DAY_MS / 2 };
  assert.deepEqual(reconcile(stored, feedOf(entry("a")), tomorrow).held, ["today"]);
});

test("an event outside the window is kept with a warning", () => {
  const stored = [known("a"), known("far", 500, { missing: 1 })];
  const result = reconcile(stored, feedOf(entry("a")), FETCH);
  assert.deepEqual([result.deleted, result.held], [[], ["far"]]);
  assert.deepEqual(result.warning, { code: "outside-window", held: 1, stored: 1, found: 1 });
});

test("a feed that shrank by more than half deletes nothing and counts nothing", () => {
  const stored = ["a", "b", "c", "d", "e"].map((id) => known(id, 1, { missing: 1 }));
  const shrunk = reconcile(stored, feedOf(entry("a"), entry("b")), FETCH);
  assert.deepEqual([shrunk.deleted, shrunk.missingOnce], [[], []]);
  assert.deepEqual(shrunk.held, ["c", "d", "e"]);
  assert.deepEqual(shrunk.warning, { code: "feed-shrunk", held: 3, stored: 5, found: 2 });
  const half = reconcile(stored.slice(0, 4), feedOf(entry("a"), entry("b")), FETCH);
  assert.deepEqual(half.deleted, ["c", "d"]);
});

test("an empty feed deletes nothing", () => {
  const result = reconcile([known("a", 1, { missing: 1 })], feedOf(), FETCH);
  assert.deepEqual([result.deleted, result.warning?.code], [[], "feed-shrunk"]);
});

test("a person can accept that a feed has shrunk", () => {
  const stored = [known("a", 1, { missing: 1 }), known("b")];
  const result = reconcile(stored, feedOf(), {
    mode: "subscription",
    now: NOW,
    acceptShrink: true,
  });
  assert.deepEqual([result.deleted, result.missingOnce], [["a"], ["b"]]);
});

test("a feed whose ids are all new replaces the old ones", () => {
  const stored = [known("a", 1, { missing: 1 }), known("b", 1, { missing: 1 })];
  const result = reconcile(stored, feedOf(entry("c"), entry("d")), FETCH);
  assert.deepEqual(
    [result.deleted, idsOf(result.added)],
    [
      ["a", "b"],
      ["c", "d"],
    ],
  );
});

test("a cancelled entry is deleted at once, and never added", () => {
  const result = reconcile(
    [known("a"), known("gone", 1, { deletedAt: NOW })],
    feedOf(...["a", "gone", "new"].map((id) => entry(id, 1, { cancelled: true }))),
    FETCH,
  );
  assert.deepEqual(result.deleted, ["a"]);
  assert.deepEqual([result.added, result.restored], [[], []]);
});

test("an entry that comes back after its deletion is restored", () => {
  const result = reconcile([known("a", 1, { deletedAt: NOW })], feedOf(entry("a")), FETCH);
  assert.deepEqual(idsOf(result.restored), ["a"]);
  assert.deepEqual([result.added, result.changed], [[], []]);
});

test("a file deletes missing events only when it replaces the source", () => {
  const stored = [known("a"), known("past", -5), known("b")];
  const feed = { entries: [entry("b")], window: null };
  assert.deepEqual(reconcile(stored, feed, { mode: "file", replace: false }).deleted, []);
  assert.deepEqual(reconcile(stored, feed, { mode: "file", replace: true }).deleted, ["a", "past"]);
});

const anyId = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h");
const anyDays = fc.integer({ min: -40, max: 450 });
const anyEntry = fc
  .record({
    id: anyId,
    days: anyDays,
    title: fc.constantFrom("x", "y", null),
    cancelled: fc.boolean(),
  })
  .map(({ id, days, title, cancelled }) => entry(id, days, { title, cancelled }));
const anyKnown = fc
  .record({
    id: anyId,
    days: anyDays,
    missing: fc.integer({ min: 0, max: 1 }),
    deletedAt: fc.constantFrom(null, NOW),
  })
  .map(({ id, days, missing, deletedAt }) => known(id, days, { missing, deletedAt }));
const anyFeed = fc
  .uniqueArray(anyEntry, { selector: ({ eventId }) => eventId })
  .map((entries) => feedOf(...entries));
const anyStored = fc.uniqueArray(anyKnown, { selector: ({ eventId }) => eventId });
const anyOptions = fc.constantFrom<ReconcileOptions>(
  FETCH,
  { mode: "subscription", now: NOW, acceptShrink: true },
  { mode: "file", replace: false },
  { mode: "file", replace: true },
);

/** What a store does with the result. */
function apply(stored: readonly KnownEvent[], result: Reconciliation): KnownEvent[] {
  const byId = new Map(stored.map((event) => [event.eventId, event]));
  const set = (id: string, more: Partial<KnownEvent>) =>
    byId.set(id, { ...(byId.get(id) ?? known(id)), ...more });
  for (const found of [...result.added, ...result.changed, ...result.restored]) {
    const { type, subjectName, title, date, dateAt } = found;
    set(found.eventId, { type, subjectName, title, date, dateAt, deletedAt: null, missing: 0 });
  }
  for (const id of result.deleted) set(id, { deletedAt: NOW });
  for (const id of result.missingOnce) set(id, { missing: 1 });
  for (const id of result.returned) set(id, { missing: 0 });
  return [...byId.values()];
}

test("the same feed again changes nothing, once its missing entries were missing twice", () => {
  fc.assert(
    fc.property(anyStored, anyFeed, anyOptions, (stored, feed, options) => {
      const once = apply(stored, reconcile(stored, feed, options));
      const again = reconcile(once, feed, options);
      assert.deepEqual(
        [again.added, again.changed, again.restored, again.returned],
        [[], [], [], []],
      );
      let stable = apply(once, again);
      // Deletions make the stored set smaller, after which the feed may be more than half of it.
      for (let round = 0; round < 4; round++) {
        stable = apply(stable, reconcile(stable, feed, options));
      }
      assert.deepEqual(apply(stable, reconcile(stable, feed, options)), stable);
    }),
  );
});

test("every entry that is not cancelled is live afterwards, and each id is in one list only", () => {
  fc.assert(
    fc.property(anyStored, anyFeed, anyOptions, (stored, feed, options) => {
      const result = reconcile(stored, feed, options);
      const live = new Set(
        apply(stored, result)
          .filter(({ deletedAt }) => deletedAt === null)
          .map(({ eventId }) => eventId),
      );
      for (const { eventId, cancelled } of feed.entries)
        assert.equal(live.has(eventId), !cancelled);
      const listed = [
        ...idsOf(result.added),
        ...idsOf(result.changed),
        ...idsOf(result.restored),
        ...result.deleted,
        ...result.missingOnce,
        ...result.returned,
        ...result.held,
      ];
      assert.equal(new Set(listed).size, listed.length);
    }),
  );
});

test("a fetch deletes no past event that is not cancelled", () => {
  fc.assert(
    fc.property(anyStored, anyFeed, (stored, feed) => {
      const cancelled = new Set(
        feed.entries.filter((found) => found.cancelled).map(({ eventId }) => eventId),
      );
      const byId = new Map(stored.map((event) => [event.eventId, event]));
      for (const id of reconcile(stored, feed, FETCH).deleted) {
        assert.ok(cancelled.has(id) || byId.get(id)!.dateAt! > NOW);
      }
    }),
  );
});

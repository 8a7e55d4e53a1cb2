import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import fc from "fast-check";
import { EVENT_STATES } from "../../../src/rules/events/wire/filter-events.ts";
import { compareFullOrder } from "../../../src/rules/events/wire/full-order.ts";
import type { EventChange, EventPage, EventsStore } from "../../../src/events/store.ts";
import {
  migrateEvents,
  openSqlEventsStore,
} from "../../../src/events/sql/open-sql-events-store.ts";
import type { SqlValue } from "../../../src/database/database.ts";
import { openDatabase } from "../../../src/database/open-database.ts";
import { sqlitePath } from "../../../src/database/sqlite-path.ts";
import { createPlace, testOnBothStores } from "./on-both-stores.ts";
import { addSource, DAY_MS, eventsOf, NOW, prepare, put, remove, write } from "./samples.ts";

interface Listed {
  readonly id: string;
  readonly date: string | null;
  readonly deleted?: true;
}

const parse = (page: EventPage) => eventsOf(page) as Listed[];

/** Few ids and days, so that changes collide. */
const change: fc.Arbitrary<EventChange> = fc.oneof(
  { arbitrary: fc.nat(30).map((id) => remove(`event-${id}`)), weight: 1 },
  {
    arbitrary: fc
      .tuple(fc.nat(30), fc.option(fc.integer({ min: -5, max: 5 })))
      .map(([id, day]) =>
        put(
          `event-${id}`,
          day === null ? null : new Date(NOW + day * DAY_MS).toISOString().slice(0, 10),
        ),
      ),
    weight: 3,
  },
);
const history = fc.array(
  fc.record({
    changes: fc.array(change, { maxLength: 12 }),
    clock: fc.integer({ min: NOW - 5, max: NOW + 50 }),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Reads changes page after page; `between` happens after each of them. */
async function follow(
  store: EventsStore,
  accountId: string,
  limit: number,
  includeDeleted: boolean,
  between: () => Promise<boolean> = async () => false,
): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let since = 0; ;) {
    const page = await store.events.listChanges(accountId, since, limit, includeDeleted);
    const events = parse(page);
    all.push(...events);
    if (page.lastStamp !== null) since = page.lastStamp + 1;
    assert.equal(events.length <= limit, true);
    const hasChanged = await between();
    if (!page.hasMore && !hasChanged) return all;
  }
}

/** PostgreSQL takes much longer for each. */
const runsOn = ({ store }: { readonly store: string }) => (store.startsWith("sqlite:") ? 40 : 15);

testOnBothStores(
  "pages of any size add up to the whole, in the contract's order",
  async (place) => {
    const store = await place.open();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 1, max: 40 }), async (steps, limit) => {
        const at = await prepare(store, `account-${run++}`);
        for (const { changes, clock } of steps) await write(store, at, changes, clock);
        const whole = parse(await store.events.listChanges(at[0], 0, 1000, true));
        const live = whole.filter(({ deleted }) => deleted !== true);
        assert.equal(new Set(whole.map(({ id }) => id)).size, whole.length);
        assert.deepEqual(await follow(store, at[0], limit, true), whole);
        assert.deepEqual(await follow(store, at[0], limit, false), live);
        const ordered = live
          .map((event) => ({
            eventId: event.id,
            dateAt: event.date === null ? null : Date.parse(event.date),
          }))
          .sort((a, b) => compareFullOrder(a, b, NOW))
          .map(({ eventId }) => eventId);
        const page = await store.events.listAll(at[0], NOW, limit);
        assert.deepEqual(
          parse(page).map(({ id }) => id),
          ordered.slice(0, limit),
        );
        assert.equal(page.hasMore, ordered.length > limit);
        const managed: string[] = [];
        for (let offset = 0; offset <= ordered.length; offset += limit) {
          const { events, total } = await store.events.listManaged(at[0], NOW, offset, limit);
          managed.push(...events.map(({ eventId }) => eventId));
          assert.equal(total, ordered.length);
        }
        assert.deepEqual(managed, ordered);
        const searched: string[] = [];
        for (const state of EVENT_STATES) {
          const filter = { text: "", sourceId: at[1], state };
          const { events, total } = await store.events.searchManaged(at[0], NOW, filter, 0, 1000);
          searched.push(...events.map(({ eventId }) => eventId));
          const [second] = (await store.events.searchManaged(at[0], NOW, filter, 1, 1)).events;
          assert.deepEqual([total, second], [events.length, events[1]]);
        }
        assert.deepEqual(searched, ordered);
      }),
      { numRuns: runsOn(place) },
    );
  },
);

testOnBothStores("no change between two pages is lost to who reads on", async (place) => {
  const store = await place.open();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      history,
      history,
      fc.integer({ min: 1, max: 9 }),
      async (first, then, limit) => {
        const at = await prepare(store, `account-${run++}`);
        for (const { changes, clock } of first) await write(store, at, changes, clock);
        const later = [...then];
        const copy = new Map<string, Listed>();
        const between = async () => {
          const step = later.shift();
          if (step !== undefined) await write(store, at, step.changes, step.clock);
          return step !== undefined;
        };
        for (const event of await follow(store, at[0], limit, true, between))
          copy.set(event.id, event);
        const whole = parse(await store.events.listChanges(at[0], 0, 1000, true));
        assert.deepEqual(copy, new Map(whole.map((event) => [event.id, event])));
      },
    ),
    { numRuns: runsOn(place) },
  );
});

testOnBothStores(
  "who has read everything at once reads on from the greatest stamp",
  async (place) => {
    const store = await place.open();
    const at = await prepare(store);
    await write(store, at, [put("a", null), put("b", "2026-09-01"), put("c", "2026-08-01")]);
    await write(store, at, [put("b", "2026-09-02")]);
    const { lastStamp } = await store.events.listAll(at[0], NOW, 10);
    assert.equal(lastStamp, NOW + 3);
    const read = async () =>
      parse(await store.events.listChanges(at[0], NOW + 4, 10, true)).map(({ id }) => id);
    assert.deepEqual(await read(), []);
    await write(store, at, [put("c", null)], NOW - DAY_MS);
    assert.deepEqual(await read(), ["c"]);
  },
);

test("every query uses an index, without a scan or a sort (SQLite)", async (t) => {
  const { store, database, asked } = await openRecorded(t);
  const at = await prepare(store);
  await addSource(store, at[0], "other");
  await write(store, at, [put("a"), put("b", null), put("c", "2026-08-01"), remove("c")]);
  asked.clear();
  await store.events.listAll(at[0], NOW, 10);
  await store.events.listChanges(at[0], 0, 10, true);
  await store.events.listChanges(at[0], 0, 10, false);
  await store.events.listManaged(at[0], NOW, 1, 10);
  await store.findGrant("hash", NOW);
  await store.findSession("hash", NOW);
  assert.equal(asked.size, 7);
  for (const [sql, params] of asked) {
    const plan = await database.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params);
    // Only the rows that a subquery has found are scanned: those of the page, or the one of a key.
    const found = new Set(plan.map(({ detail }) => /^CO-ROUTINE (\w+)$/.exec(detail)?.[1]));
    for (const { detail } of plan) {
      assert.doesNotMatch(detail, /TEMP B-TREE/, sql);
      const scanned = /^SCAN (?<name>[a-z]|events_\w+)(?: |$)/.exec(detail)?.groups?.["name"];
      assert.ok(scanned === undefined || found.has(scanned), `${detail}: ${sql}`);
    }
    assert.ok(
      plan.some(({ detail }) => /SEARCH .* USING (?:COVERING )?INDEX/.test(detail)),
      sql,
    );
  }
});

test("a page of very many events takes as many steps as one of few (SQLite)", async (t) => {
  const { store, asked, file } = await openRecorded(t);
  const [small, large] = [await prepare(store, "small"), await prepare(store, "large")];
  const fill = async (at: readonly [string, string], count: number) => {
    const ids = Array.from({ length: count }, (_, index) => `event-${index}`);
    const puts = ids.map((id) => put(id, "2026-08-01"));
    // All events are past, and most are tombstones, which changed before the others.
    await write(store, at, puts.slice(0, -200));
    await write(store, at, ids.slice(0, -200).map(remove));
    await write(store, at, puts.slice(-200));
  };
  await fill(small, 400);
  await fill(large, 4000);
  const handle = new DatabaseSync(file, { readOnly: true });
  t.after(() => handle.close());
  const countSteps = async (accountId: string) => {
    asked.clear();
    await store.events.listAll(accountId, NOW, 100);
    await store.events.listChanges(accountId, 0, 100, false);
    await store.events.listChanges(accountId, 0, 100, true);
    await store.events.listManaged(accountId, NOW, 0, 100);
    return [...asked].map(([sql, params]) => [sql, runSteps(handle, sql, params)] as const);
  };
  const few = new Map(await countSteps(small[0]));
  for (const [sql, steps] of await countSteps(large[0])) {
    // Ten times as many rows. Some steps more or fewer depend on where the account's rows end.
    assert.ok(steps < (few.get(sql) ?? 0) * 1.1, `${few.get(sql)} steps for few, ${steps}: ${sql}`);
  }
});

/** How many instructions of its virtual machine SQLite runs: a few for each row that it reads. */
function runSteps(handle: DatabaseSync, sql: string, params: readonly SqlValue[]): number {
  // @types/node does not have `stat` yet.
  const statement = handle.prepare(sql) as StatementSync & { stat(counter: "vmStep"): number };
  statement.all(Object.fromEntries(params.map((value, index) => [`$${index + 1}`, value])));
  return statement.stat("vmStep");
}

/** A store in SQLite, and the statements that it sends with their parameters. */
async function openRecorded(t: TestContext) {
  const place = await createPlace(t, "SQLite");
  const database = await openDatabase(place.store);
  t.after(() => database.close());
  const asked = new Map<string, readonly SqlValue[]>();
  await migrateEvents(database);
  const store = await openSqlEventsStore(
    {
      ...database,
      query: (sql, params = []) => {
        asked.set(sql, params);
        return database.query(sql, params);
      },
    },
    { highWaterPath: join(place.dataDir, "events.highwater") },
  );
  return { store, database, asked, file: sqlitePath(place.store) ?? "" };
}

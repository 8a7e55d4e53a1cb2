import assert from "node:assert/strict";
import type {
  EventChange,
  EventPage,
  EventsStore,
  StoredEvent,
} from "../../../src/events/store.ts";
import { testOnBothStores } from "./on-both-stores.ts";
import {
  addSource,
  DAY_MS,
  eventsOf,
  NOW,
  prepare,
  put,
  remove,
  sampleSource,
  sampleSubscription,
  write,
} from "./samples.ts";

function find(store: EventsStore, accountId: string, eventId: string): Promise<StoredEvent | null> {
  return store.transaction(({ events }) => events.find(accountId, eventId));
}

function ids(page: EventPage): string[] {
  return eventsOf(page).map(({ id }) => id);
}

testOnBothStores("an event is kept as it was written, and listed as apps get it", async (place) => {
  const store = await place.open();
  const at = await prepare(store);
  const [accountId, sourceId] = at;
  assert.deepEqual(await write(store, at, [put("one"), put("two", null)]), { taken: [] });
  const one: StoredEvent = {
    eventId: "one",
    sourceId,
    type: "homework",
    subjectName: "Maths",
    title: 'Übung 1: "Σ" 🌱',
    date: "2026-09-01",
    dateAt: Date.UTC(2026, 8, 1),
    createdAt: "2026-08-01T00:00:00Z",
    updatedAt: NOW,
    deletedAt: null,
    missing: 0,
  };
  assert.deepEqual(await find(store, accountId, "one"), one);
  assert.equal(await find(store, accountId, "three"), null);
  assert.equal(await find(store, "another", "one"), null);
  const page = await store.events.listAll(accountId, NOW, 10);
  assert.deepEqual(eventsOf(page), [
    {
      id: "one",
      type: "homework",
      subject_name: "Maths",
      title: 'Übung 1: "Σ" 🌱',
      date: "2026-09-01",
      created_at: "2026-08-01T00:00:00Z",
    },
    {
      id: "two",
      type: "homework",
      subject_name: "Maths",
      title: 'Übung 1: "Σ" 🌱',
      date: null,
      created_at: "2026-08-01T00:00:00Z",
    },
  ]);
  assert.deepEqual([page.hasMore, page.lastStamp], [false, NOW + 1]);
});

testOnBothStores(
  "the full list has upcoming events, then past ones, then the others",
  async (place) => {
    const store = await place.open();
    const at = await prepare(store);
    await write(store, at, [
      put("undated-b", null),
      put("undated-a", null),
      put("past-1", "2026-08-01"),
      put("past-2-b", "2026-08-20"),
      put("past-2-a", "2026-08-20"),
      put("next-2", "2026-09-02"),
      put("next-1-b", "2026-09-01"),
      put("next-1-a", "2026-09-01"),
      put("now", "2026-08-21"),
      put("gone", "2026-08-22"),
      remove("gone"),
    ]);
    const all = "now next-1-a next-1-b next-2 past-2-b past-2-a past-1 undated-a undated-b".split(
      " ",
    );
    for (let limit = 1; limit <= all.length + 1; limit++) {
      const page = await store.events.listAll(at[0], NOW, limit);
      assert.deepEqual(ids(page), all.slice(0, limit));
      assert.equal(page.hasMore, limit < all.length);
      for (let offset = 0; offset <= all.length + 1; offset++) {
        const managed = await store.events.listManaged(at[0], NOW, offset, limit);
        const names = managed.events.map(({ eventId }) => eventId);
        assert.deepEqual(names, all.slice(offset, offset + limit), `${offset} ${limit}`);
        assert.equal(managed.total, all.length);
      }
    }
    const none = await store.events.listAll("nobody", NOW, 10);
    assert.deepEqual(none, { text: "", hasMore: false, lastStamp: null });
  },
);

testOnBothStores("stamps are unique and grow, whatever the clock does", async (place) => {
  const store = await place.open();
  const at = await prepare(store);
  const stamp = async (id: string) => (await find(store, at[0], id))?.updatedAt;
  await write(store, at, [put("a"), put("b"), put("a")], NOW);
  assert.deepEqual([await stamp("a"), await stamp("b")], [NOW + 2, NOW + 1]);
  await write(store, at, [put("c"), remove("b")], NOW - DAY_MS);
  assert.deepEqual([await stamp("c"), await stamp("b")], [NOW + 3, NOW + 4]);
  await write(store, at, [put("d")], NOW + DAY_MS);
  assert.equal(await stamp("d"), NOW + DAY_MS);
  // Another account has its own.
  const other = await prepare(store, "grace");
  await write(store, other, [put("a")], NOW - 5);
  assert.equal((await find(store, other[0], "a"))?.updatedAt, NOW - 5);
});

testOnBothStores("a deleted event stays as a tombstone without content", async (place) => {
  const store = await place.open();
  const at = await prepare(store);
  await write(store, at, [put("a"), put("b")]);
  await write(store, at, [remove("a"), remove("a"), remove("never")], NOW + 10);
  const tombstone = await find(store, at[0], "a");
  assert.deepEqual(tombstone, {
    eventId: "a",
    sourceId: at[1],
    type: "info",
    subjectName: null,
    title: null,
    date: null,
    dateAt: null,
    createdAt: "2026-08-01T00:00:00Z",
    updatedAt: NOW + 10,
    deletedAt: NOW + 10,
    missing: 0,
  });
  assert.equal(await find(store, at[0], "never"), null);
  assert.deepEqual(ids(await store.events.listAll(at[0], NOW, 10)), ["b"]);
  assert.deepEqual(ids(await store.events.listChanges(at[0], 0, 10, false)), ["b"]);
  const changes = await store.events.listChanges(at[0], 0, 10, true);
  assert.deepEqual(eventsOf(changes)[1], {
    id: "a",
    type: "info",
    subject_name: null,
    title: null,
    date: null,
    created_at: "2026-08-01T00:00:00Z",
    deleted: true,
  });
  assert.equal((await store.events.listManaged(at[0], NOW, 0, 10)).total, 1);
});

testOnBothStores("an event that comes back keeps when it was made", async (place) => {
  const store = await place.open();
  const at = await prepare(store);
  await write(store, at, [put("a"), remove("a")]);
  const later = { ...put("a", "2026-10-01", { title: "New" }), createdAt: "2026-08-20T00:00:00Z" };
  await write(store, at, [later], NOW + 5);
  const event = await find(store, at[0], "a");
  assert.deepEqual(
    [event?.title, event?.createdAt, event?.deletedAt, event?.updatedAt],
    ["New", "2026-08-01T00:00:00Z", null, NOW + 5],
  );
  assert.equal((await store.events.listManaged(at[0], NOW, 0, 10)).total, 1);
});

testOnBothStores("an id of another source is returned as taken", async (place) => {
  const store = await place.open();
  const school = await prepare(store);
  const { sourceId } = await addSource(store, school[0], "club");
  const club = [school[0], sourceId] as const;
  await write(store, school, [put("a"), put("b")]);
  const before = await find(store, school[0], "a");
  const changes: EventChange[] = [
    put("a", null),
    put("c"),
    remove("a"),
    { kind: "missing", eventId: "b", missing: 3 },
  ];
  const { taken } = await write(store, club, changes, NOW + 9);
  assert.deepEqual([...taken].sort(), ["a", "b"]);
  assert.deepEqual(await find(store, school[0], "a"), before);
  assert.equal((await find(store, school[0], "b"))?.missing, 0);
  // The id of a deleted event can be reused.
  await write(store, school, [remove("a")], NOW + 20);
  assert.deepEqual(await write(store, club, [put("a")], NOW + 30), { taken: [] });
  assert.equal((await find(store, school[0], "a"))?.sourceId, sourceId);
  const listed = await store.transaction(({ events }) => events.listSource(school[0], sourceId));
  assert.deepEqual(
    listed.map(({ eventId }) => eventId),
    ["a", "c"],
  );
});

testOnBothStores("how often an event was missing changes nothing that apps see", async (place) => {
  const store = await place.open();
  const at = await prepare(store);
  await write(store, at, [put("a"), put("b")]);
  const pages = async () => [
    await store.events.listAll(at[0], NOW, 10),
    await store.events.listChanges(at[0], 0, 10, true),
  ];
  const before = await pages();
  await write(store, at, [{ kind: "missing", eventId: "a", missing: 2 }], NOW + DAY_MS);
  assert.deepEqual(await pages(), before);
  assert.equal((await find(store, at[0], "a"))?.missing, 2);
  await write(store, at, [put("a")], NOW + DAY_MS);
  assert.equal((await find(store, at[0], "a"))?.missing, 0);
});

testOnBothStores("a source lists all it ever had, in the order of the ids", async (place) => {
  const store = await place.open();
  const at = await prepare(store);
  const names = ["b", "a", "ä", "Z", "10", "9", "z", "_"];
  await write(store, at, [...names.map((name) => put(name)), remove("b")]);
  const listed = await store.transaction(({ events }) => events.listSource(...at));
  assert.deepEqual(
    listed.map(({ eventId }) => eventId),
    [...names].sort(),
  );
  assert.equal(listed.find(({ eventId }) => eventId === "b")?.deletedAt, NOW);
});

testOnBothStores("a managed event names its source as people know it", async (place) => {
  const store = await place.open();
  const at = await prepare(store);
  const source = await addSource(store, at[0], "feed", { kind: "subscription" });
  await store.transaction(({ subscriptions }) => subscriptions.add(sampleSubscription(source)));
  await write(store, at, [put("a")]);
  await write(store, [at[0], source.sourceId], [put("b", "2026-09-02")]);
  const named = async () => {
    const filter = { text: "", sourceId: null, state: null };
    const [listed, found] = [
      await store.events.listManaged(at[0], NOW, 0, 10),
      await store.events.searchManaged(at[0], NOW, filter, 0, 10),
    ];
    assert.deepEqual(found, listed);
    return listed.events.map((event) => [event.eventId, event.sourceKind, event.sourceName]);
  };
  const [a, b] = await named();
  assert.deepEqual(
    [a, b],
    [
      ["a", "file", "school"],
      ["b", "subscription", "feed"],
    ],
  );
  const renamed = sampleSubscription(source, { name: "Renamed" });
  await store.transaction(({ subscriptions }) => subscriptions.update(renamed));
  assert.deepEqual((await named())[1], ["b", "subscription", "Renamed"]);
});

testOnBothStores("text that a database refuses is kept as text that it takes", async (place) => {
  const store = await place.open();
  const at = await prepare(store);
  const odd = "\ud800 and \u0000";
  await write(store, at, [
    put(odd, null, { title: odd, subjectName: odd, type: odd }),
    put("\ufffd and \ufffd", null, { title: "second" }),
  ]);
  const page = await store.events.listAll(at[0], NOW, 10);
  assert.equal(eventsOf(page).length, 1, "both ids are one");
  assert.equal((await find(store, at[0], odd))?.title, "second");
  await write(store, at, [put("text", null, { title: odd })]);
  assert.equal((await find(store, at[0], "text"))?.title, odd, "content comes back to the letter");
  const { sources, grants } = await store.transaction(async (records) => ({
    sources: await records.sources.findOrAdd(sampleSource(at[0], odd)),
    grants: await records.grants.revoke(odd, odd),
  }));
  assert.deepEqual([sources.name, grants], ["\ufffd and \ufffd", false]);
  assert.equal(await store.findSession(odd, NOW), null);
  assert.equal(await store.findGrant(odd, NOW), null);
  assert.equal(eventsOf(await store.events.listChanges(odd, 0, 5, true)).length, 0);
  const account = await store.transaction(({ identity }) => identity.findAccount(odd));
  assert.equal(account, null);
});

testOnBothStores("nothing of a transaction that fails is there", async (place) => {
  const store = await place.open();
  const at = await prepare(store);
  await write(store, at, [put("a")]);
  const failing = store.transaction(async ({ events }) => {
    await events.write(...at, [put("b"), remove("a")], NOW + 1);
    throw new Error("No");
  });
  await assert.rejects(failing, /^Error: No$/);
  assert.deepEqual(ids(await store.events.listChanges(at[0], 0, 10, true)), ["a"]);
  await write(store, at, [put("c")], NOW);
  assert.equal((await find(store, at[0], "c"))?.updatedAt, NOW + 1);
});

testOnBothStores("an import of many is one change, and others read meanwhile", async (place) => {
  const store = await place.open();
  const at = await prepare(store);
  await write(store, at, [put("first")]);
  let isOver = false;
  const writing = write(
    store,
    at,
    Array.from({ length: 5000 }, (_, index) => put(`event-${index}`)),
  ).finally(() => {
    isOver = true;
  });
  const totals = new Set<number>();
  let reads = 0;
  while (!isOver) {
    totals.add(eventsOf(await store.events.listChanges(at[0], 0, 6000, true)).length);
    reads++;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await writing;
  totals.add(eventsOf(await store.events.listChanges(at[0], 0, 6000, true)).length);
  assert.ok(reads > 2, "readers have their turn");
  assert.deepEqual([...totals].sort(), [1, 5001]);
});

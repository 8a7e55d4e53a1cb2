import assert from "node:assert/strict";
import type { EventsStore, StoredEvent } from "../../../src/events/store.ts";
import { testOnBothStores } from "./on-both-stores.ts";
import { addSource, DAY_MS, NOW, prepare, put, remove, write } from "./samples.ts";

function find(store: EventsStore, accountId: string, eventId: string): Promise<StoredEvent | null> {
  return store.transaction(({ events }) => events.find(accountId, eventId));
}

function ids(page: { readonly texts: readonly string[] }): string[] {
  return page.texts.map((text) => (JSON.parse(text) as { id: string }).id);
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
  const { texts, hasMore, lastStamp } = await store.events.listAll(accountId, NOW, 10);
  assert.deepEqual(
    texts.map((text) => JSON.parse(text) as unknown),
    [
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
    ],
  );
  assert.deepEqual([hasMore, lastStamp], [false, NOW + 1]);
});

testOnBothStores(
  "the full list has what is coming, then what was, then the rest",
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
    assert.deepEqual(none, { texts: [], hasMore: false, lastStamp: null });
  },
);

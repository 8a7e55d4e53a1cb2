import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { StorageUnavailableError } from "../../../src/database/database.ts";
import type { EventsStore } from "../../../src/events/store.ts";
import type { Subscriptions } from "../../../src/events/subscriptions/subscriptions.ts";
import {
  createSubscriptionWorker,
  type SubscriptionNotice,
  type SubscriptionWorker,
} from "../../../src/events/subscriptions/subscription-worker.ts";
import { STORE_KINDS } from "../../database/on-both-stores.ts";
import { listEntries, writeCalendar } from "./calendar-text.ts";
import { HOUR_MS, startInstance, type Instance } from "./instance.ts";

const CLAIM_MS = 5 * 60_000;

function startWorker(
  t: TestContext,
  { clock }: Instance,
  store: EventsStore,
  { refresher }: Subscriptions,
): { readonly worker: SubscriptionWorker; readonly notices: SubscriptionNotice[] } {
  const notices: SubscriptionNotice[] = [];
  const worker = createSubscriptionWorker({
    store,
    refresher,
    onNotice: (notice) => notices.push(notice),
    now: () => clock.now,
    pollIntervalMs: 20,
  });
  t.after(() => worker.stop());
  return { worker, notices };
}

async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!isTrue()) {
    assert.ok(performance.now() < end, "It did not happen in time");
    await wait(10);
  }
}

for (const kind of STORE_KINDS) {
  test(`two workers on one store fetch each feed once, two at a time (${kind})`, async (t) => {
    const instance = await startInstance(t, kind);
    const { feed, server, clock } = instance;
    feed.body = writeCalendar(listEntries(3));
    for (let index = 0; index < 8; index++) {
      await instance.subscribe({ url: `${server.origin}/feed-${index}` });
    }
    let active = 0;
    let mostActive = 0;
    feed.before = async () => {
      mostActive = Math.max(mostActive, ++active);
      await wait(100);
      active--;
    };
    const before = server.requests.length;
    clock.now += HOUR_MS;
    const stores = [instance.store, await instance.place.open()];
    const started = stores.map((store) => startWorker(t, instance, store, instance.connect(store)));
    await until(() => started.flatMap(({ notices }) => notices).length >= 8);
    await wait(100);
    await Promise.all(started.map(({ worker }) => worker.stop()));
    const paths = server.requests.slice(before).map(({ url }) => url ?? "");
    assert.deepEqual(
      paths.sort(),
      Array.from({ length: 8 }, (_, index) => `/feed-${index}`),
    );
    assert.ok(mostActive <= 4, `${mostActive} at a time`);
    for (const { notices } of started) {
      assert.ok(notices.length > 0);
      assert.ok(notices.every(({ kind }) => kind === "subscription-fetched"));
    }
  });
}

test("a worker fetches due subscriptions", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(listEntries(3));
  const sourceId = await instance.subscribe();
  const { notices } = startWorker(t, instance, instance.store, instance.subscriptions);
  await wait(100);
  assert.equal(instance.server.requests.length, 1);
  instance.feed.body = writeCalendar(listEntries(4));
  instance.clock.now += HOUR_MS;
  await until(() => notices.length === 1);
  assert.equal((await instance.titles(sourceId)).length, 4);
  await wait(100);
  assert.equal(instance.server.requests.length, 2);
});

test("a stopped worker aborts its fetch, and the feed is due at once", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(listEntries(3));
  const sourceId = await instance.subscribe();
  instance.feed.before = () => new Promise(() => {});
  instance.clock.now += HOUR_MS;
  const { worker, notices } = startWorker(t, instance, instance.store, instance.subscriptions);
  await until(() => instance.server.requests.length === 2);
  const begin = performance.now();
  await worker.stop();
  assert.ok(performance.now() - begin < 5000);
  assert.deepEqual(notices, [
    { kind: "subscription-failed", sourceId, error: "stopped", failures: 0 },
  ]);
  const found = await instance.find(sourceId);
  assert.deepEqual(
    [found.nextFetchAt, found.failures, found.lastError],
    [instance.clock.now, 0, null],
  );
  instance.feed.before = () => Promise.resolve();
  const next = startWorker(t, instance, instance.store, instance.subscriptions);
  await until(() => next.notices.length === 1);
  assert.equal(next.notices[0]?.kind, "subscription-fetched");
});

test("notices of a worker contain no URL, host or title", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar([
    { uid: "1", summary: "Visit to the doctor" },
    { uid: "2", summary: "Broken", start: "20260230" },
  ]);
  await instance.subscribe({ name: "Private matters" });
  const { notices } = startWorker(t, instance, instance.store, instance.subscriptions);
  for (const [index, status] of [200, 500, 200].entries()) {
    instance.feed.status = status;
    instance.feed.headers = { "X-Failure": "secret" };
    instance.clock.now += 3 * HOUR_MS;
    await until(() => notices.length > index);
  }
  assert.deepEqual(
    notices.map(({ kind }) => kind),
    ["subscription-fetched", "subscription-failed", "subscription-fetched"],
  );
  assert.doesNotMatch(
    JSON.stringify(notices),
    /https|example|secret|doctor|Private|127\.0|Broken/i,
  );
});

/** A store that fails from the given write on, as if the process had been killed. */
function dieAt(store: EventsStore, writes: number): EventsStore {
  let left = writes;
  return {
    ...store,
    transaction: (work) =>
      store.transaction((records) =>
        work({
          ...records,
          events: {
            ...records.events,
            write: (...change) => {
              if (left-- <= 0) throw new StorageUnavailableError("a test");
              return records.events.write(...change);
            },
          },
        }),
      ),
  };
}

for (const kind of STORE_KINDS) {
  test(`a killed import is completed by the next process (${kind})`, async (t) => {
    const instance = await startInstance(t, kind);
    const { feed, clock, accountId } = instance;
    feed.body = writeCalendar(listEntries(2500));
    feed.etag = '"one"';
    const sourceId = await instance.subscribe();
    // All change their title, 500 are new, and a few are missing.
    const changed = listEntries(3000).slice(10);
    feed.body = writeCalendar(changed.map((entry) => ({ ...entry, summary: `New ${entry.uid}` })));
    feed.etag = '"two"';
    clock.now += HOUR_MS;
    const dying = instance.connect(dieAt(instance.store, 2));
    await assert.rejects(dying.refresh(accountId, sourceId), StorageUnavailableError);
    const halfway = await instance.stored(sourceId);
    const isNew = ({ title }: { title: string | null }) => title?.startsWith("New") === true;
    assert.equal(halfway.filter(isNew).length, 2000);
    assert.ok(halfway.every(({ missing }) => missing === 0));
    assert.equal((await instance.find(sourceId)).etag, '"one"');

    // Its claim blocks other processes for a while.
    clock.now += CLAIM_MS - 1;
    const { notices } = startWorker(t, instance, instance.store, instance.subscriptions);
    await wait(100);
    assert.deepEqual(notices, []);
    clock.now += 1;
    await until(() => notices.length === 1);
    const after = await instance.stored(sourceId);
    assert.equal(after.filter(isNew).length, 2990);
    assert.equal(after.filter(({ missing }) => missing === 1).length, 10);
    assert.equal(after.filter(({ deletedAt }) => deletedAt !== null).length, 0);
    // The first half was not written again.
    const stamps = new Map(halfway.filter(isNew).map((event) => [event.eventId, event.updatedAt]));
    for (const { eventId, updatedAt } of after) {
      assert.equal(stamps.get(eventId) ?? updatedAt, updatedAt);
    }
    assert.equal(new Set(after.map(({ updatedAt }) => updatedAt)).size, after.length);
  });
}

test("an import that always fails is tried less and less often", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(listEntries(3));
  const sourceId = await instance.subscribe();
  instance.feed.body = writeCalendar(listEntries(5));
  instance.clock.now += HOUR_MS;
  const dying = instance.connect(dieAt(instance.store, 0));
  const { notices } = startWorker(t, instance, instance.store, dying);
  await until(() => notices.length === 1);
  assert.equal(notices[0]?.kind, "subscription-error");
  await wait(100);
  const found = await instance.find(sourceId);
  assert.deepEqual([found.lastError, found.failures], ["import-failed", 1]);
  assert.equal(found.nextFetchAt, instance.clock.now + HOUR_MS);
  assert.equal(instance.server.requests.length, 2);
});

test("a worker survives a store that is away", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(listEntries(3));
  await instance.subscribe();
  instance.clock.now += HOUR_MS;
  let isAway = true;
  const store: EventsStore = {
    ...instance.store,
    transaction: (work) =>
      isAway
        ? Promise.reject(new StorageUnavailableError("a test"))
        : instance.store.transaction(work),
  };
  const { notices } = startWorker(t, instance, store, instance.connect(store));
  await until(() => notices.length >= 2);
  assert.ok(notices.every(({ kind }) => kind === "subscriptions-unavailable"));
  isAway = false;
  await until(() => notices.some(({ kind }) => kind === "subscription-fetched"));
});

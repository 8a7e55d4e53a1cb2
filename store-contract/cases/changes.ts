/** What streams of changes need: noticing what any process does, and limits that processes share. */
import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { DAY_MS } from "../../src/contract/durations.ts";
import { append } from "../read-store.ts";
import { NOW, sampleAccountKey, sampleOperations, sampleSession } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";
import type { StreamRecord, SyncStore } from "../../src/sync/store.ts";

const NOTICE_MS = 250;
/** A machine with much to do may be late now and then, but not always. */
const LATEST_MS = 2000;
const LIMITS = { perDevice: 2, perInstance: 3 };

export const CHANGE_CASES: StoreCases = {
  "a watch tells of appended operations, new keys and ended sessions in time, until it is closed":
    ({ store }) => expectNotices(store, store),
  "the listed families are those of the sessions that are alive": async ({ store }) => {
    await store.transaction(async ({ sessions }) => {
      await sessions.open(sampleSession("phone"));
      await sessions.open(sampleSession("watch", { idleExpiresAt: NOW + 1000 }));
      await sessions.open(sampleSession("tablet", { absoluteExpiresAt: NOW + 2000 }));
    });
    const list = async (at: number) => (await store.listFamilies(at)).toSorted();
    const [phone, tablet, watch] = ["phone", "tablet", "watch"].map((id) => `family-of-${id}`);
    assert.deepEqual(await list(NOW), [phone, tablet, watch]);
    assert.deepEqual(await list(NOW + 1000), [phone, tablet]);
    assert.deepEqual(await list(NOW + 2000), [phone]);
    await store.transaction(({ sessions }) => sessions.revokeDevice("phone"));
    assert.deepEqual(await list(NOW), [tablet, watch]);
  },
  "streams are opened up to the limits of a device and of the instance": async ({ store }) => {
    assert.equal(await open(store, "phone-1"), true);
    assert.equal(await open(store, "phone-2"), true);
    assert.equal(await open(store, "phone-3"), false, "the device has all of its own");
    assert.equal(await open(store, "watch-1"), true);
    assert.equal(await open(store, "tablet-1"), false, "the instance has all");
    await store.transaction(({ streams }) => streams.close(["phone-1", "watch-1", "none"]));
    assert.equal(await open(store, "tablet-1"), true);
    assert.equal(await open(store, "phone-3"), true);
    assert.equal(await open(store, "watch-1"), false);
  },
  "a stream counts until it expires, and one that is renewed longer": async ({ store }) => {
    const end = NOW + 1000;
    for (const id of ["phone-1", "phone-2"]) assert.equal(await open(store, id, NOW, end), true);
    assert.equal(await open(store, "phone-3", end - 1), false);
    await store.transaction(({ streams }) => streams.renew([streamOf("phone-1")], end + 1000));
    assert.equal(await open(store, "phone-3", end, end + 1000), true);
    assert.equal(await open(store, "phone-4", end), false);
    await store.prune(end + 1000);
    await store.transaction(({ streams }) => streams.renew([streamOf("phone-1")], end + DAY_MS));
    assert.equal(await open(store, "phone-4", NOW), true, "the expired ones were removed");
    assert.equal(await open(store, "phone-5", NOW), false, "and a renewed one is there again");
  },
};

export const SHARED_CHANGE_CASES: StoreCases = {
  "a watch tells of what another process appends and which sessions it ends": async ({
    store,
    openBeside,
  }) => expectNotices(store, await openBeside()),
  "with two processes, streams that are opened at once keep the limits together": async ({
    store,
    openBeside,
  }) => {
    const stores = [store, await openBeside()];
    const opened = await Promise.all(
      Array.from({ length: 8 }, (_, index) => open(stores[index % 2]!, `phone-${index}`)),
    );
    assert.equal(opened.filter((isOpened) => isOpened).length, LIMITS.perDevice);
  },
};

/** The device id is what stands before the hyphen. */
function streamOf(streamId: string): StreamRecord {
  return { streamId, deviceId: streamId.split("-")[0] ?? "" };
}

function open(
  store: SyncStore,
  streamId: string,
  now = NOW,
  expiresAt = NOW + DAY_MS,
): Promise<boolean> {
  return store.transaction(({ streams }) =>
    streams.open(streamOf(streamId), { expiresAt, now, limits: LIMITS }),
  );
}

async function expectNotices(watching: SyncStore, writing: SyncStore): Promise<void> {
  await writing.transaction(({ sessions }) => sessions.open(sampleSession("phone")));
  let notices = 0;
  const count = () => notices;
  const watch = watching.watch(() => notices++);
  // A new watch may tell of earlier changes, and of its own beginning.
  for (let before = -1; before !== notices;) {
    before = notices;
    await wait(NOTICE_MS);
  }
  const delays: number[] = [];
  const expectNotice = async (what: string, change: () => Promise<unknown>) => {
    const before = notices;
    await change();
    const changedAt = performance.now();
    while (count() === before) {
      assert.ok(performance.now() - changedAt < LATEST_MS, `the watch did not tell of ${what}`);
      await wait(5);
    }
    delays.push(performance.now() - changedAt);
    await wait(NOTICE_MS);
  };
  await expectNotice("an append", () => append(writing, sampleOperations(2)));
  await expectNotice("another append", () => append(writing, sampleOperations(1, "watch")));
  await expectNotice("a new key", () => writing.keys.add(sampleAccountKey("first"), null));
  await expectNotice("a revocation", () =>
    writing.transaction(({ sessions }) => sessions.revokeDevice("phone")),
  );
  const [soonest = 0] = delays.toSorted((a, b) => a - b);
  assert.ok(soonest < NOTICE_MS, `the watch told after ${soonest} ms`);
  await watch.close();
  const before = notices;
  await append(writing, sampleOperations(1, "tablet"));
  await wait(NOTICE_MS);
  assert.equal(notices, before, "a closed watch tells nothing");
}

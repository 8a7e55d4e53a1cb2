import assert from "node:assert/strict";
import { test } from "node:test";
import { createStorageQuota } from "./quota.ts";

const PUSH_BYTES = 1000;
const OPERATIONS = [{ text: "x".repeat(PUSH_BYTES) }];

/** A store whose writes wait for each other, and share a commit as those of a write queue do. */
function createStore(maxBytes: number, now = () => 0) {
  const store = {
    usedBytes: 0,
    measured: 0,
    atOnce: 0,
    mostAtOnce: 0,
    waiting: [] as (() => void)[],
  };
  const open = () =>
    createStorageQuota(
      {
        maxBytes,
        async usedBytes() {
          store.measured++;
          return store.usedBytes;
        },
      },
      now,
    );
  const write = () => {
    store.mostAtOnce = Math.max(store.mostAtOnce, ++store.atOnce);
    const { promise, resolve } = Promise.withResolvers<string>();
    store.waiting.push(() => {
      store.usedBytes += PUSH_BYTES;
      store.atOnce--;
      resolve("written");
    });
    return promise;
  };
  /** Commits what waits together, until all pushes have a result. */
  const settle = async <T>(pushes: readonly Promise<T>[]): Promise<T[]> => {
    let isSettled = false;
    const all = Promise.all(pushes).finally(() => (isSettled = true));
    while (!isSettled) {
      for (const commit of store.waiting.splice(0)) commit();
      await new Promise(setImmediate);
    }
    return all;
  };
  return { store, open, write, settle };
}

test("a burst of pushes exceeds the quota by one push at most", async () => {
  const maxBytes = 20 * PUSH_BYTES + 1;
  const { store, open, write, settle } = createStore(maxBytes);
  const quota = open();
  const results = await settle(Array.from({ length: 100 }, () => quota.append(OPERATIONS, write)));
  assert.ok(store.usedBytes >= maxBytes, "the quota can be used up");
  assert.ok(store.usedBytes < maxBytes + PUSH_BYTES, `${store.usedBytes} bytes are used`);
  assert.equal(results.filter((result) => result === null).length, 100 - 21);
});

test("a burst of several processes exceeds the quota by one push of each at most", async () => {
  const maxBytes = 40 * PUSH_BYTES + 1;
  const { store, open, write, settle } = createStore(maxBytes);
  const processes = [open(), open(), open()];
  await settle(
    processes.flatMap((quota) => Array.from({ length: 60 }, () => quota.append(OPERATIONS, write))),
  );
  assert.ok(store.usedBytes >= maxBytes, "the quota can be used up");
  assert.ok(
    store.usedBytes < maxBytes + processes.length * PUSH_BYTES,
    `${store.usedBytes} bytes are used`,
  );
});

test("far from the quota pushes run at once, and one measurement is for all of them", async () => {
  const { store, open, write, settle } = createStore(1e9);
  const quota = open();
  await settle(Array.from({ length: 50 }, () => quota.append(OPERATIONS, write)));
  assert.deepEqual([store.mostAtOnce, store.measured], [50, 1]);
});

test("pushes that are being written when the store is measured again are not free space", async () => {
  let now = 0;
  // A sixteenth of it is what ten pushes are estimated to take.
  const { store, open, write, settle } = createStore(1e6, () => now);
  const quota = open();
  const push = () => quota.append(OPERATIONS, write);
  const first = Array.from({ length: 8 }, push);
  await new Promise(setImmediate);
  now += 1000;
  const more = Array.from({ length: 8 }, push);
  await new Promise(setImmediate);
  assert.equal(store.atOnce, 10);
  const results = await settle([...first, ...more]);
  assert.ok(results.every((result) => result === "written"));
});

test("a push beyond the quota is not written, and costs one measurement in a second", async () => {
  let now = 0;
  const { store, open, write } = createStore(PUSH_BYTES, () => now);
  store.usedBytes = PUSH_BYTES;
  const quota = open();
  for (let push = 0; push < 3; push++) assert.equal(await quota.append(OPERATIONS, write), null);
  assert.deepEqual([store.measured, store.waiting.length], [1, 0]);
  now += 1000;
  assert.equal(await quota.append(OPERATIONS, write), null);
  assert.equal(store.measured, 2);
});

test("a push that fails, and a store that cannot be measured, keep no other push waiting", async () => {
  const { store, open, write, settle } = createStore(10 * PUSH_BYTES);
  const quota = open();
  const failing = () => Promise.reject(new Error("the disk is full"));
  await assert.rejects(quota.append(OPERATIONS, failing), /the disk is full/);
  assert.deepEqual(await settle([quota.append(OPERATIONS, write)]), ["written"]);
  assert.equal(store.usedBytes, PUSH_BYTES);
  let isBroken = true;
  const broken = createStorageQuota(
    { maxBytes: 1e6, usedBytes: async () => (isBroken ? assert.fail("no connection") : 0) },
    () => 0,
  );
  await assert.rejects(broken.append(OPERATIONS, write), /no connection/);
  isBroken = false;
  assert.deepEqual(await settle([broken.append(OPERATIONS, write)]), ["written"]);
});

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { createMemory, openMemoryStore } from "../../../test/sync/store/memory-store.ts";
import { StorageUnavailableError } from "../../database/database.ts";
import { randomBytes } from "../../rules/web-crypto.ts";
import { encodeCursor } from "../log/cursor.ts";
import { createLiveChanges } from "./live-changes.ts";
import { NOW, sampleOperations, sampleSession } from "../../../store-contract/samples.ts";
import type { MarkedHead, SyncStore } from "../store.ts";

/** Longer than the gap between two heads that are sent, so that the next one is sent at once. */
const PAST_SENDING_MS = 100;

test("every stream gets a comment every 25 seconds, and its place is kept", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { changes, store, clock } = await start(t);
  const streams = await Promise.all(
    ["phone", "phone", "tablet"].map((deviceId) => open(changes, deviceId)),
  );
  for (const stream of streams) await stream.next();
  const texts = streams.map((stream) => stream.next());
  for (let second = 1; second <= 25; second++) {
    clock.now += 1000;
    t.mock.timers.tick(1000);
    await nextTurn();
  }
  assert.deepEqual(await Promise.all(texts), [":\n\n", ":\n\n", ":\n\n"]);
  clock.now += 10_000;
  assert.equal((await countStreams(store, clock.now)).phone, 2, "the places were renewed");
  clock.now += 30_000;
  assert.equal((await countStreams(store, clock.now)).phone, 0, "a dead process would lose them");
});

test("streams take no timers, and the last one that closes ends those of all", async (t) => {
  const intervals = t.mock.method(globalThis, "setInterval");
  const { changes, store, watches } = await start(t);
  const timeouts = t.mock.method(globalThis, "setTimeout");
  const deviceIds = Array.from({ length: 200 }, (_, index) => `device-${index}`);
  await store.transaction(async ({ sessions }) => {
    for (const deviceId of deviceIds) await sessions.open(sampleSession(deviceId));
  });
  const streams = await Promise.all(deviceIds.map((deviceId) => open(changes, deviceId)));
  assert.equal(intervals.mock.callCount(), 1);
  assert.ok(timeouts.mock.callCount() < 10, `${timeouts.mock.callCount()} timeouts`);
  assert.equal(watches.size, 1);
  for (const stream of streams) await stream.cancel();
  assert.equal(watches.size, 0);
  await open(changes, "phone");
  assert.equal(watches.size, 1);
});

test("a push that ends while an older head is read is not taken back", async (t) => {
  const pass = mockTime(t);
  const { changes, store, heads } = await start(t);
  const [stream] = await Promise.all([open(changes, "phone"), pass(PAST_SENDING_MS)]);
  await stream.next();
  const older = await store.operations.head();
  const reading = Promise.withResolvers<void>();
  const released = Promise.withResolvers<MarkedHead>();
  heads.read = () => {
    reading.resolve();
    return released.promise;
  };
  const result = await append(store);
  await reading.promise;
  changes.noteAppend(result.generation, result.receipts);
  assert.equal(await stream.next(), headEvent(result));
  await pass(PAST_SENDING_MS);
  heads.read = null;
  released.resolve(older);
  await pass(PAST_SENDING_MS);
  const [again] = await Promise.all([open(changes, "phone"), pass(PAST_SENDING_MS)]);
  assert.equal(await again.next(), headEvent(result));
  const last = await append(store, "tablet");
  assert.equal(await stream.next(), headEvent(last));
});

test("a push that is acknowledged after a later one was read is not told of", async (t) => {
  const pass = mockTime(t);
  const { changes, store } = await start(t);
  const [stream] = await Promise.all([open(changes, "phone"), pass(PAST_SENDING_MS)]);
  await stream.next();
  const earlier = await append(store);
  const later = await append(store, "tablet");
  await pass(PAST_SENDING_MS);
  while ((await stream.next()) !== headEvent(later));
  changes.noteAppend(earlier.generation, earlier.receipts);
  await pass(PAST_SENDING_MS);
  const last = await append(store, "laptop");
  assert.equal(await stream.next(), headEvent(last));
});

test("while the store is away streams stay open, and tell of the head when it is back", async (t) => {
  const { changes, store, heads, failures } = await start(t);
  const stream = await open(changes, "phone");
  await stream.next();
  heads.read = () => Promise.reject(new StorageUnavailableError("gone"));
  await append(store);
  const next = stream.next();
  while (failures.length === 0) await wait(5);
  await assert.rejects(open(changes, "tablet"), StorageUnavailableError);
  heads.read = null;
  await store.transaction(async () => {});
  assert.match(await next, /^event: head/);
});

test("a stream whose session has ended before it opens is not opened", async (t) => {
  const { changes, store } = await start(t);
  await store.transaction(({ sessions }) => sessions.revokeDevice("phone"));
  assert.deepEqual(await changes.open(sampleSession("phone")), { kind: "signed-out" });
  // Waits for the removal of the place, which was taken before the session was read.
  await changes.close();
  assert.equal((await countStreams(store, NOW)).phone, 0);
});

/** Stops the clock of timers. The result lets time pass, with all that is done meanwhile. */
function mockTime(t: TestContext): (milliseconds: number) => Promise<void> {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  // Closing waits for timers too.
  t.after(() => t.mock.timers.reset());
  return async (milliseconds) => {
    for (let passed = 0; passed < milliseconds; passed++) {
      t.mock.timers.tick(1);
      await nextTurn();
    }
  };
}

async function start(t: TestContext) {
  const memory = openMemoryStore(createMemory());
  const watches = new Set<object>();
  const failures: unknown[] = [];
  /** Replaces what is read as the head. */
  const heads: { read: (() => Promise<MarkedHead>) | null } = { read: null };
  const store: SyncStore = {
    ...memory,
    operations: {
      ...memory.operations,
      head: () => heads.read?.() ?? memory.operations.head(),
    },
    watch(onChange) {
      const watch = memory.watch(onChange);
      watches.add(watch);
      return {
        async close() {
          watches.delete(watch);
          await watch.close();
        },
      };
    },
  };
  const clock = { now: NOW };
  const changes = createLiveChanges({
    store,
    randomBytes,
    now: () => clock.now,
    attempt: (task) => task().catch((error: unknown) => void failures.push(error)),
  });
  t.after(() => changes.close());
  await store.transaction(async ({ sessions }) => {
    for (const deviceId of ["phone", "tablet"]) await sessions.open(sampleSession(deviceId));
  });
  return { store, changes, clock, heads, failures, watches };
}

async function open(changes: ReturnType<typeof createLiveChanges>, deviceId: string) {
  const result = await changes.open(sampleSession(deviceId));
  assert.ok(result.kind === "opened", result.kind);
  const reader = result.body.getReader();
  return {
    next: async () => Buffer.from((await reader.read()).value ?? []).toString(),
    cancel: () => reader.cancel(),
  };
}

async function append(store: SyncStore, deviceId = "phone") {
  const result = await store.operations.append(sampleOperations(1, deviceId), NOW);
  assert.ok(result.kind === "stored");
  return result;
}

/** What a stream tells of the head after an append. */
function headEvent({ generation, receipts }: Awaited<ReturnType<typeof append>>): string {
  const { offset, mark } = receipts[0] ?? { offset: 0, mark: "" };
  const cursor = encodeCursor({ generation, offset, mark });
  return `event: head\ndata: {"cursor":"${cursor}"}\n\n`;
}

/** How many streams of a device the store counts. */
async function countStreams(store: SyncStore, now: number) {
  const count = (deviceId: string) =>
    store.transaction(async ({ streams }) => {
      for (let perDevice = 0; ; perDevice++) {
        const probe = { streamId: "probe", deviceId };
        const limits = { perDevice: perDevice + 1, perInstance: 1000 };
        if (await streams.open(probe, { expiresAt: now + 1, now, limits })) {
          await streams.close(["probe"]);
          return perDevice;
        }
      }
    });
  return { phone: await count("phone") };
}

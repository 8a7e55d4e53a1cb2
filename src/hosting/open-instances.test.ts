import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Caller } from "./open-entry.ts";
import { AllInUseError, createOpenInstances } from "./open-instances.ts";

function createPool(t: TestContext, maxOpen: number, idleMs = 60_000) {
  const clock = { now: 0 };
  const opened: string[] = [];
  const closed: string[] = [];
  const broken = new Set<string>();
  const pool = createOpenInstances({
    maxOpen,
    idleMs,
    now: () => clock.now,
    onCloseFailed: (name) => closed.push(`${name} failed`),
    async open(name) {
      await Promise.resolve();
      if (broken.has(name)) throw new Error(`${name} is broken`);
      opened.push(name);
      return {
        name,
        endStreams() {},
        async close() {
          closed.push(name);
        },
      };
    },
  });
  t.after(() => pool.closeAll());
  const visit = async (name: string, caller?: Caller) =>
    (await pool.acquire(name, caller)).release();
  return { pool, clock, opened, closed, broken, visit };
}

test("requests that come at once share one opening", async (t) => {
  const { pool, opened } = createPool(t, 2);
  const used = await Promise.all([pool.acquire("ada"), pool.acquire("ada"), pool.acquire("ada")]);
  assert.deepEqual(opened, ["ada"]);
  assert.deepEqual(pool.counts(), { open: 1, inUse: 1 });
  for (const { release } of used) release();
  assert.deepEqual(pool.counts(), { open: 1, inUse: 0 });
});

test("the instance that was used longest ago makes place for another", async (t) => {
  const { visit, closed, opened, pool } = createPool(t, 2);
  await visit("ada");
  await visit("bob");
  await visit("ada");
  await visit("cleo");
  assert.deepEqual(closed, ["bob"]);
  await visit("bob");
  assert.deepEqual(closed, ["bob", "ada"]);
  assert.deepEqual(opened, ["ada", "bob", "cleo", "bob"]);
  assert.equal(pool.counts().open, 2);
});

test("strangers take places from each other, and none from an instance that a device uses", async (t) => {
  const { visit, closed, clock } = createPool(t, 2, 1_000_000);
  await visit("ada", "device");
  for (const name of ["bob", "cleo", "dora"]) await visit(name, "stranger");
  assert.deepEqual(closed, ["bob", "cleo"]);
  await visit("dora", "device");
  await assert.rejects(visit("eve", "stranger"), AllInUseError);
  // What a stranger asks of the instance of a device does not count as its use.
  clock.now += 59_000;
  await visit("dora", "device");
  await visit("ada", "stranger");
  clock.now += 1000;
  await visit("eve", "stranger");
  assert.deepEqual(closed, ["bob", "cleo", "ada"]);
});

test("a device takes the place of a stranger before that of another device", async (t) => {
  const { visit, closed } = createPool(t, 2);
  await visit("ada", "device");
  await visit("bob", "stranger");
  await visit("cleo", "device");
  assert.deepEqual(closed, ["bob"]);
  await visit("dora", "device");
  assert.deepEqual(closed, ["bob", "ada"]);
});

test("an instance in use is never closed for another", async (t) => {
  const { pool, closed, visit } = createPool(t, 2);
  const ada = await pool.acquire("ada");
  const bob = await pool.acquire("bob");
  await assert.rejects(pool.acquire("cleo"), AllInUseError);
  assert.deepEqual(closed, []);
  bob.release();
  await visit("cleo");
  assert.deepEqual(closed, ["bob"]);
  ada.release();
});

test("a release that is repeated counts once", async (t) => {
  const { pool } = createPool(t, 1);
  const first = await pool.acquire("ada");
  const second = await pool.acquire("ada");
  first.release();
  first.release();
  await assert.rejects(pool.acquire("bob"), AllInUseError);
  second.release();
  (await pool.acquire("bob")).release();
});

test("an instance that was idle for long enough is closed", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { pool, clock, closed, visit } = createPool(t, 3, 1000);
  await visit("ada");
  const bob = await pool.acquire("bob");
  clock.now = 999;
  t.mock.timers.tick(250);
  assert.deepEqual(closed, []);
  clock.now = 1000;
  t.mock.timers.tick(250);
  await pool.close("nobody");
  await new Promise(setImmediate);
  assert.deepEqual(closed, ["ada"]);
  bob.release();
});

test("an instance that cannot be opened fails alone, and is tried again after a second", async (t) => {
  const { pool, clock, broken, opened, visit } = createPool(t, 2);
  broken.add("ada");
  const results = await Promise.allSettled([visit("ada"), visit("ada"), visit("bob")]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "rejected", "fulfilled"],
  );
  broken.clear();
  await assert.rejects(visit("ada"), /ada is broken/);
  clock.now = 1000;
  await visit("ada");
  assert.deepEqual(opened, ["bob", "ada"]);
  assert.equal(pool.counts().open, 2);
});

test("a close waits for the users, and a request that comes meanwhile opens it anew", async (t) => {
  const { pool, opened, closed } = createPool(t, 2);
  const first = await pool.acquire("ada");
  const closing = pool.close("ada");
  const second = pool.acquire("ada");
  await new Promise(setImmediate);
  assert.deepEqual(closed, []);
  first.release();
  await closing;
  (await second).release();
  assert.deepEqual([opened, closed], [["ada", "ada"], ["ada"]]);
});

test("an instance that waits for its last request does not keep an idle one from making place", async (t) => {
  const { pool, closed, visit } = createPool(t, 3);
  const ada = await pool.acquire("ada");
  await visit("bob");
  await visit("cleo");
  const closing = pool.close("ada");
  await visit("dora");
  assert.deepEqual(closed, ["bob"]);
  ada.release();
  await closing;
});

test("requests for one instance that is not open close one other, not one each", async (t) => {
  const { closed, visit } = createPool(t, 2);
  await visit("ada");
  await visit("bob");
  await Promise.all([visit("cleo"), visit("cleo"), visit("cleo")]);
  assert.deepEqual(closed, ["ada"]);
});

test("the first instance that closes makes place, not the oldest", async (t) => {
  const { pool, closed, visit } = createPool(t, 2);
  const ada = await pool.acquire("ada");
  const bob = await pool.acquire("bob");
  const closings = [pool.close("ada"), pool.close("bob")];
  const waiting = [visit("cleo"), visit("dora")];
  bob.release();
  await Promise.all(waiting);
  assert.deepEqual(closed, ["bob", "cleo"]);
  ada.release();
  await Promise.all(closings);
});

test("the latest instance is held while it is looked at, and one that closes is not looked at", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { pool, clock, closed, visit } = createPool(t, 3, 1000);
  assert.equal(pool.hold(), null);
  await visit("ada");
  const bob = await pool.acquire("bob");
  const closing = pool.close("bob");
  clock.now = 999;
  const held = pool.hold();
  assert.equal(held?.value.name, "ada");
  clock.now = 1000;
  t.mock.timers.tick(250);
  await new Promise(setImmediate);
  assert.deepEqual(closed, []);
  held?.release();
  // Holding the instance was no use, so it is idle since its last request.
  t.mock.timers.tick(250);
  await new Promise(setImmediate);
  assert.deepEqual(closed, ["ada"]);
  assert.equal(pool.hold(), null);
  bob.release();
  await closing;
});

test("an instance is held by its name only while it is open", async (t) => {
  const { pool, closed, visit } = createPool(t, 3, 1000);
  assert.equal(pool.hold("ada"), null);
  await visit("ada");
  await visit("bob");
  const held = pool.hold("ada");
  assert.equal(held?.value.name, "ada");
  const closing = pool.close("ada");
  assert.equal(pool.hold("ada"), null);
  assert.deepEqual(closed, []);
  held?.release();
  await closing;
  assert.deepEqual(closed, ["ada"]);
});

test("one that is closed opens nothing, and does not say that its places are in use", async (t) => {
  const { pool, opened, visit } = createPool(t, 2);
  await pool.closeAll();
  await assert.rejects(visit("ada"), /closed/);
  assert.deepEqual(opened, []);
});

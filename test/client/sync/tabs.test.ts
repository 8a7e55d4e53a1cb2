/** Several clients on one storage, as the tabs of an app are. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import {
  createMemorySyncStorage,
  type SyncClient,
  type SyncStorage,
  type TabApis,
} from "../../../src/client/index.ts";
import { findTabApis } from "../../../src/client/sync/tab-apis.ts";
import { createTabApis, shared } from "./tab-apis.ts";
import { automatic, createWorld, shown, stored, syncNow, waitUntil, type World } from "./world.ts";

async function openTabs(t: TestContext, world: World, count: number, tabs: TabApis | null) {
  const storage = createMemorySyncStorage({ name: `tabs-of-${t.name}` });
  const opened: SyncClient[] = [];
  for (let index = 0; index < count; index++) {
    opened.push(await world.open({ ...automatic, storage: shared(storage), tabs }));
  }
  return opened as [SyncClient, SyncClient, ...SyncClient[]];
}

for (const [name, createApis] of [
  ["of the test", createTabApis],
  ["of Node", findTabApis],
] as const) {
  test(`one tab syncs, all see every change, and the next one takes over, with locks ${name}`, async (t) => {
    const world = await createWorld(t);
    const apis = createApis();
    assert.ok(apis.locks !== undefined && apis.createChannel !== undefined);
    const [first, second, third] = await openTabs(t, world, 3, apis);
    assert.ok(third);
    await world.signIn(second);
    await waitUntil(() => first.status.kind === "up-to-date", "the first tab has synced");
    await waitUntil(() => third.status.kind === "up-to-date", "the third tab knows it");
    const capabilities = () => world.requests.filter((one) => one.endsWith("/capabilities")).length;
    // The sign-in asks for them, too.
    assert.equal(capabilities(), 2, "one engine");

    await stored(second.create("note/1", { by: "second" }));
    assert.deepEqual(shown(second), { "note/1": { by: "second" } });
    await waitUntil(() => shown(first)["note/1"] !== undefined, "the first tab shows it");
    const allSynced = () =>
      [first, second, third].every(
        ({ status }) => status.kind === "up-to-date" && status.pending === 0,
      );
    await waitUntil(allSynced, "the leader has sent it");
    assert.equal(capabilities(), 2);
    assert.deepEqual(shown(await world.device()), { "note/1": { by: "second" } });

    await first.close();
    await stored(third.patch("note/1", { by: "third" }));
    await waitUntil(
      () => second.status.pending === 0 && third.status.pending === 0,
      "another tab leads",
    );
    const observer = await world.device();
    assert.deepEqual(shown(observer), { "note/1": { by: "third" } });

    await stored(observer.create("note/2", { by: "observer" }));
    await syncNow(observer);
    await syncNow(third);
    await waitUntil(() => second.entities.get("note/2") !== undefined, "a pulled change is told");

    await second.signOut({ erase: true });
    await waitUntil(() => third.entities.list().length === 0, "all tabs are empty");
    assert.equal(third.status.kind, "signed-out");
    assert.equal(third.deviceId, second.deviceId);
    await stored(third.create("note/3", {}));
  });
}

test("without locks and channels each tab works alone, and nothing is lost", async (t) => {
  const world = await createWorld(t);
  const [first, second] = await openTabs(t, world, 2, null);
  await world.signIn(first);
  const ids = await Promise.all(
    Array.from({ length: 30 }, (_, index) => {
      const tab = index % 2 === 0 ? first : second;
      return stored(tab.create(`note/${index}`, { index }));
    }),
  );
  assert.equal(new Set(ids).size, 30);
  const results = await Promise.all([first.sync(), second.sync(), first.sync()]);
  for (const { kind } of results.slice(0, 1)) assert.equal(kind, "synced");
  await waitUntil(() => first.status.pending === 0, "everything is sent");
  const observer = await world.device();
  assert.equal(observer.entities.list("note").length, 30);
});

for (const [name, tabs] of [
  ["that has no channel", null],
  ["whose messages are lost", { createChannel: () => ({ post() {}, close() {} }) }],
] as const) {
  test(`a tab ${name} shows what another one wrote with its next round`, async (t) => {
    const world = await createWorld(t);
    const storage = createMemorySyncStorage({ name: `silent-${t.name}` });
    const first = await world.open({ storage: shared(storage), tabs });
    const second = await world.open({ storage: shared(storage), tabs });
    await world.signIn(first);
    await stored(first.create("note/1", { by: "first" }));
    await stored(second.create("note/2", { by: "second" }));
    await syncNow(first);
    const expected = { "note/1": { by: "first" }, "note/2": { by: "second" } };
    assert.deepEqual(shown(first), expected);
    await syncNow(second);
    assert.deepEqual(shown(second), expected);
    assert.equal(second.status.kind, "up-to-date");
    await first.signOut();
    const result = await second.sync();
    assert.equal(result.kind === "not-synced" && result.error.kind, "signed-out");
    assert.equal(second.status.kind, "signed-out");
  });
}

test("the next message of any tab makes up for one that was never sent", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage({ name: t.name });
  const tabs = createTabApis();
  const observer = await world.open({ storage: shared(storage), tabs });
  const killed = await world.open({
    storage: shared(storage),
    tabs: { ...tabs, createChannel: () => null },
  });
  const writer = await world.open({ storage: shared(storage), tabs });
  await stored(killed.create("note/1", { by: "killed" }));
  await stored(writer.create("note/2", { by: "writer" }));
  await waitUntil(() => observer.entities.get("note/2") !== undefined, "the message comes");
  await waitUntil(() => observer.entities.get("note/1") !== undefined, "what was not told is read");
});

test("two tabs without locks that refresh at once both stay signed in", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const first = await world.device({ storage: shared(storage) });
  const second = await world.open({ storage: shared(storage) });
  for (let round = 0; round < 3; round++) {
    world.clock.now += 300_000;
    await Promise.all([syncNow(first), syncNow(second)]);
  }
});

test("a tab that waits for the round of another one can be closed", async (t) => {
  const world = await createWorld(t);
  const [first, second] = await openTabs(t, world, 2, createTabApis());
  await world.signIn(first);
  await waitUntil(() => second.status.kind === "up-to-date", "the first tab has synced");
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  world.network = async (send) => {
    await held;
    return send();
  };
  const syncing = first.sync();
  const waiting = second.sync();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await second.close();
  const result = await waiting;
  assert.equal(result.kind === "not-synced" && result.error.kind, "closed");
  release();
  assert.equal((await syncing).kind, "synced");
});

test("a page that may not use its locks works alone", async (t) => {
  const world = await createWorld(t);
  const refusing: TabApis = {
    locks: { request: () => Promise.reject(new Error("SecurityError")) },
    createChannel: () => null,
  };
  const [tab] = await openTabs(t, world, 1, refusing);
  await world.signIn(tab);
  await stored(tab.create("note/1", {}));
  await waitUntil(() => tab.status.kind === "up-to-date" && tab.status.pending === 0, "it syncs");
});

test("a change that another tab makes while a tab opens is not missed", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage({ name: "opening" });
  const apis = createTabApis();
  const first = await world.open({ storage: shared(storage), tabs: apis });
  let reads = 0;
  const slow: SyncStorage = {
    ...shared(storage),
    transaction: async (mode, work) => {
      const result = await storage.transaction(mode, work);
      // The entities were just read.
      if (++reads === 2) await stored(first.create("note/1", {}));
      return result;
    },
  };
  const second = await world.open({ storage: slow, tabs: apis });
  await waitUntil(() => second.entities.get("note/1") !== undefined, "the second tab shows it");
});

test("a tab that is closed during its round leaves no problem to the others", async (t) => {
  const world = await createWorld(t);
  const [leader, other] = await openTabs(t, world, 2, createTabApis());
  await world.signIn(leader);
  await waitUntil(() => other.status.kind === "up-to-date", "both tabs are up to date");
  let isAsked = false;
  world.network = (_, { init }) =>
    new Promise((_resolve, reject) => {
      isAsked = true;
      init.signal?.addEventListener("abort", () => reject(new Error("Aborted")));
    });
  const round = other.sync();
  await waitUntil(() => isAsked, "the round is in progress");
  await waitUntil(() => leader.status.kind === "syncing", "the leader knows it");
  await other.close();
  const result = await round;
  assert.equal(result.kind === "not-synced" && result.error.kind, "closed");
  await waitUntil(() => leader.status.kind !== "syncing", "the leader knows the end");
  assert.equal(leader.status.kind, "up-to-date");
  assert.equal(leader.status.problem, undefined);
});

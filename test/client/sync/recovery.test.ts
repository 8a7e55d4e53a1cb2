/** Devices heal a server that lost what it had acknowledged. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createMemorySyncStorage,
  type SyncClient,
  type SyncStorage,
} from "../../../src/client/index.ts";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import { planPurge, purgeTombstones } from "../../../src/sync/maintenance/purge-tombstones.ts";
import { copyTables, putTablesBack } from "../../sync/operations/put-tables-back.ts";
import {
  createWorld,
  offline,
  online,
  shown,
  stored,
  syncAll,
  syncNow,
  type Network,
  type World,
} from "./world.ts";

/** What a device sees that was never here before. */
async function seenByNewDevice(world: World): Promise<Record<string, unknown>> {
  return shown(await world.device());
}

test("a server that was rolled back gets everything again, also of a device that is gone", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  const lost = await world.device();
  await stored(phone.create("note/1", { title: "Before" }));
  await syncAll(phone, lost);
  await copyTables(world.store.database);
  await stored(lost.create("note/2", { title: "Of the lost device" }));
  await stored(lost.patch("note/1", { title: "Changed", extra: 1 }));
  await stored(lost.create("note/3", { title: "Gone again" }));
  await stored(lost.remove("note/3"));
  await syncAll(lost, phone);
  await lost.close();
  const before = shown(phone);
  await putTablesBack(world.store.database);
  const result = await syncNow(phone);
  assert.equal(result.recovered, "cursor_ahead");
  assert.deepEqual(shown(phone), before);
  assert.deepEqual(await seenByNewDevice(world), before);
  assert.deepEqual(before, {
    "note/1": { title: "Changed", extra: 1 },
    "note/2": { title: "Of the lost device" },
  });
  assert.equal((await syncNow(phone)).recovered, null);
  assert.equal((await syncNow(phone)).pushed, 0);
});

test("a rolled-back server that has grown another history loses neither", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  const tablet = await world.device();
  await copyTables(world.store.database);
  for (let index = 0; index < 5; index++) {
    await stored(phone.create(`note/phone-${index}`, { index }));
  }
  await syncNow(phone);
  await putTablesBack(world.store.database);
  for (let index = 0; index < 7; index++) {
    await stored(tablet.create(`note/tablet-${index}`, { index }));
  }
  await syncNow(tablet);
  assert.equal((await syncNow(phone)).recovered, "generation_changed");
  await syncNow(tablet);
  assert.equal(Object.keys(shown(phone)).length, 12);
  assert.deepEqual(shown(phone), shown(tablet));
  assert.deepEqual(await seenByNewDevice(world), shown(phone));
});

/** Three transactions, of which two fit no push together, and edits of their own. */
async function editTogether(client: SyncClient): Promise<void> {
  const notes = client.collection<{ group: number }>("note");
  for (const group of [1, 2, 3]) {
    const made = client.transaction((edit) => {
      for (let index = 0; index < 60; index++) edit(notes).create({ group });
    });
    assert.equal((await made).kind, "stored");
    await stored(client.create(`alone/${group}`, {}));
  }
}

for (const [when, hasPulled] of [
  ["that it has pulled", true],
  ["that it has only sent", false],
] as const) {
  test(`a server that was rolled back gets transactions whole again, ${when}`, async (t) => {
    const world = await createWorld(t);
    const storage = createMemorySyncStorage();
    const phone = await world.device({ storage });
    const other = await world.device();
    await editTogether(phone);
    await copyTables(world.store.database);
    let pushes = 0;
    world.network = async (send, request) => {
      if (request.path !== "/v1/push") {
        // The page that would confirm what was sent does not come.
        return pushes > 0 && !hasPulled ? offline(send, request) : send();
      }
      // Another device is quicker, so that the receipts prove nothing.
      if (pushes++ === 0 && !hasPulled) await pushBeside(world, other);
      return send();
    };
    await phone.sync();
    assert.equal(phone.status.pending, 0);
    await phone.close();
    await putTablesBack(world.store.database);
    world.network = online;
    const healing = await world.open({ storage });
    const reader = await world.open();
    await world.signIn(reader);
    const sizes: number[][] = [];
    reader.subscribe(() => {
      const byPush = Map.groupBy(reader.entities.list("note"), ({ payload }) => payload["group"]);
      sizes.push([...byPush.values()].map(({ length }) => length));
    });
    const readAfterPushes: Network = async (send, request) => {
      const response = await send();
      if (request.path !== "/v1/push") return response;
      world.network = online;
      await syncNow(reader);
      world.network = readAfterPushes;
      return response;
    };
    world.network = readAfterPushes;
    const { recovered } = await syncNow(healing);
    assert.equal(recovered !== null, hasPulled);
    await syncNow(reader);
    assert.deepEqual(
      sizes.flat().filter((size) => size !== 60),
      [],
    );
    assert.equal(reader.entities.list("note").length, 180);
  });
}

/** Without asking the network of the test. */
async function pushBeside(world: World, client: SyncClient): Promise<void> {
  const { network } = world;
  world.network = online;
  await stored(client.create("other/1", {}));
  await syncNow(client);
  world.network = network;
}

for (const [name, others] of [
  ["and nothing else was pushed", 0],
  ["and the offsets were given out again", 9],
] as const) {
  test(`a server that was rolled back between push and pull is noticed, ${name}`, async (t) => {
    const world = await createWorld(t);
    const phone = await world.device();
    const tablet = await world.device();
    await copyTables(world.store.database);
    await stored(phone.create("note/1", { title: "Acknowledged" }));
    for (let index = 0; index < others; index++) {
      await stored(tablet.create(`note/tablet-${index}`, { index }));
    }
    let isRolledBack = false;
    world.network = async (send, { path }) => {
      const response = await send();
      if (path !== "/v1/push" || isRolledBack) return response;
      isRolledBack = true;
      assert.equal(response.status, 200);
      await putTablesBack(world.store.database);
      if (others > 0) await syncNow(tablet);
      return response;
    };
    const result = await syncNow(phone);
    world.network = online;
    assert.equal(result.pushed, 2);
    assert.equal(Object.keys(shown(phone)).length, 1 + others);
    assert.deepEqual(await seenByNewDevice(world), shown(phone));
  });
}

test("a device that is closed between push and pull still notices that the server was rolled back", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const phone = await world.device({ storage });
  await copyTables(world.store.database);
  await stored(phone.create("note/1", { title: "Acknowledged" }));
  world.network = async (send, { path }) => {
    if (path.startsWith("/v1/pull") && world.requests.includes("POST /v1/push")) {
      throw new TypeError("fetch failed");
    }
    return send();
  };
  assert.equal((await phone.sync()).kind, "not-synced");
  assert.equal(phone.status.pending, 0);
  await phone.close();
  world.network = online;
  await putTablesBack(world.store.database);
  await syncNow(await world.open({ storage }));
  assert.deepEqual(await seenByNewDevice(world), { "note/1": { title: "Acknowledged" } });
});

test("a device that signs in to an empty server brings everything along", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  const tablet = await world.device();
  await stored(tablet.create("note/1", { title: "Of the tablet" }));
  await stored(phone.create("note/2", { title: "Of the phone" }));
  await syncAll(phone, tablet);
  const other = await createWorld(t);
  world.ask = other.ask;
  const refused = await phone.sync();
  assert.equal(refused.kind === "not-synced" && refused.error.kind, "sign-in-needed");
  await world.signIn(phone);
  assert.equal((await syncNow(phone)).recovered, "generation_changed");
  assert.deepEqual(await seenByNewDevice(other), shown(phone));
  assert.equal(Object.keys(shown(phone)).length, 2);
});

test("what another device heals first stays in sight, although the server knew it already", async (t) => {
  const world = await createWorld(t);
  const [phone, tablet] = [await world.device(), await world.device()];
  await copyTables(world.store.database);
  await stored(phone.create("note/1", { text: "healed" }));
  await syncAll(phone, tablet);
  await putTablesBack(world.store.database);
  let isHealed = false;
  world.network = async (send, { path }) => {
    if (path !== "/v1/push" || isHealed) return send();
    isHealed = true;
    world.network = online;
    await syncNow(phone);
    const response = await send();
    // The tablet learns that the server knows the note, and cannot pull it.
    world.network = offline;
    return response;
  };
  assert.equal((await tablet.sync()).kind, "not-synced");
  assert.ok(isHealed);
  assert.deepEqual(shown(tablet), { "note/1": { text: "healed" } });
  world.network = online;
  await syncNow(tablet);
  assert.deepEqual(shown(tablet), { "note/1": { text: "healed" } });
});

test("a purge of old tombstones makes a device start over once, and not again", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  const tablet = await world.device();
  await stored(phone.create("note/1", { title: "Kept" }));
  await stored(phone.create("note/2", { title: "Deleted" }));
  await syncAll(phone, tablet);
  await stored(phone.remove("note/2"));
  await syncNow(phone);
  const plan = await planPurge(world.store.database, Date.now() + 86_400_000);
  assert.equal((await purgeTombstones(world.store, plan)).removedTombstones, 1);
  for (const device of [phone, tablet]) {
    await syncNow(device);
    assert.deepEqual(shown(device), { "note/1": { title: "Kept" } });
  }
  await stored(phone.patch("note/1", { title: "Still synced" }));
  await syncAll(phone, tablet);
  assert.deepEqual(shown(tablet), { "note/1": { title: "Still synced" } });
  for (const device of [phone, tablet]) {
    assert.deepEqual(await syncNow(device), {
      kind: "synced",
      pushed: 0,
      pulled: 0,
      quarantined: 0,
      recovered: null,
    });
  }
});

test("a cursor that the server cannot read is forgotten", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  await stored(phone.create("note/1", { title: "Here" }));
  await syncNow(phone);
  world.network = async (send, { path }) =>
    path.includes("cursor=")
      ? Response.json({ error: "invalid_cursor", message: "", requestId: "r" }, { status: 400 })
      : send();
  assert.deepEqual((await syncNow(phone)).recovered, "generation_changed");
  assert.deepEqual(shown(phone), { "note/1": { title: "Here" } });
});

test("a log that is replaced again and again is given time", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  await stored(phone.create("note/1", {}));
  await syncNow(phone);
  world.network = async (send) => {
    const response = await send();
    const page = (await response.json()) as object;
    const isPage = "requiresSnapshot" in page;
    const lost = { operations: [], requiresSnapshot: true, recoveryReason: "generation_changed" };
    return Response.json(isPage ? { ...page, ...lost } : page, { status: response.status });
  };
  world.requests.length = 0;
  const result = await phone.sync();
  assert.equal(result.kind, "not-synced");
  assert.ok(world.requests.length < 10);
  world.network = online;
  await syncNow(phone);
  assert.deepEqual(shown(phone), { "note/1": {} });
});

/** The operations that a device keeps of an entity. */
async function keptOf(storage: SyncStorage, entityId: string): Promise<{ operationId: string }[]> {
  const text = await storage.transaction("read", (tx) => tx.get(`entity/${entityId}`));
  const { operations } = JSON.parse(text ?? "{}") as { operations: { operationId: string }[] };
  return operations;
}

test("a device keeps what a recovery needs, and not the history", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const phone = await world.device({ storage });
  const tabletStorage = createMemorySyncStorage();
  const tablet = await world.device({ storage: tabletStorage });
  await stored(phone.create("note/1", { a: 0, b: 0 }));
  for (let value = 1; value <= 50; value++) await stored(phone.patch("note/1", { a: value }));
  assert.equal(phone.status.pending, 51, "all of it until the server has it");
  await syncAll(phone, tablet);
  for (const kept of [await keptOf(storage, "note/1"), await keptOf(tabletStorage, "note/1")]) {
    assert.deepEqual(
      kept.map(({ operationId }) => Number(operationId.split("/").at(-1))).sort((a, b) => a - b),
      [1, 51],
    );
  }
  await compactLog(world.store.database);
  await syncAll(phone, tablet);
  assert.deepEqual(await seenByNewDevice(world), { "note/1": { a: 50, b: 0 } });
});

test("what a compaction drops before the device has seen it again is not missed", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  const tablet = await world.device();
  await stored(phone.create("note/1", { a: 0, b: 0 }));
  for (let value = 1; value <= 20; value++) await stored(phone.patch("note/1", { a: value }));
  let isCompacted = false;
  world.network = async (send, { path }) => {
    const response = await send();
    if (path === "/v1/push" && !isCompacted) {
      isCompacted = true;
      assert.ok((await compactLog(world.store.database)).removed >= 19);
    }
    return response;
  };
  assert.equal((await syncNow(phone)).pushed, 21);
  assert.equal((await syncNow(phone)).pushed, 0);
  await syncNow(tablet);
  assert.deepEqual(shown(tablet), { "note/1": { a: 20, b: 0 } });
  assert.deepEqual(shown(phone), shown(tablet));
});

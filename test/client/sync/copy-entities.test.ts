import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import {
  copyEntities,
  createMemorySyncStorage,
  createSyncClient,
  type SyncClient,
  type SyncStorage,
} from "../../../src/client/index.ts";
import type { SyncProfile } from "../../../src/contract/sync/operation-limits.ts";
import { exportToFile } from "../../../src/sync/log/export-entities.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import { HABIT_PAYLOAD } from "../../fixtures/sync-operation.ts";
import { openTasks } from "../collections/task.ts";
import { createSealedWorld, rotatedKey } from "./sealed-device.ts";
import { stored, syncNow } from "./world.ts";

async function open(
  t: TestContext,
  storage = createMemorySyncStorage(),
  profile: SyncProfile = "open",
): Promise<SyncClient> {
  const client = await createSyncClient({
    baseUrl: "https://sync.example.com",
    redirectUri: "https://app.example.com/",
    storage,
    deviceName: "a device",
    profile,
    live: false,
    fetch: () => Promise.reject(new TypeError("fetch failed")),
    setTimer: () => () => {},
    tabs: null,
  });
  t.after(() => client.close());
  return client;
}

test("a copy has the ids, payload and metadata, and the values of counters, sets and orders", async (t) => {
  const [from, to] = [await open(t), await open(t)];
  const tasks = openTasks(from);
  await stored(tasks.create({ title: "Milk", spent: 2, tags: ["home"] }, { id: "milk" }));
  await stored(tasks.create({ title: "Bread" }, { id: "bread" }));
  await stored(tasks.increment("milk", "spent", 3));
  await stored(tasks.removeFrom("milk", "tags", "home"));
  await stored(tasks.addTo("milk", "tags", "at work"));
  await stored(tasks.move("bread", { first: true }));
  await stored(from.create("note/1", { text: "Hello" }, { color: "red" }));
  await stored(from.create("note/gone", { text: "Bye" }));
  await stored(from.remove("note/gone"));

  const copied = { kind: "copied", copied: 3, present: 0, refused: [] };
  assert.deepEqual(await copyEntities(from, to), copied);
  assert.deepEqual(to.entities.list(), from.entities.list());
  assert.deepEqual(openTasks(to).list(), tasks.list());
  // A counter goes on from its value.
  await stored(openTasks(to).increment("milk", "spent", 1));
  assert.equal(openTasks(to).get("milk")?.spent, 6);
});

test("a second copy changes nothing, and loses neither later edits nor deletions", async (t) => {
  const [from, to] = [await open(t), await open(t)];
  for (const id of ["a", "b", "c"])
    await stored(from.create(`note/${id}`, { text: id, done: false }));
  await copyEntities(from, to);
  await stored(to.patch("note/a", { text: "later" }));
  await stored(to.remove("note/b"));
  // Only its first field arrived, as when a copy ended in between.
  await stored(from.patch("note/c", { shop: "Corner" }, { color: "red" }));

  const expected = { kind: "copied", copied: 1, present: 2, refused: [] };
  assert.deepEqual(await copyEntities(from, to), expected);
  assert.deepEqual(to.entities.get("note/a")?.payload, { text: "later", done: false });
  assert.equal(to.entities.get("note/b"), undefined);
  assert.deepEqual(to.entities.get("note/c"), from.entities.get("note/c"));
  const { pending } = to.status;
  assert.deepEqual(await copyEntities(from, to), { ...expected, copied: 0, present: 3 });
  assert.equal(to.status.pending, pending);
});

test("a copy takes few transactions, and splits an entity that no single operation holds", async (t) => {
  const storage = createMemorySyncStorage();
  let writes = 0;
  const counting: SyncStorage = {
    ...storage,
    transaction: (mode, work) => {
      if (mode === "write") writes++;
      return storage.transaction(mode, work);
    },
  };
  const [from, to] = [await open(t), await open(t, counting)];
  for (let at = 0; at < 300; at += 150) {
    const fields = Array.from({ length: 150 }, (_, index) => [
      `field${at + index}`,
      "x".repeat(300),
    ]);
    const edit = at === 0 ? from.create : from.patch;
    await stored(edit("note/large", Object.fromEntries(fields)));
  }
  await Promise.all(
    Array.from({ length: 250 }, (_, index) => from.create(`note/${index}`, { index })),
  );
  writes = 0;
  assert.equal((await copyEntities(from, to)).copied, 251);
  assert.ok(writes < 10, `${writes} transactions`);
  assert.deepEqual(to.entities.list(), from.entities.list());
});

test("what is refused is told and the rest copied; a storage that fails or a closed client stops it", async (t) => {
  const storage = createMemorySyncStorage();
  let isDown = false;
  const failing: SyncStorage = {
    ...storage,
    transaction: (mode, work) =>
      isDown ? Promise.reject(new Error("The disk is full")) : storage.transaction(mode, work),
  };
  const [from, to] = [await open(t), await open(t, failing, "habits")];
  await stored(from.create("habit/water", HABIT_PAYLOAD));
  await stored(from.create("habit/tea", { text: "No habit" }));
  const told = await copyEntities(from, to);
  assert.deepEqual([told.kind, told.copied], ["copied", 1]);
  assert.deepEqual(
    told.refused.map(({ entityId }) => entityId),
    ["habit/tea"],
  );
  isDown = true;
  const stopped = await copyEntities(from, to);
  assert.equal(stopped.kind === "stopped" && stopped.reason, "storage_failed");
  isDown = false;
  await from.close();
  const closed = await copyEntities(from, to);
  assert.equal(closed.kind === "stopped" && closed.reason, "closed");
});

test("a clear account moves to a sealed one, whose export opens with the recovery key", async (t) => {
  const from = await open(t);
  await stored(openTasks(from).create({ title: "Milk", spent: 2, tags: ["home"] }, { id: "milk" }));
  await stored(from.create("note/1", { text: "Hello" }, { color: "red" }));
  const world = await createSealedWorld(t);
  const [to] = await world.first();
  assert.equal((await copyEntities(from, to)).copied, 2);
  const recoveryKey = await rotatedKey(to);
  await stored(to.create("note/2", { text: "Under another key" }));
  await syncNow(to);
  assert.doesNotMatch(world.pushed.join(), /milk|Milk|spent|home|Hello|color/);
  const other = await world.second(recoveryKey);
  assert.deepEqual(openTasks(other).list(), openTasks(from).list());

  const folder = await mkdtemp(join(tmpdir(), "trellis-copy-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "export.json");
  await exportToFile(world.store, file, 0);
  const words = ["sync", "open", file, "--recovery-key-stdin"];
  const { code, stdout, stderr } = await runInside(folder, words, { input: recoveryKey });
  assert.equal(code, 0, stderr);
  const { entities } = JSON.parse(stdout) as { entities: { entityId: string }[] };
  const sorted = entities.toSorted((a, b) => (a.entityId < b.entityId ? -1 : 1));
  assert.deepEqual(sorted, to.entities.list());
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { CollectionResult } from "../../../src/client/index.ts";
import { createWorld, syncAll } from "../sync/world.ts";
import { openTasks } from "./task.ts";

async function idOf(result: Promise<CollectionResult>): Promise<string> {
  const settled = await result;
  assert.equal(settled.kind, "stored", JSON.stringify(settled));
  return settled.kind === "stored" ? settled.id : "";
}

test("a task is made, read, changed, removed and brought back by its short id", async (t) => {
  const world = await createWorld(t);
  const client = await world.open();
  const tasks = openTasks(client);
  const result = await tasks.create({ title: "Milk" });
  assert.ok(result.kind === "stored");
  const { id } = result;
  assert.match(id, /^[A-Za-z0-9_-]{16}$/);
  assert.equal(result.operationId, `operation/${client.deviceId}/1`);
  assert.deepEqual(tasks.get(id), {
    id,
    title: "Milk",
    done: false,
    spent: 0,
    tags: [],
    position: "a0",
  });
  assert.equal(client.entities.get(`task/${id}`)?.payload["title"], "Milk");
  await idOf(tasks.patch(id, { done: true, due: "2026-01-31" }));
  assert.deepEqual([tasks.get(id)?.done, tasks.get(id)?.due], [true, "2026-01-31"]);
  assert.equal(await idOf(tasks.create({ title: "Bread" }, { id: "bread" })), "bread");
  assert.deepEqual(
    tasks.list().map((task) => task.id),
    [id, "bread"],
  );
  await idOf(tasks.remove("bread"));
  assert.deepEqual([tasks.get("bread"), tasks.list().length], [undefined, 1]);
  await idOf(tasks.restore("bread"));
  assert.equal(tasks.get("bread")?.title, "Bread");
});

test("two devices add to one counter, one set and one order at the same time", async (t) => {
  const world = await createWorld(t);
  const [phone, tablet] = [await world.device(), await world.device()];
  const [onPhone, onTablet] = [openTasks(phone), openTasks(tablet)];
  const id = await idOf(onPhone.create({ title: "Milk", spent: 5, tags: ["home", "at work/2"] }));
  await syncAll(phone, tablet);
  await idOf(onPhone.increment(id, "spent", 1));
  await idOf(onTablet.increment(id, "spent", 1));
  await idOf(onPhone.addTo(id, "tags", "urgent"));
  await idOf(onTablet.addTo(id, "tags", "ä"));
  await idOf(onTablet.removeFrom(id, "tags", "home"));
  await syncAll(phone, tablet);
  for (const tasks of [onPhone, onTablet]) {
    assert.equal(tasks.get(id)?.spent, 7);
    assert.deepEqual(tasks.get(id)?.tags, ["at work/2", "urgent", "ä"]);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SyncClient } from "../../../src/client/index.ts";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import { HABIT_PAYLOAD } from "../../fixtures/sync-operation.ts";
import { createWorld, shown, stored, syncAll } from "./world.ts";

test("two devices that create one id offline both keep their fields", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  const tablet = await world.device();
  await stored(phone.create("note/1", { title: "Milk", shop: "Corner" }, { color: "red" }));
  await stored(tablet.create("note/1", { title: "Oat milk", count: 2 }));
  await syncAll(phone, tablet, phone);
  const both = { title: phone.entities.get("note/1")?.payload["title"], shop: "Corner", count: 2 };
  for (const device of [phone, tablet, await world.device()]) {
    assert.deepEqual(shown(device), { "note/1": both });
    assert.deepEqual(device.entities.get("note/1")?.metadata, { color: "red" });
  }
});

/** A note with two lives behind it: each has a field that the other has not. */
async function liveTwice(client: SyncClient): Promise<void> {
  await stored(client.create("note/1", { title: "First", place: "Home" }, { color: "red" }));
  await stored(client.remove("note/1"));
  await stored(client.create("note/1", { title: "Second", done: false }));
  await stored(client.patch("note/1", { done: true }));
  assert.deepEqual(shown(client), { "note/1": { title: "Second", done: true } });
  await stored(client.remove("note/1"));
}

const WHOLE = {
  entityId: "note/1",
  payload: { title: "Second", place: "Home", done: true },
  metadata: { color: "red" },
};

test("a restore without a payload brings back every field, those of an earlier life included", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  const tablet = await world.device();
  await liveTwice(phone);
  await stored(phone.create("task/1", { title: "Other" }));
  await stored(phone.remove("task/1"));
  assert.deepEqual(await phone.deleted("note"), [WHOLE]);
  await syncAll(phone, tablet);
  await compactLog(world.store.database);
  // A device that was never there gets from the compacted log what the others hold.
  const fresh = await world.device();
  for (const device of [phone, tablet, fresh]) {
    assert.deepEqual(
      (await device.deleted()).map(({ entityId }) => entityId),
      ["note/1", "task/1"],
    );
    assert.deepEqual(await device.deleted("note"), [WHOLE]);
  }
  await stored(fresh.restore("note/1", undefined, { color: "blue" }));
  assert.deepEqual(await fresh.deleted("note"), []);
  await syncAll(fresh, phone, tablet);
  for (const device of [phone, tablet, fresh]) {
    assert.deepEqual(device.entities.get("note/1"), { ...WHOLE, metadata: { color: "blue" } });
  }
});

test("a restore with a payload brings back that payload alone", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  await liveTwice(phone);
  await stored(phone.restore("note/1", { title: "Third" }));
  assert.deepEqual(shown(phone), { "note/1": { title: "Third" } });
});

test("a restore of what the device does not hold is refused", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  const result = await phone.restore("note/1");
  assert.equal(result.kind === "refused" && result.reason, "entity_not_found");
  assert.deepEqual(await phone.deleted(), []);
});

test("a restore without a payload of what is not deleted is refused, and writes nothing over others' edits", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  await stored(phone.create("note/1", { title: "First" }));
  const result = await phone.restore("note/1");
  assert.equal(result.kind === "refused" && result.reason, "not_deleted");
});

test("in the profile habits a restore carries a payload that its rules accept", async (t) => {
  const world = await createWorld(t, { profile: "habits" });
  const phone = await world.device({ profile: "habits" });
  const tablet = await world.device({ profile: "habits" });
  await stored(phone.create("habit/water", { ...HABIT_PAYLOAD, note: "an earlier life" }));
  await stored(phone.remove("habit/water"));
  await stored(phone.create("habit/water", { ...HABIT_PAYLOAD, name: "Water" }));
  await stored(phone.remove("habit/water"));
  await syncAll(phone, tablet);
  await stored(tablet.restore("habit/water"));
  await syncAll(tablet, phone);
  const payload = { ...HABIT_PAYLOAD, name: "Water", note: "an earlier life" };
  assert.deepEqual(shown(phone), { "habit/water": payload });
  assert.equal(phone.quarantine.list().length, 0);
});

test("an entity with more fields than one operation holds is restored whole", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  const tablet = await world.device();
  const names = Array.from({ length: 600 }, (_, index) => `tags/${index}`);
  await stored(phone.create("note/1", { long: "ü".repeat(30_000) }));
  await stored(phone.patch("note/1", { longer: "x".repeat(32_000) }));
  for (let start = 0; start < names.length; start += 200) {
    const tags = names.slice(start, start + 200).map((name) => [name, true]);
    await stored(
      phone.patch("note/1", Object.fromEntries(tags), { [`m${start}`]: "y".repeat(100) }),
    );
  }
  const before = phone.entities.get("note/1");
  await stored(phone.remove("note/1"));
  await syncAll(phone, tablet);
  await stored(tablet.restore("note/1"));
  assert.deepEqual(tablet.entities.get("note/1"), before);
  await syncAll(tablet, phone);
  assert.deepEqual(phone.entities.get("note/1"), before);
  assert.equal(tablet.quarantine.list().length, 0);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorld, offline, online, shown, stored, syncAll, syncNow } from "./world.ts";

test("a change of one device appears on the other, and edits of both merge by field", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  const tablet = await world.device();
  await stored(phone.create("note/1", { title: "Milk", done: false }, { color: "red" }));
  assert.deepEqual(phone.entities.get("note/1"), {
    entityId: "note/1",
    payload: { title: "Milk", done: false },
    metadata: { color: "red" },
  });
  assert.equal(phone.status.pending, 1);
  await syncAll(phone, tablet);
  assert.deepEqual(shown(tablet), { "note/1": { title: "Milk", done: false } });
  await stored(phone.patch("note/1", { title: "Oat milk" }));
  await stored(tablet.patch("note/1", { done: true }));
  await syncAll(phone, tablet);
  for (const device of [phone, tablet]) {
    assert.deepEqual(shown(device), { "note/1": { title: "Oat milk", done: true } });
    assert.deepEqual(device.status.kind, "up-to-date");
    assert.equal(device.status.pending, 0);
  }
  await stored(tablet.remove("note/1"));
  assert.equal(tablet.entities.get("note/1"), undefined);
  await syncAll(tablet, phone);
  assert.equal(phone.entities.get("note/1"), undefined);
  await stored(phone.restore("note/1", { title: "Back" }));
  await syncAll(phone, tablet);
  assert.deepEqual(shown(tablet), { "note/1": { title: "Back" } });
});

test("everything works before the first sign-in and without a network, and is sent after", async (t) => {
  const world = await createWorld(t);
  world.network = offline;
  const phone = await world.open();
  assert.equal(phone.status.kind, "signed-out");
  await stored(phone.create("note/1", { title: "Early" }));
  await stored(phone.patch("note/1", { title: "Earlier" }));
  const result = await phone.sync();
  assert.equal(result.kind === "not-synced" && result.error.kind, "signed-out");
  assert.equal(phone.status.pending, 2);
  world.network = online;
  await world.signIn(phone);
  world.network = offline;
  const unreachable = await phone.sync();
  assert.equal(unreachable.kind === "not-synced" && unreachable.error.kind, "unreachable");
  assert.equal(phone.status.kind, "offline");
  assert.equal(phone.status.problem?.kind, "unreachable");
  await stored(phone.create("note/2", { title: "Later" }));
  world.network = online;
  assert.deepEqual(await syncNow(phone), {
    kind: "synced",
    pushed: 3,
    pulled: 3,
    quarantined: 0,
    recovered: null,
  });
  const tablet = await world.device();
  assert.deepEqual(shown(tablet), { "note/1": { title: "Earlier" }, "note/2": { title: "Later" } });
});

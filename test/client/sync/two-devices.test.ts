import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { copyTables, putTablesBack } from "../../sync/operations/put-tables-back.ts";
import { STORAGE_HARNESSES } from "./storages.ts";
import { createWorld, offline, online, shown, stored, syncAll, syncNow } from "./world.ts";

/** Storages that end with the test, of one kind. */
async function createStorage(t: TestContext, kind: keyof typeof STORAGE_HARNESSES) {
  const place = await STORAGE_HARNESSES[kind].createPlace();
  t.after(() => place.remove());
  return () => place.open();
}

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
    pulled: 0,
    quarantined: 0,
    recovered: null,
  });
  const tablet = await world.device();
  assert.deepEqual(shown(tablet), { "note/1": { title: "Earlier" }, "note/2": { title: "Later" } });
});

for (const kind of ["memory", "SQLite"] as const) {
  test(`a device lives on its storage: edits, restarts, refusals and recovery (${kind})`, async (t) => {
    const world = await createWorld(t);
    const open = await createStorage(t, kind);
    let phone = await world.device({ storage: await open() });
    const tablet = await world.device({ storage: await (await createStorage(t, kind))() });
    const restart = async () => {
      await phone.close();
      phone = await world.open({ storage: await open() });
    };
    await copyTables(world.store.database);
    const edits = Array.from({ length: 250 }, (_, index) =>
      stored(phone.create(`note/${index}`, { index, text: "é😀".repeat(20) })),
    );
    await Promise.all(edits);
    await restart();
    assert.equal(phone.entities.list("note").length, 250);
    assert.equal(phone.status.pending, 250);
    await syncAll(phone, tablet);
    await stored(tablet.patch("note/7", { index: -7 }));
    await stored(tablet.remove("note/8"));
    await syncAll(tablet, phone);
    await restart();
    assert.deepEqual(shown(phone), shown(tablet));
    await putTablesBack(world.store.database);
    for (const device of [phone, tablet]) {
      if ((await device.sync()).kind !== "synced") await world.signIn(device);
    }
    await syncAll(phone, tablet);
    const observer = await world.device({ storage: await (await createStorage(t, kind))() });
    assert.deepEqual(shown(observer), shown(phone));
    assert.equal(observer.entities.list("note").length, 249);
    assert.deepEqual(observer.entities.get("note/7")?.payload["index"], -7);
    const [first] = phone.entities.list("note");
    world.network = async (send, { path }) =>
      path === "/v1/push"
        ? Response.json(
            { error: "invalid_sync_operation", message: "", requestId: "r" },
            { status: 400, headers: { "Trellis-Refused": "0=payload_field_type" } },
          )
        : send();
    await stored(phone.patch("note/0", { index: "refused" }));
    await syncNow(phone);
    await restart();
    assert.deepEqual(phone.entities.get("note/0"), {
      ...first,
      refused: true,
      payload: { ...first?.payload, index: "refused" },
    });
    assert.equal(phone.quarantine.list().length, 1);
    const { deviceId } = phone;
    await phone.signOut({ erase: true, discardUnsent: true });
    await restart();
    assert.deepEqual(shown(phone), {});
    assert.notEqual(phone.deviceId, deviceId);
  });
}

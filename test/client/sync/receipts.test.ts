/** What a device has just pushed is not pulled back, unless another device may have pushed in between. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { SyncClient } from "../../../src/client/index.ts";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import { copyTables, putTablesBack } from "../../sync/operations/put-tables-back.ts";
import { createWorld, online, shown, stored, syncAll, syncNow, type World } from "./world.ts";

async function createNotes(device: SyncClient, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index++)
    await stored(device.create(`note/${index}`, { index }));
}

/** Runs the work before the push of that number, which the network then delivers. */
function beforePush(world: World, number: number, work: () => Promise<unknown>): void {
  let pushes = 0;
  const network: World["network"] = async (send, { path }) => {
    if (path !== "/v1/push" || ++pushes !== number) return send();
    world.network = online;
    await work();
    return send();
  };
  world.network = network;
}

test("an upload pulls once before and once after its pushes, and nothing comes back", async (t) => {
  const world = await createWorld(t, { limits: { maxPushOperations: 10 } });
  const phone = await world.device();
  await createNotes(phone, 0, 35);
  world.requests.length = 0;
  const { pushed, pulled } = await syncNow(phone);
  assert.deepEqual([pushed, pulled], [35, 0]);
  const push = "POST /v1/push";
  assert.deepEqual(world.requests, ["GET /v1/pull", push, push, push, push, "GET /v1/pull"]);
  assert.deepEqual(shown(await world.device()), shown(phone));
  await stored(phone.patch("note/1", { index: -1 }));
  assert.equal((await syncNow(phone)).pulled, 0);
});

for (const number of [1, 3]) {
  test(`what another device pushes before push ${number} of an upload is pulled`, async (t) => {
    const world = await createWorld(t, { limits: { maxPushOperations: 10 } });
    const phone = await world.device();
    const tablet = await world.device();
    await createNotes(phone, 0, 35);
    await createNotes(tablet, 100, 101);
    beforePush(world, number, () => syncNow(tablet));
    const { pulled } = await syncNow(phone);
    assert.equal(pulled, 36 - 10 * (number - 1));
    await syncNow(tablet);
    assert.deepEqual(shown(phone), shown(tablet));
    assert.equal(phone.entities.list().length, 36);
  });
}

const withoutReceipt = {
  "leave out an offset": (receipt: object) => ({ ...receipt, offset: undefined }),
  "have a gap": (receipt: object, index: number) =>
    index === 0 ? receipt : { ...receipt, offset: 900 + index },
  "are of what was there before": (receipt: object) => ({ ...receipt, duplicate: true }),
  "have no cursor": (receipt: object) => ({ ...receipt, cursor: 7 }),
};
for (const [name, change] of Object.entries(withoutReceipt)) {
  test(`receipts that ${name} move no cursor`, async (t) => {
    const world = await createWorld(t);
    const phone = await world.device();
    await createNotes(phone, 0, 3);
    world.network = async (send, { path }) => {
      const response = await send();
      if (path !== "/v1/push") return response;
      const { receipts } = (await response.json()) as { receipts: object[] };
      return Response.json({ receipts: receipts.map(change) });
    };
    assert.equal((await syncNow(phone)).pulled, 3);
    assert.equal(phone.status.kind, "up-to-date");
  });
}

async function rollBackAfterUpload(t: TestContext) {
  const world = await createWorld(t);
  const phone = await world.device();
  await createNotes(phone, 0, 2);
  await syncNow(phone);
  await copyTables(world.store.database);
  await createNotes(phone, 2, 5);
  assert.equal((await syncNow(phone)).pulled, 0);
  await putTablesBack(world.store.database);
  return { world, phone };
}

test("what never came back in a page is sent again to a server that was rolled back", async (t) => {
  const { world, phone } = await rollBackAfterUpload(t);
  const { recovered, pushed } = await syncNow(phone);
  assert.deepEqual([recovered, pushed], ["cursor_ahead", 3]);
  assert.deepEqual(shown(await world.device()), shown(phone));
});

test("a rollback is noticed by a receipt's cursor although its offset was given out again", async (t) => {
  const { world, phone } = await rollBackAfterUpload(t);
  const tablet = await world.device();
  await createNotes(tablet, 10, 13);
  await syncNow(tablet);
  assert.equal((await syncNow(phone)).recovered, "generation_changed");
  await syncAll(tablet, phone);
  assert.deepEqual(shown(phone), shown(tablet));
  assert.equal(phone.entities.list().length, 8);
});

for (const [clock, passed] of [
  ["", 120_000],
  [" and had its clock set back", -3_600_000],
] as const) {
  test(`a device that slept between pull and push${clock} notices a server that was rolled back to its offset`, async (t) => {
    const world = await createWorld(t);
    const phone = await world.device();
    const tablet = await world.device();
    await copyTables(world.store.database);
    await createNotes(phone, 0, 2);
    await syncNow(phone);
    await createNotes(phone, 2, 3);
    await createNotes(tablet, 10, 12);
    beforePush(world, 1, async () => {
      await putTablesBack(world.store.database);
      await syncNow(tablet);
      world.clock.now += passed;
    });
    await syncNow(phone);
    await syncAll(tablet, phone);
    assert.deepEqual(shown(phone), shown(tablet));
    assert.equal(phone.entities.list().length, 5);
  });
}

test("a compaction between pull and push hides nothing", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  const tablet = await world.device();
  await createNotes(tablet, 0, 2);
  for (let index = 5; index < 9; index++) await stored(tablet.patch("note/1", { index }));
  await syncAll(tablet, phone);
  await createNotes(phone, 10, 12);
  beforePush(world, 1, () => compactLog(world.store.database));
  assert.equal((await syncNow(phone)).pulled, 0);
  await syncNow(tablet);
  assert.deepEqual(shown(tablet), shown(phone));
});

/** The events client and the sync client in one app: the import of the guide, on synced devices. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImportReport, RemoteEvent, SyncClient } from "../../../src/client/index.ts";
import { textsOf } from "../../../store-contract/read-store.ts";
import { loadGuideModule } from "../../fixtures/load-guide-module.ts";
import { createWorld, offline, online, shown, stored, syncAll, type World } from "./world.ts";

type ImportInto = (
  sync: SyncClient,
  events: readonly RemoteEvent[],
  service: { readonly origin: string; readonly serviceName: string },
) => Promise<ImportReport>;

const PLANNER = { origin: "https://planner.example.org", serviceName: "My planner" };
const EXAM: RemoteEvent = {
  id: "exam/1 ä",
  type: "exam",
  subject_name: "Maths",
  title: "Algebra",
  date: "2026-09-02",
  created_at: null,
};
const LESSON: RemoteEvent = { ...EXAM, id: "lesson", type: "info" };
const EXAM_ID = `habit/${encodeURIComponent("planner.example.org:exam/1 ä")}`;

async function createApp(t: Parameters<typeof createWorld>[0]) {
  const world = await createWorld(t, { profile: "habits" });
  const guide = await loadGuideModule<{ importInto: ImportInto }>(t, "use-the-events-client.md");
  return {
    world,
    device: () => world.device({ profile: "habits" }),
    importAll: async (device: SyncClient) => {
      const { imported, skipped } = await guide.importInto(device, [EXAM, LESSON], PLANNER);
      return {
        imported: imported.map(({ source }) => source.eventId),
        skipped: skipped.map(({ id, reason }) => `${id} ${reason}`),
      };
    },
  };
}

/** The kinds of the operations that the server has, in the order of its log. */
async function storedKinds({ store }: World): Promise<string[]> {
  return textsOf(await store.operations.page(0, 100)).map(
    (text) => (JSON.parse(text) as { kind: string }).kind,
  );
}

test("an imported event is one create, and stays one habit when it is imported again", async (t) => {
  const { world, device, importAll } = await createApp(t);
  const phone = await device();
  const tablet = await device();
  assert.deepEqual(await importAll(phone), {
    imported: [EXAM.id],
    skipped: ["lesson info"],
  });
  assert.equal(phone.status.pending, 1);
  const again = { imported: [], skipped: [`${EXAM.id} already-imported`, "lesson info"] };
  assert.deepEqual(await importAll(phone), again);
  await syncAll(phone, tablet);
  assert.deepEqual(await importAll(tablet), again);
  await syncAll(tablet, phone);
  assert.deepEqual(await storedKinds(world), ["create"]);
  for (const one of [phone, tablet]) {
    const habits = one.entities.list("habit");
    assert.deepEqual(
      habits.map(({ entityId }) => entityId),
      [EXAM_ID],
    );
    assert.equal(habits[0]?.payload["name"], "Algebra");
    assert.deepEqual(habits[0]?.metadata, {
      source: { eventId: EXAM.id, occursOn: "2026-09-02" },
    });
  }
});

test("two devices that import one event before they hear of each other have one habit", async (t) => {
  const { world, device, importAll } = await createApp(t);
  const phone = await device();
  const tablet = await device();
  world.network = offline;
  for (const one of [phone, tablet]) {
    assert.deepEqual((await importAll(one)).imported, [EXAM.id]);
  }
  await stored(tablet.patch(EXAM_ID, { name: "Algebra, chapter 3" }));
  world.network = online;
  await syncAll(phone, tablet, phone);
  assert.deepEqual(await storedKinds(world), ["create", "create", "patch"]);
  assert.deepEqual(shown(phone), shown(tablet));
  assert.deepEqual(Object.keys(shown(phone)), [EXAM_ID]);
  assert.equal(phone.entities.get(EXAM_ID)?.payload["name"], "Algebra, chapter 3");
  assert.deepEqual((await importAll(phone)).imported, []);
});

test("an archived habit is not imported again on any device, a deleted one is", async (t) => {
  const { world, device, importAll } = await createApp(t);
  const phone = await device();
  const tablet = await device();
  await importAll(phone);
  await stored(phone.patch(EXAM_ID, { isActive: false }));
  await syncAll(phone, tablet);
  assert.deepEqual((await importAll(tablet)).imported, []);
  await stored(tablet.remove(EXAM_ID));
  await syncAll(tablet, phone);
  assert.deepEqual(shown(phone), {});
  assert.deepEqual((await importAll(phone)).imported, [EXAM.id]);
  await syncAll(phone, tablet);
  assert.deepEqual(Object.keys(shown(tablet)), [EXAM_ID]);
  assert.deepEqual(await storedKinds(world), ["create", "patch", "delete", "create"]);
});

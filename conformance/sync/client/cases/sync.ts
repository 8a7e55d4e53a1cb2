import { expectSame, fail } from "../../../expect.ts";
import { valuesOf } from "../../device.ts";
import { createOperation, payloadOf } from "../../operations.ts";
import { syncClientCases, type ClientRun } from "../client-run.ts";
import { once } from "../network.ts";
import type { TestClient } from "../test-client.ts";

/** Edits are spread over a few entities, so that the run leaves few tombstones. */
const ENTITIES = 10;
/** The number of operations in a push, one of which is refused. */
export const REFUSED_BATCH = 8;

export const CLIENT_SYNC_CASES = syncClientCases({
  "client-pushes-and-pulls": {
    title: "What one client creates, patches, deletes and restores, another one shows",
    section: "sync contract, POST /v1/push; GET /v1/pull",
    run: ({ newHabit, withDevices }) =>
      withDevices(async (phone, tablet) => {
        const entityId = newHabit();
        const payload = payloadOf(entityId);
        const expectBoth = async (shown: object | undefined) => {
          await phone.sync();
          await tablet.sync();
          for (const device of [phone, tablet]) device.expectShown(entityId, shown);
        };
        await phone.stored(phone.client.create(entityId, payload));
        await expectBoth(payload);
        await phone.stored(phone.client.patch(entityId, { name: "Patched" }));
        await expectBoth({ ...payload, name: "Patched" });
        await phone.stored(phone.client.remove(entityId));
        await expectBoth(undefined);
        await phone.stored(phone.client.restore(entityId, { ...payload, name: "Restored" }));
        await expectBoth({ ...payload, name: "Restored" });
      }),
  },
  "client-merges-with-another-device": {
    title: "Two clients that edited apart show the same afterwards, as does the server's snapshot",
    section: "Trellis decision, sync service: merge; sync contract, POST /v1/push",
    run: ({ server, newHabit, withDevices }) =>
      withDevices(async (phone, tablet) => {
        const entityId = newHabit();
        await phone.stored(phone.client.create(entityId, payloadOf(entityId)));
        await syncBoth(phone, tablet);
        await phone.stored(
          phone.client.patch(entityId, { name: "Of the phone", color: "#111111" }),
        );
        await tablet.stored(tablet.client.patch(entityId, { icon: "star", color: "#222222" }));
        await syncBoth(phone, tablet);
        await phone.sync();
        const merged = phone.client.entities.get(entityId)?.payload;
        expectSame("the merged entity", "name", merged?.["name"], "Of the phone");
        expectSame("the merged entity", "icon", merged?.["icon"], "star");
        tablet.expectShown(entityId, merged);
        const { payloadFields } = await (await server.device()).entity(entityId);
        expectSame("GET /v1/snapshot", "payload", valuesOf(payloadFields), { ...merged });
      }),
  },
  "client-keeps-the-fields-of-two-creates": {
    title: "Two clients that created one entity apart both show the fields of both",
    section: "Trellis decision, sync service: merge, two devices that create one id",
    run: ({ newHabit, newSetting, withDevices }) =>
      withDevices(async (phone, tablet) => {
        await syncBoth(phone, tablet);
        const entityId = newHabit();
        const payload = payloadOf(entityId);
        // The create of the phone has the greater revision, and reaches the server first.
        await phone.stored(phone.client.create(newSetting(), { value: 1 }));
        await phone.stored(phone.client.create(entityId, { ...payload, ofPhone: true }));
        await tablet.stored(tablet.client.create(entityId, { ...payload, ofTablet: true }));
        await syncBoth(phone, tablet);
        await phone.sync();
        const both = { ...payload, ofPhone: true, ofTablet: true };
        for (const device of [phone, tablet]) device.expectShown(entityId, both);
      }),
  },
  "client-restores-what-was-deleted": {
    title: "A client restores what another one deleted, without being given its fields",
    section:
      "Trellis decision, sync service: merge, deletedRevision; the registers of an earlier life",
    run: ({ newHabit, withDevices }) =>
      withDevices(async (phone, tablet) => {
        const entityId = newHabit();
        const payload = payloadOf(entityId);
        await phone.stored(phone.client.create(entityId, { ...payload, note: "kept" }));
        await phone.stored(phone.client.remove(entityId));
        await syncBoth(phone, tablet);
        await tablet.stored(tablet.client.restore(entityId));
        await syncBoth(tablet, phone);
        for (const device of [phone, tablet]) {
          device.expectShown(entityId, { ...payload, note: "kept" });
        }
      }),
  },
  "client-syncs-more-than-a-page": {
    title: "More edits than a push or a page may have arrive in several, all of them",
    section: "sync contract, Limits",
    run: ({ server, newSetting, withDevices }) =>
      withDevices(async (phone, tablet) => {
        const { maxPullOperations } = await server.limits();
        const entities = Array.from({ length: ENTITIES }, newSetting);
        const count = Math.max(maxPullOperations + 1, ENTITIES);
        for (let value = 0; value < count; value++) {
          const entityId = entities[value % ENTITIES] ?? "";
          const edit = value < ENTITIES ? phone.client.create : phone.client.patch;
          await phone.stored(edit(entityId, { value }));
        }
        expectSame("POST /v1/push", "pushed operations", (await phone.sync()).pushed, count);
        const { pulled } = await tablet.sync();
        if (pulled < count) fail("GET /v1/pull", `${count} operations or more`, String(pulled));
        for (const entityId of entities) {
          tablet.expectShown(entityId, { ...phone.client.entities.get(entityId)?.payload });
        }
      }),
  },
  "client-sets-refused-operations-aside": {
    title: "A client sets aside exactly what the server refuses, and sends the rest",
    section: "sync contract, States and transitions 4",
    run: (run) =>
      run.withDevices(async (phone, tablet) => {
        // Other cases change settings of this account meanwhile.
        const { entityIds } = await pushWithRefused(run, phone);
        await tablet.sync();
        for (const entityId of entityIds) {
          const { payload, refused } = phone.client.entities.get(entityId) ?? {};
          tablet.expectShown(entityId, refused ? undefined : payload);
        }
      }),
  },
});

async function syncBoth(phone: TestClient, tablet: TestClient): Promise<void> {
  await phone.sync();
  await tablet.sync();
}

/**
 * Pushes a few operations of which the server must refuse one, because its id was used before with
 * other content; the client must set that one aside. Returns how many pushes the client sent.
 */
export async function pushWithRefused(
  run: ClientRun,
  phone: TestClient,
): Promise<{ readonly pushes: number; readonly entityIds: readonly string[] }> {
  const { server, newSetting } = run;
  const { client, network } = phone;
  const edits: { readonly entityId: string; readonly operationId: string }[] = [];
  for (let value = 0; value < REFUSED_BATCH; value++) {
    const entityId = newSetting();
    edits.push({ entityId, operationId: await phone.stored(client.create(entityId, { value })) });
  }
  const refused = edits[REFUSED_BATCH - 3];
  if (refused === undefined) throw new Error("There is no such edit");
  const sequence = Number(refused.operationId.split("/").at(-1));
  const taken = createOperation({ deviceId: client.deviceId, sequence, entityId: newSetting() });
  const other = await server.device();
  // Another device takes the id after the client has pulled, so that only the server can know of it.
  network.disturb(
    once("/v1/push", async (_request, send) => {
      await other.store(taken);
      return send();
    }),
  );
  const before = network.requests.length;
  const { quarantined } = await phone.sync();
  expectSame("POST /v1/push", "operations set aside", quarantined, 1);
  const ids = client.quarantine.list().map(({ operationId }) => operationId);
  expectSame("POST /v1/push", "the operation set aside", ids, [refused.operationId]);
  expectSame("POST /v1/push", "operations left in the queue", client.status.pending, 0);
  for (const [value, { entityId }] of edits.entries()) {
    phone.expectShown(entityId, { value });
    const isRefused = client.entities.get(entityId)?.refused === true;
    expectSame("POST /v1/push", "shown as refused", isRefused, entityId === refused.entityId);
  }
  const requests = network.requests.slice(before);
  return {
    pushes: requests.filter(({ asked }) => asked === "POST /v1/push").length,
    entityIds: edits.map(({ entityId }) => entityId),
  };
}

/**
 * A stolen device that is signed in does all the damage it can; then it is revoked, and the owner goes on
 * and brings back what it deleted, from what the server keeps.
 */
import { type Fields } from "../../../src/client/index.ts";
import { parseEntityState } from "../../../src/rules/sync/entity-state-text.ts";
import { MAX_SEQUENCE, MAX_CLOCK_STEP } from "../../../src/contract/sync/operation-limits.ts";
import type { SnapshotEntity } from "../../../src/contract/sync/operation.ts";
import { readHead } from "../../../src/sync/sql/log-head.ts";
import { createOperation, type OperationOptions } from "../../fixtures/sync-operation.ts";
import { signInOptions } from "../../sync/service/sync-service.ts";
import { postJson, signIn as signInDevice, type Ask } from "../../sync/sync-client.ts";
import { applyRecorded, isSignedIn, signIn } from "./app-steps.ts";
import { planBareRestore } from "./edits.ts";
import { startServer } from "./server-steps.ts";
import { BASE_URL } from "./simulated-server.ts";
import type { SimulationWorld } from "./simulation-world.ts";

const NAME = "thief";
const DEVICE_ID = `${NAME}-1`;
/** What a quota leaves to a flood, and the pushes by which it must be used up. */
const FLOOD = { left: 10, pushes: 30 } as const;
/** The service measures its storage so often. */
const MEASURE_MS = 1_001;

export async function runTheft(world: SimulationWorld): Promise<void> {
  world.trace("a device is stolen");
  await startServer(world);
  const thief = await createThief(world);
  const before = await thief.readEntities();
  await thief.jump();
  const live = before.filter(({ deleted, lifecycleRevision }) => !deleted && lifecycleRevision);
  const deleted = live.filter(() => world.dice.chance(60));
  for (const entity of live) if (!deleted.includes(entity)) await thief.rewrite(entity);
  for (const { entityId } of live) await thief.push({ kind: "delete", entityId });
  await thief.flood();
  // Honest devices meet the quota too, and wait.
  await world.time.runFor(3_000);
  world.trace("the stolen device is revoked");
  await world.server.revoke(DEVICE_ID);
  await thief.expectRevoked();
  world.server.setQuota(null);
  world.time.sleep(MEASURE_MS);
  await world.server.compact();
  await bringBack(world, deleted);
}

async function createThief(world: SimulationWorld) {
  const { server, history, time, wire } = world;
  const ask: Ask = (path, init) => server.handle(new Request(BASE_URL + path, init));
  const { accessToken } = await signInDevice(ask, signInOptions({ deviceId: DEVICE_ID }));
  const headers = { Authorization: `Bearer ${accessToken}` };
  history.goneDevices.add(NAME);
  const readClock = async () => (await readHead(server.store().database)).clock.greatestSequence;

  async function send(options: OperationOptions): Promise<Response> {
    const operation = createOperation({ deviceId: DEVICE_ID, ...options });
    const response = await postJson(ask, "/v1/push", { operations: [operation] }, headers);
    if (response.status !== 200) return response;
    const { kind, entityId = "", payload = {} } = { kind: "create" as const, ...options };
    const record = history.begin(
      { kind, entityId, payload, metadata: {}, isRefusable: false, invalid: null },
      NAME,
    );
    record.result = { kind: "stored", operationId: operation.operationId };
    wire.noteRequest(`${BASE_URL}/v1/push`, { body: JSON.stringify({ operations: [operation] }) });
    return response;
  }

  /** With the greatest step that the server takes. */
  async function push(options: OperationOptions): Promise<number> {
    const sequence = (await readClock()) + MAX_CLOCK_STEP;
    return (await send({ ...options, sequence })).status;
  }

  return {
    async push(options: OperationOptions): Promise<void> {
      const status = await push(options);
      if (status !== 200) world.fail(`A step of the stolen device got ${status}`);
    },
    async readEntities(): Promise<readonly SnapshotEntity[]> {
      const response = await ask("/v1/snapshot", { headers });
      return ((await response.json()) as { entities: SnapshotEntity[] }).entities;
    },
    async jump(): Promise<void> {
      const payload = { value: "jump" };
      // An empty store takes any first sequence.
      await push({ entityId: "setting/jump", payload });
      for (const sequence of [(await readClock()) + MAX_CLOCK_STEP + 1, 2 ** 40, MAX_SEQUENCE]) {
        const response = await send({ entityId: "setting/jump", payload, sequence });
        const refused = response.headers.get("Trellis-Refused");
        if (refused !== "0=sequence_jump") world.fail(`A jump to ${sequence} got ${refused}`);
      }
    },
    async rewrite({ entityId, payloadFields }: SnapshotEntity): Promise<void> {
      const payload = { ...valuesOf(payloadFields) };
      for (const name of ["title", "text", "done", "name", "category", "description", "value"]) {
        if (name in payload) payload[name] = "stolen";
      }
      if (Object.keys(payload).length === 0) return;
      await this.push({ kind: "patch", entityId, payload });
    },
    async flood(): Promise<void> {
      server.setQuota(FLOOD.left);
      for (let count = 0; count < FLOOD.pushes; count++) {
        time.sleep(MEASURE_MS);
        const payload = { value: "x".repeat(500) };
        if ((await push({ entityId: `setting/flood${count}`, payload })) >= 500) return;
      }
      world.fail("The flood of the stolen device went beyond the quota");
    },
    async expectRevoked(): Promise<void> {
      const status = await push({ entityId: "setting/late", payload: { value: 1 } });
      if (status !== 401) world.fail(`The revoked device got ${status}`);
    },
  };
}

/** The values of all registers that the server has, by entity id. */
async function readKept({ server }: SimulationWorld): Promise<Map<string, Fields>> {
  const kept = new Map<string, Fields>();
  for await (const { state } of server.store().operations.snapshot()) {
    if (state === null) continue;
    const { entityId, payloadFields } = parseEntityState(state);
    const values = [...payloadFields].map(([name, { json }]) => [
      name,
      JSON.parse(json) as unknown,
    ]);
    kept.set(entityId, Object.fromEntries(values) as Fields);
  }
  return kept;
}

/** The owner signs in on one device, and restores each entity with the fields that are kept. */
async function bringBack(
  world: SimulationWorld,
  deleted: readonly SnapshotEntity[],
): Promise<void> {
  const { time } = world;
  const kept = await readKept(world);
  for (const { entityId, payloadFields } of deleted) {
    const [wanted, found] = [valuesOf(payloadFields), kept.get(entityId)];
    const isKept = Object.entries(wanted).every(
      ([name, value]) => JSON.stringify(found?.[name]) === JSON.stringify(value),
    );
    if (!isKept) world.fail(`The server has not kept the fields of ${entityId}, which was deleted`);
  }
  const device = world.devices.find((one) => !one.isLost() && one.apps().length > 0);
  const [app] = device?.apps() ?? [];
  if (device === undefined || app === undefined) return;
  device.link.quality = "good";
  if (!isSignedIn(app)) await signIn(world, device, app);
  await time.runFor(1_000);
  void app.client.sync();
  await time.runFor(1_000);
  for (const { entityId } of deleted) {
    applyRecorded(world, device, app, planBareRestore(entityId, world.profiles));
  }
  await time.runFor(1_000);
}

function valuesOf(registers: SnapshotEntity["payloadFields"]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(registers).map(([name, { value }]) => [name, value]));
}

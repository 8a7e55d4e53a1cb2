/** One simulated run: random steps, then a quiet end, then the judgement. */
import { parseEntityState } from "../../../src/rules/sync/entity-state-text.ts";
import { visibleEntity } from "../../../src/rules/sync/visible-entity.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { restorableEntity } from "../../../src/rules/sync/visible-entity.ts";
import { isSignedIn, signIn } from "./app-steps.ts";
import type { EntityFields, ShownEntity } from "./expected-merge.ts";
import type { Bills } from "./bills.ts";
import { beginKeys, enterKeys } from "./key-steps.ts";
import { judge, SERVER } from "./oracle.ts";
import { checkReplacedKeys } from "./replaced-keys.ts";
import { runRandomStep } from "./random-steps.ts";
import type { SimulatedServer } from "./simulated-server.ts";
import { startServer } from "./server-steps.ts";
import type { RunningApp, SimulatedDevice } from "./simulated-device.ts";
import {
  createSimulationWorld,
  type SimulationWorld,
  type WorldOptions,
} from "./simulation-world.ts";
import type { ShownTask } from "./tasks.ts";
import { runSealedTheft } from "./sealed-theft.ts";
import { runTheft } from "./theft.ts";
import { hasToken } from "./wire-record.ts";

export interface SimulationResult {
  readonly seed: number;
  /** Empty when everything is as it must be. */
  readonly errors: readonly string[];
  /** What happened, in order. */
  readonly steps: readonly string[];
}

/** No device needs longer for anything when the network is good. */
const PATIENCE_MS = 5 * 60_000;
const MAX_ROUNDS = 12;
/** A process is ready after that. */
const START_MS = 50;

export async function simulate(
  seed: number,
  options: WorldOptions = {},
): Promise<SimulationResult> {
  const world = await createSimulationWorld(seed, options);
  try {
    await begin(world);
    const count = world.dice.between(30, 90);
    for (let step = 0; step < count && world.errors.length === 0; step++) {
      if (world.hasThief && step === Math.floor(count / 2)) await steal(world);
      await runRandomStep(world);
      checkWatches(world);
    }
    const held = await readHeld(world);
    await end(world);
    if (world.errors.length === 0) await check(world, held);
  } catch (error) {
    world.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await world.close();
  }
  return { seed, errors: [...world.errors, ...world.wire.errors], steps: world.steps };
}

function steal(world: SimulationWorld): Promise<void> {
  return world.sealed === null ? runTheft(world) : runSealedTheft(world, world.sealed);
}

function checkWatches(world: SimulationWorld): void {
  for (const { process, watch } of world.devices.flatMap((device) => device.apps())) {
    for (const error of watch.errors()) world.fail(`${process.name}: ${error}`);
  }
}

/** Some devices sign in at once, others later. */
async function begin(world: SimulationWorld): Promise<void> {
  const { dice, time } = world;
  for (let count = dice.between(2, 5); count > 0; count--) world.addDevice().open();
  await time.runFor(100);
  for (const device of world.devices) {
    const [app] = device.apps();
    if (app !== undefined && dice.chance(75)) await signIn(world, device, app);
  }
  await time.runFor(1_000);
  if (world.sealed) await beginKeys(world, world.sealed);
  for (const { link } of world.devices) link.quality = dice.pick(["good", "bad"]);
}

/** An operation that a device has must be everywhere in the end, also when its own device is gone. */
async function readHeld({ devices, history }: SimulationWorld): Promise<Set<string>> {
  const held = new Set<string>();
  for (const device of devices) {
    if (device.isLost()) continue;
    const { deviceId, operationIds } = await device.withoutPauses(device.readHeld);
    // It may be erased at any moment.
    if (deviceId !== null && history.goneDevices.has(deviceId)) continue;
    for (const operationId of operationIds) held.add(operationId);
  }
  return held;
}

/** The network is good, every process runs, and the devices sync until nothing moves any more. */
async function end(world: SimulationWorld): Promise<void> {
  const { dice, history, time } = world;
  const devices = remaining(world);
  world.trace("the network is healed");
  await startServer(world);
  for (const device of devices) await healDevice(world, device);
  await syncToQuiet(world);
  if (world.profiles.client === world.profiles.server || dice.chance(50)) return;
  world.trace("the server is updated");
  world.network.streams.endAll();
  await world.server.stop();
  world.server.setProfile("open");
  await startServer(world);
  for (const device of devices) {
    for (const { operationId } of requireApp(device).client.quarantine.list()) {
      history.discarded.delete(operationId);
      const result = await settle(world, requireApp(device).client.quarantine.retry(operationId));
      world.noteResult(`${device.name} retries ${operationId}`, result);
    }
  }
  await time.drain();
  await syncToQuiet(world);
}

function remaining({ devices }: SimulationWorld): readonly SimulatedDevice[] {
  return devices.filter((device) => !device.isLost());
}

async function healDevice(world: SimulationWorld, device: SimulatedDevice): Promise<void> {
  const { time } = world;
  device.link.quality = "good";
  await time.runFor(START_MS);
  device.spare();
  if (device.apps().length === 0) {
    const process = device.open();
    await time.runUntil(() => device.apps().some((app) => app.process === process), PATIENCE_MS);
  }
}

function requireApp(device: SimulatedDevice): RunningApp {
  const [app] = device.apps();
  if (app === undefined) throw new Error(`${device.name} has no process that runs`);
  return app;
}

async function syncToQuiet(world: SimulationWorld): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const head = await world.server.head();
    let isQuiet = true;
    for (const [device, app] of syncingApps(world)) {
      if (!isSignedIn(app)) {
        await signIn(world, device, app);
        await world.time.runUntil(() => isSignedIn(app), PATIENCE_MS);
      }
      await enterNeeded(world, app);
      const result = await settle(world, app.client.sync());
      world.noteResult(`${app.process.name} sync`, result);
      const { kind } = result;
      if (kind !== "synced" || result.pushed + result.pulled + result.quarantined > 0) {
        isQuiet = false;
      }
    }
    // A device also syncs by itself.
    if (isQuiet && head === (await world.server.head())) return;
  }
  world.fail("The devices do not become quiet");
}

async function enterNeeded(world: SimulationWorld, app: RunningApp): Promise<void> {
  if (world.sealed) await enterKeys(world, world.sealed, app, (call) => settle(world, call));
}

/** One process of each device; all of them where they do not hear of each other's writes. */
function syncingApps(world: SimulationWorld): readonly (readonly [SimulatedDevice, RunningApp])[] {
  return remaining(world).flatMap((device) => {
    const apps = device.hasTabApis ? [requireApp(device)] : device.apps();
    return apps.map((app) => [device, app] as const);
  });
}

async function settle<T>({ time }: SimulationWorld, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const mark = () => {
    isSettled = true;
  };
  promise.then(mark, mark);
  if (!(await time.runUntil(() => isSettled, PATIENCE_MS))) throw new Error("A call hangs");
  return promise;
}

async function check(world: SimulationWorld, held: ReadonlySet<string>): Promise<void> {
  const { history, wire, server, time } = world;
  // Messages between tabs may be under way.
  await time.runFor(1_000);
  const quarantined = new Set<string>();
  const views = new Map<string, EntityFields>();
  const deleted = new Map<string, EntityFields>();
  const tasks = new Map<string, readonly ShownTask[]>();
  const bills = new Map<string, ReturnType<Bills["list"]>>();
  for (const device of remaining(world)) {
    for (const { process, client } of device.apps()) {
      const { status } = client;
      const kind = status.quarantined > 0 ? "needs-attention" : "up-to-date";
      if (status.kind !== kind || status.pending > 0) {
        world.fail(`${process.name} has the status ${JSON.stringify(status)}`);
      }
      for (const one of client.unreadable.list()) {
        world.fail(`${process.name} cannot read ${JSON.stringify(one)}`);
      }
      for (const { operationId } of client.quarantine.list()) quarantined.add(operationId);
    }
  }
  checkReplacedKeys(world);
  await discardRefused(world);
  for (const device of remaining(world)) {
    for (const { process, client, ...app } of device.apps()) {
      tasks.set(process.name, app.tasks.list());
      if (app.bills?.isNew === true) bills.set(process.name, app.bills.list());
      views.set(process.name, shownBy(client.entities.list()));
      deleted.set(process.name, shownBy(await settle(world, client.deleted())));
    }
  }
  views.set(SERVER, await shownByServer(world, false));
  deleted.set(SERVER, await shownByServer(world, true));
  const log = await readLog(world);
  const { client, ...app } = await openNewDevice(world);
  tasks.set("a new device", app.tasks.list());
  if (app.bills?.isNew === true) bills.set("a new device", app.bills.list());
  views.set("a new device", shownBy(client.entities.list()));
  deleted.set("a new device", shownBy(await settle(world, client.deleted())));
  const { pushes } = wire;
  const sent = new Map(
    openAll(world, [...wire.operations.values()]).map((one) => [one.operationId, one]),
  );
  const isStricter = world.profiles.client !== world.profiles.server;
  const fitsPush = (ids: readonly string[]) => {
    const operations = ids.map((id) => wire.operations.get(id));
    return Buffer.byteLength(JSON.stringify({ operations })) <= world.bodyBytes;
  };
  const found = { history, sent, pushes, fitsPush, isStricter, log, held, quarantined };
  for (const error of judge({ ...found, views, deleted, tasks, bills })) world.fail(error);
  checkWatches(world);
  for (const line of server.lines) {
    if (hasToken(line) || /unexpected-error|failed/.test(line)) world.fail(`server log: ${line}`);
  }
}

/** What the server refused is seen on its device alone, and must be gone from sight when it is discarded. */
async function discardRefused(world: SimulationWorld): Promise<void> {
  const clients = remaining(world).flatMap((device) => device.apps().map(({ client }) => client));
  for (const { quarantine, entities } of clients) {
    const refused = quarantine.list();
    const entityIds = new Set(refused.map(({ entityId }) => entityId));
    for (const { entityId } of entities.list().filter((entity) => entity.refused)) {
      if (!entityIds.has(entityId)) world.fail(`${entityId} is refused without a cause`);
    }
  }
  for (const { quarantine } of clients) {
    for (const { operationId } of quarantine.list()) {
      await settle(world, quarantine.discard(operationId));
    }
  }
  await syncToQuiet(world);
  await world.time.runFor(1_000);
}

function shownBy(entities: readonly (ShownEntity & { readonly entityId: string })[]): EntityFields {
  return new Map(
    entities.map(({ entityId, payload, metadata }) => [entityId, { payload, metadata }]),
  );
}

/** A device that was never there gets everything from the server. */
async function openNewDevice(world: SimulationWorld): Promise<RunningApp> {
  const device = world.addDevice();
  await healDevice(world, device);
  const app = requireApp(device);
  await signIn(world, device, app);
  await world.time.runUntil(() => isSignedIn(app), PATIENCE_MS);
  await enterNeeded(world, app);
  await settle(world, app.client.sync());
  return app;
}

/** The states that the server itself has merged, with what they show or what a restore can bring back. */
async function shownByServer(
  { server, sealed }: SimulationWorld,
  isDeleted: boolean,
): Promise<EntityFields> {
  const rows = await server
    .store()
    .database.query<{ state: string }>("SELECT state FROM sync_entities");
  const log = await readStored(server);
  const shown = new Map<string, ShownEntity>();
  const parse = (fields: ReadonlyMap<string, string>) =>
    Object.fromEntries([...fields].map(([name, json]) => [name, JSON.parse(json) as unknown]));
  for (const { state } of rows) {
    const read = isDeleted ? restorableEntity : visibleEntity;
    const parsed = parseEntityState(state);
    const opened = sealed === null ? parsed : sealed.openState(parsed, log);
    const entity = read(opened);
    if (entity?.deleted !== isDeleted) continue;
    const { entityId, payload, metadata } = entity;
    shown.set(entityId, { payload: parse(payload), metadata: parse(metadata) });
  }
  return shown;
}

async function readLog(world: SimulationWorld): Promise<readonly Operation[]> {
  return openAll(world, await readStored(world.server));
}

async function readStored(server: SimulatedServer): Promise<readonly Operation[]> {
  const rows = await server
    .store()
    .database.query<{ body: string }>("SELECT body FROM sync_operations");
  return rows.map(({ body }) => JSON.parse(body) as Operation);
}

/** As the app made them. */
function openAll(
  { sealed }: SimulationWorld,
  operations: readonly Operation[],
): readonly Operation[] {
  if (sealed === null) return operations;
  return operations.map((operation) => sealed.openOperation(operation));
}

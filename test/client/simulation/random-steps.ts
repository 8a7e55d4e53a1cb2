/** What happens in a simulation, one random step after the other. */
import { signInOnPage } from "../sync/sign-in-on-page.ts";
import { applyEdit, planEdit } from "./edits.ts";
import type { RunningApp, SimulatedDevice } from "./simulated-device.ts";
import { BASE_URL } from "./simulated-server.ts";
import type { SimulationWorld } from "./simulation-world.ts";

const STEPS = {
  edit: 45,
  wait: 22,
  sync: 7,
  signIn: 6,
  link: 7,
  kill: 12,
  open: 5,
  close: 3,
  server: 9,
  revoke: 2,
  signOut: 1,
  quarantine: 2,
  clock: 1,
  sleep: 2,
  lose: 1,
  disaster: 2,
  killPulling: 2,
} as const;

export async function runRandomStep(world: SimulationWorld): Promise<void> {
  const { dice, time } = world;
  const devices = world.devices.filter((one) => !one.isLost());
  const device = dice.pick(devices);
  const [app] = device.apps().length === 0 ? [] : [dice.pick(device.apps())];
  const step = dice.weighted(STEPS);
  switch (step) {
    case "wait":
      return time.runFor(dice.pick([1, 20, 100, 400, 2_000, 30_000]));
    case "sleep":
      return time.sleep(dice.pick([60_000, 3_600_000, 86_400_000]));
    case "server":
      return disturbServer(world);
    case "link":
      device.link.quality = dice.pick(["good", "bad", "bad", "offline", "offline"]);
      return world.trace(`${device.name} is ${device.link.quality}`);
    case "clock":
      device.clockSkewMs = dice.between(-1_000, 1_000) * 3_600;
      return world.trace(`${device.name} has its clock at ${device.clockSkewMs}`);
    case "revoke":
      return revoke(world, app);
    case "disaster":
      return world.hasRecoveries ? runDisaster(world) : undefined;
    case "killPulling":
      return killPulling(world);
    case "lose":
      return devices.length > 2 ? lose(world, device) : undefined;
    case "open":
      if (device.processes() < 3) open(world, device);
      return time.drain();
    default:
      if (app === undefined) return void (device.processes() === 0 && open(world, device));
      await runAppStep(world, device, app, step);
      return time.drain();
  }
}

type AppStep = "edit" | "sync" | "signIn" | "kill" | "close" | "signOut" | "quarantine";

async function runAppStep(
  world: SimulationWorld,
  device: SimulatedDevice,
  app: RunningApp,
  step: AppStep,
): Promise<void> {
  const { dice } = world;
  const { process, client } = app;
  switch (step) {
    case "edit":
      for (let count = dice.pick([1, 1, 1, 4]); count > 0; count--) edit(world, device, app);
      return;
    case "sync":
      return void client.sync().then((result) => world.noteResult(`${process.name} sync`, result));
    case "signIn":
      return isSignedIn(app) ? undefined : signIn(world, device, app);
    case "kill":
      return kill(world, device, app);
    case "close":
      return void device.close(app);
    case "signOut":
      return signOut(world, app);
    case "quarantine":
      return resolveQuarantine(world, app);
  }
}

/** A new process syncs at once, and may die of it. */
function open({ dice, trace }: SimulationWorld, device: SimulatedDevice): void {
  const process = device.open();
  if (!dice.chance(25)) return;
  trace(`${process.name} will be killed`);
  process.dieAt(dice.between(1, 80));
}

/** At once, or at a step of what the process does next; the app is often opened again. */
function kill(world: SimulationWorld, device: SimulatedDevice, { process, client }: RunningApp) {
  const { dice, time, trace } = world;
  if (dice.chance(70)) {
    process.onEnd(() =>
      time.schedule(dice.below(500), () => {
        if (device.processes() === 0 && !device.isLost()) open(world, device);
      }),
    );
  }
  if (dice.chance(40)) return process.kill();
  trace(`${process.name} will be killed`);
  process.dieAt(dice.between(1, 40));
  if (dice.chance(75)) void client.sync();
}

function edit(world: SimulationWorld, device: SimulatedDevice, app: RunningApp): void {
  const { history, dice, profiles } = world;
  const { process, client } = app;
  const planned = planEdit(dice, profiles, history.records.length);
  const record = history.begin(planned, device.name);
  const what = `${process.name} e${record.number} ${planned.kind} ${planned.entityId}`;
  const isVisible = () => client.entities.get(planned.entityId) !== undefined;
  const wasVisible = isVisible();
  void applyEdit(client, planned).then((result) => {
    if (!process.isAlive()) return;
    record.result = result;
    world.noteResult(what, result);
    const reason = result.kind === "refused" ? result.reason : null;
    if (reason === "closed") return;
    // An edit of the same moment may have deleted the entity; or another process, which died before it
    // could tell.
    const isAlone = !device.wasShared() && history.records.at(-1) === record;
    const needsEntity = planned.kind === "patch" || planned.kind === "delete";
    const isMissing = !isAlone || !wasVisible || !isVisible();
    if (reason === "entity_not_found" && needsEntity && isMissing) return;
    if (reason !== planned.invalid) world.fail(`${what} was refused because of ${reason}`);
  });
}

/** Somebody finds it and keeps it; what it had sent must not be lost with it. */
function lose({ history, trace }: SimulationWorld, device: SimulatedDevice): void {
  trace(`${device.name} is lost`);
  history.goneDevices.add(device.name);
  device.lose();
}

export function isSignedIn({ client }: RunningApp): boolean {
  return client.status.kind !== "signed-out" && client.status.kind !== "sign-in-needed";
}

/** The person opens the page and signs in; the response of the token request may be lost. */
export async function signIn(
  { server, trace, noteResult }: Pick<SimulationWorld, "server" | "trace" | "noteResult">,
  device: SimulatedDevice,
  { process, client }: RunningApp,
): Promise<void> {
  if (!server.isUp()) return;
  trace(`${process.name} signs in`);
  // WebCrypto takes real time, in which nothing else must happen.
  const ended = new Promise<null>((resolve) => process.onEnd(() => resolve(null)));
  const begun = await device.withoutPauses(() => Promise.race([client.beginSignIn(), ended]));
  if (begun === null) return;
  const ask = (path: string, init?: RequestInit) =>
    server.handle(new Request(BASE_URL + path, init));
  const callbackUrl = await signInOnPage(ask, begun.url);
  void client
    .completeSignIn(callbackUrl)
    .then((result) => noteResult(`${process.name} completeSignIn`, result));
}

function signOut({ dice, history, noteResult }: SimulationWorld, { process, client }: RunningApp) {
  const erase = dice.chance(40);
  const everywhere = dice.chance(30);
  // What is not sent yet goes with it, also when the process dies before it can say so.
  if (erase) history.goneDevices.add(client.deviceId);
  const what = `${process.name} signOut ${JSON.stringify({ erase, everywhere })}`;
  void client.signOut({ erase, everywhere }).then((result) => noteResult(what, result));
}

function resolveQuarantine(
  { dice, history, noteResult }: SimulationWorld,
  { process, client }: RunningApp,
): void {
  const list = client.quarantine.list();
  if (list.length === 0) return;
  const { operationId } = dice.pick(list);
  const discards = dice.chance(30);
  if (discards) history.discarded.add(operationId);
  const { quarantine } = client;
  const what = `${process.name} ${discards ? "discards" : "retries"} ${operationId}`;
  const resolving = discards ? quarantine.discard(operationId) : quarantine.retry(operationId);
  void resolving.then((result: unknown) => noteResult(what, result));
}

async function revoke(
  { server, network, dice, trace }: SimulationWorld,
  app: RunningApp | undefined,
): Promise<void> {
  if (!server.isUp()) return;
  const deviceId = dice.chance(80) ? (app?.client.deviceId ?? null) : null;
  trace(`the operator revokes ${deviceId ?? "all"}`);
  await server.revoke(deviceId);
  network.streams.endAll();
}

const CALM_DISTURBANCES = { backUp: 15, copyFolder: 20, compact: 12, kill: 12, stop: 4 } as const;
const RECOVERIES = { restore: 15, putBackFolder: 14, putBackDatabase: 8, move: 4 } as const;
const NO_RECOVERIES = { restore: 0, putBackFolder: 0, putBackDatabase: 0, move: 0 } as const;
const DISTURBANCES = { ...CALM_DISTURBANCES, ...RECOVERIES };

async function disturbServer(world: SimulationWorld): Promise<void> {
  const { server, dice, network, trace } = world;
  if (!server.isUp()) return startServer(world);
  const kind = dice.weighted<keyof typeof DISTURBANCES>(
    world.hasRecoveries ? DISTURBANCES : { ...DISTURBANCES, ...NO_RECOVERIES },
  );
  trace(`server: ${kind}`);
  if (kind === "backUp") return server.backUp();
  if (kind === "compact") return server.compact();
  if (kind === "copyFolder") return server.copyFolder();
  network.streams.endAll();
  if (kind === "kill") await server.kill();
  else await server.stop();
  if (kind === "restore") await server.restore();
  if (kind === "putBackFolder") server.putBack("folder");
  if (kind === "putBackDatabase") server.putBack("database");
  if (kind === "move") await server.move();
  if (dice.chance(70)) await startServer(world);
}

/** Everything is well: the devices are online and signed in, and each has made changes and sent them. */
async function workTogether(world: SimulationWorld, devices: readonly SimulatedDevice[]) {
  const { dice, time } = world;
  await startServer(world);
  for (const device of devices) {
    device.link.quality = "good";
    const [app] = device.apps();
    if (app === undefined) continue;
    if (!isSignedIn(app)) await signIn(world, device, app);
    for (let count = 0; count < 3; count++) edit(world, device, app);
  }
  await time.runFor(300);
  for (const { client } of devices.flatMap((device) => device.apps())) void client.sync();
  await time.runFor(dice.pick([1_000, 2_000]));
}

/** A device is killed while it pulls what the others have made. */
async function killPulling(world: SimulationWorld): Promise<void> {
  const { dice, time, trace } = world;
  const devices = world.devices.filter((device) => !device.isLost());
  const device = dice.pick(devices);
  const others = devices.filter((one) => one !== device);
  await workTogether(world, others);
  device.link.quality = "good";
  const [app] = device.apps();
  if (app === undefined) return open(world, device);
  trace(`${app.process.name} will be killed`);
  app.process.dieAt(dice.between(5, 40));
  void app.client.sync();
  await time.runFor(dice.pick([300, 1_000]));
}

/**
 * The server is copied, and the devices go on. Then one of them is lost, and the server is put back:
 * what the lost one had sent is only on the others.
 */
async function runDisaster(world: SimulationWorld): Promise<void> {
  const { server, dice, time, network } = world;
  const devices = world.devices.filter((device) => !device.isLost());
  await startServer(world);
  world.trace("server: copyFolder");
  server.copyFolder();
  await workTogether(world, devices);
  for (const { client } of devices.flatMap((device) => device.apps())) void client.sync();
  await time.runFor(dice.pick([200, 1_500]));
  if (devices.length > 2 && dice.chance(70)) lose(world, dice.pick(devices));
  network.streams.endAll();
  await server.stop();
  world.trace("server: putBack the last copy");
  server.putBack("folder", true);
  await startServer(world);
}

export async function startServer({ server, trace }: SimulationWorld): Promise<void> {
  if (server.isUp()) return;
  await server.start();
  trace("server: started");
}

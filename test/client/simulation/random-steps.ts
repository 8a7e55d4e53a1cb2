/** What happens in a simulation, one random step after the other. */
import { edit, isSignedIn, open, runAppStep, signIn } from "./app-steps.ts";
import { enterNewest, growBranch, leaveOnBranch, runKeyStep } from "./key-steps.ts";
import { disturbServer, revoke, startServer } from "./server-steps.ts";
import type { SimulatedDevice } from "./simulated-device.ts";
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

/** Of an account whose data is sealed. */
const SEALED_STEPS = { ...STEPS, key: 12 } as const;

export async function runRandomStep(world: SimulationWorld): Promise<void> {
  const { dice, time } = world;
  const devices = world.devices.filter((one) => !one.isLost());
  const device = dice.pick(devices);
  const [app] = device.apps().length === 0 ? [] : [dice.pick(device.apps())];
  const step = dice.weighted<keyof typeof SEALED_STEPS>(
    world.sealed ? SEALED_STEPS : { ...STEPS, key: 0 },
  );
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
      return world.hasRecoveries && !world.hasThief ? runDisaster(world) : undefined;
    case "killPulling":
      return killPulling(world);
    case "lose":
      return devices.length > 2 ? lose(world, device) : undefined;
    case "key":
      if (world.sealed && app && isSignedIn(app)) runKeyStep(world, world.sealed, app);
      return time.drain();
    case "open":
      if (device.processes() < 3) open(world, device);
      return time.drain();
    default:
      if (app === undefined) return void (device.processes() === 0 && open(world, device));
      await runAppStep(world, device, app, step);
      return time.drain();
  }
}

/** The device does not come back; what it had sent must not be lost with it. */
function lose({ history, trace }: SimulationWorld, device: SimulatedDevice): void {
  trace(`${device.name} is lost`);
  history.goneDevices.add(device.name);
  device.lose();
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
    if (world.sealed) enterNewest(world, world.sealed, app);
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
 * The server is copied, and the devices go on. Then one of them is lost, and the server is rolled back:
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
  const isForked = world.sealed !== null && dice.chance(50);
  if (isForked) await leaveOnBranch(world);
  else if (devices.length > 2 && dice.chance(70)) lose(world, dice.pick(devices));
  network.streams.endAll();
  await server.stop();
  world.trace("server: rollBack the last copy");
  server.rollBack("folder", true);
  await startServer(world);
  if (isForked && world.sealed) await growBranch(world, world.sealed);
}

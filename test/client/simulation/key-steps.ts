/** How the person of a sealed account makes, enters and replaces its key. */
import type { EncryptedSyncClient } from "../../../src/client/index.ts";
import { toRecoveryKey } from "../../../src/client/encryption/recovery-key.ts";
import { edit, isSignedIn, signIn } from "./app-steps.ts";
import type { SealedAccount } from "./sealed-account.ts";
import type { RunningApp } from "./simulated-device.ts";
import type { SimulationWorld } from "./simulation-world.ts";

/** Longer than any request is waited for. */
const ATTEMPT_MS = 60_000;
const BAD_ATTEMPTS = 2;
/** Longer than a rotation takes over a good network. */
const BRANCH_MS = 2_000;

/** Some devices make the key, perhaps at once and over a bad network; the others enter it. */
export async function beginKeys(world: SimulationWorld, account: SealedAccount): Promise<void> {
  const { dice, devices, time } = world;
  for (let attempt = 0; !account.isMade(); attempt++) {
    const isLast = attempt >= BAD_ATTEMPTS;
    for (const device of devices) {
      const [app] = device.apps();
      if (app === undefined) continue;
      device.link.quality = isLast ? "good" : dice.pick(["good", "bad"]);
      if (isLast && !isSignedIn(app)) await signIn(world, device, app);
      if (isLast || dice.chance(60)) makeKey(world, account, app);
    }
    await time.runFor(ATTEMPT_MS);
  }
  for (const { link } of devices) link.quality = "good";
  for (const [app] of devices.map((device) => device.apps())) {
    if (app !== undefined && dice.chance(80)) enterNewest(world, account, app);
  }
  await time.runFor(1_000);
}

function isReady(app: RunningApp): boolean {
  return withKeys(app).encryption.state.kind === "ready";
}

export function runKeyStep(world: SimulationWorld, account: SealedAccount, app: RunningApp): void {
  const { dice } = world;
  const { recoveryKeys, wrongKey } = account;
  if (!isReady(app)) {
    const wanted = dice.chance(70) ? recoveryKeys.at(-1) : dice.pick([wrongKey, ...recoveryKeys]);
    return enterKey(world, app, wanted ?? wrongKey);
  }
  if (dice.chance(10)) return makeKey(world, account, app);
  if (dice.chance(10)) return enterKey(world, app, wrongKey);
  void withKeys(app)
    .encryption.rotateKey()
    .then((result) => world.noteResult(`${app.process.name} rotateKey`, result));
}

export function enterNewest(
  world: SimulationWorld,
  { recoveryKeys, wrongKey }: SealedAccount,
  app: RunningApp,
): void {
  if (isSignedIn(app) && !isReady(app)) enterKey(world, app, recoveryKeys.at(-1) ?? wrongKey);
}

/**
 * On one device the key is replaced, and what it then makes is sent. The device is offline from there on, so a
 * server that goes back does not get the key again.
 */
export async function leaveOnBranch(world: SimulationWorld): Promise<void> {
  const [device, app] = findReady(world);
  if (device === undefined || app === undefined) return;
  const { encryption } = withKeys(app);
  void encryption.rotateKey().then((result) => {
    world.noteResult(`${app.process.name} rotateKey on a branch`, result);
  });
  await world.time.runFor(BRANCH_MS);
  edit(world, device, app);
  void app.client.sync();
  await world.time.runFor(BRANCH_MS);
  device.link.quality = "offline";
}

/** Another device goes on with the key of the server that went back, and replaces that. */
export async function growBranch(world: SimulationWorld, account: SealedAccount): Promise<void> {
  const key = account.keys.get((await listKeyIds(world)).at(-1) ?? "");
  const others = world.devices.filter(({ link }) => link.quality !== "offline");
  const app = others.flatMap((device) => device.apps()).find(isSignedIn);
  if (key === undefined || app === undefined) return;
  if (!isReady(app)) enterKey(world, app, toRecoveryKey(key.bytes));
  await world.time.runFor(BRANCH_MS);
  void withKeys(app)
    .encryption.rotateKey()
    .then((result) => world.noteResult(`${app.process.name} rotateKey on another branch`, result));
  await world.time.runFor(BRANCH_MS);
}

/** Those of the server's list, the oldest first. */
export async function listKeyIds({ server }: SimulationWorld): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { keyId } of server.store().keys.list()) ids.push(keyId);
  return ids;
}

function findReady({ devices }: SimulationWorld) {
  for (const device of devices) {
    const app = device.isLost() ? undefined : device.apps().find(isReady);
    if (app !== undefined) return [device, app] as const;
  }
  return [];
}

/** The person enters what they have written down, the newest first, until a key is the account's. */
export async function enterKeys(
  world: SimulationWorld,
  { recoveryKeys }: SealedAccount,
  app: RunningApp,
  settle: <T>(promise: Promise<T>) => Promise<T>,
): Promise<void> {
  for (const key of recoveryKeys.toReversed()) {
    if (isReady(app)) return;
    const result = await settle(withKeys(app).encryption.useKey(key));
    world.noteResult(`${app.process.name} useKey`, result);
  }
}

function makeKey(world: SimulationWorld, { firstKeys }: SealedAccount, app: RunningApp): void {
  void withKeys(app)
    .encryption.createKey()
    .then((result) => {
      world.noteResult(`${app.process.name} createKey`, result);
      if (result.kind === "created") firstKeys.add(result.recoveryKey);
      if (firstKeys.size > 1) world.fail("The account got a second key");
    });
}

function enterKey(world: SimulationWorld, app: RunningApp, key: string): void {
  const isWrong = key === world.sealed?.wrongKey;
  void withKeys(app)
    .encryption.useKey(key)
    .then((result) => {
      world.noteResult(`${app.process.name} useKey${isWrong ? " of another account" : ""}`, result);
      const isTaken = result.kind === "unlocked" && result.checked;
      if (isWrong && isTaken) world.fail("A key of another account was taken");
    });
}

function withKeys({ client }: RunningApp): EncryptedSyncClient {
  if (!("encryption" in client)) throw new Error("The simulation is not sealed");
  return client as EncryptedSyncClient;
}

/** What a person does with the app of a device, and what happens to the app. */
import type { OrderPlace } from "../../../src/client/index.ts";
import { signInOnPage } from "../sync/sign-in-on-page.ts";
import type { Bills } from "./bills.ts";
import type { EditRecord } from "./edit-history.ts";
import { applyEdit, planEdit } from "./edits.ts";
import { needsEntity, needsNoEntity, type PlannedEdit } from "./planned-edit.ts";
import type { RunningApp, SimulatedDevice } from "./simulated-device.ts";
import { findReplacedKeys } from "./replaced-keys.ts";
import { BASE_URL } from "./simulated-server.ts";
import type { SimulationWorld } from "./simulation-world.ts";
import { callTask, isMoved, planTransaction } from "./task-edits.ts";
import type { ShownTask, TaskCalls } from "./tasks.ts";

type AppStep = "edit" | "sync" | "signIn" | "kill" | "close" | "signOut" | "quarantine";

export async function runAppStep(
  world: SimulationWorld,
  device: SimulatedDevice,
  app: RunningApp,
  step: AppStep,
): Promise<void> {
  const { dice } = world;
  const { process, client } = app;
  switch (step) {
    case "edit":
      if (app.bills?.isNew === true && dice.chance(10)) settleBills(world, device, app, app.bills);
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
export function open({ dice, trace }: SimulationWorld, device: SimulatedDevice): void {
  const process = device.open();
  if (device.isSpared() || !dice.chance(25)) return;
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

export function edit(world: SimulationWorld, device: SimulatedDevice, app: RunningApp): void {
  const { history, dice, profiles, transactions } = world;
  if (profiles.client === "open" && transactions.maxOperations > 1 && dice.chance(15)) {
    return applyTransaction(world, device, app);
  }
  const isVisible = (entityId: string) => app.client.entities.get(entityId) !== undefined;
  const { length } = history.records;
  const planned = planEdit(dice, profiles, length, isVisible, app.bills);
  applyRecorded(world, device, app, planned);
}

/** It ends with the process, which may be killed. */
function settleBills(
  { history, noteResult, fail }: SimulationWorld,
  device: SimulatedDevice,
  { process }: RunningApp,
  bills: Bills,
): void {
  history.settling.add(device.name);
  bills.settle().then(
    (result) => noteResult(`${process.name} settles`, result),
    (error: unknown) => {
      const isClosed = String(error).includes("the sync client is closed");
      if (process.isAlive() && !isClosed) fail(`${process.name} cannot settle: ${String(error)}`);
    },
  );
}

/** The process may die while its edits are stored. */
function applyTransaction(world: SimulationWorld, device: SimulatedDevice, app: RunningApp): void {
  const { history, dice, transactions } = world;
  const { process, client, tasks } = app;
  const isVisible = (entityId: string) => client.entities.get(entityId) !== undefined;
  const planned = planTransaction(dice, history.records.length, transactions, isVisible);
  const replaced = findReplacedKeys(world, app);
  const records = planned.map((one) => history.begin(one, device.name, replaced));
  const entityIds = planned.map(({ entityId }) => entityId).join(", ");
  const what = `${process.name} e${records[0]?.number} transaction of ${entityIds}`;
  if (dice.chance(25)) {
    world.trace(`${process.name} will be killed`);
    process.dieAt(dice.between(1, 4 * planned.length));
  }
  const result = client.transaction((edit) => {
    for (const one of planned) {
      const [type = ""] = one.entityId.split("/");
      const calls = type === "task" ? edit(tasks) : edit(client.collection(type));
      callTask(calls as TaskCalls<unknown>, one);
    }
  });
  void result.then((settled) => {
    if (!process.isAlive()) return;
    world.noteResult(what, settled);
    for (const [index, record] of records.entries()) {
      const { [index]: operationId = "" } = settled.kind === "stored" ? settled.operationIds : [];
      record.result = settled.kind === "stored" ? { kind: "stored", operationId } : settled;
    }
    const reason = settled.kind === "refused" ? settled.reason : null;
    const expected = [null, "closed", "entity_not_found", "entity_exists", "not_deleted"];
    if (!expected.includes(reason)) world.fail(`${what} was refused because of ${reason}`);
  });
}

export function applyRecorded(
  world: SimulationWorld,
  device: SimulatedDevice,
  app: RunningApp,
  planned: PlannedEdit,
): void {
  const { history } = world;
  const { process, client, tasks } = app;
  const record = history.begin(planned, device.name, findReplacedKeys(world, app));
  const what = `${process.name} e${record.number} ${planned.kind} ${planned.entityId}`;
  const isVisible = () => client.entities.get(planned.entityId) !== undefined;
  const wasVisible = isVisible();
  // A task that is just being removed is no place to move to.
  const isGoing = (id: string) =>
    history.records.some(
      ({ kind, entityId, result }) => kind === "delete" && entityId === `task/${id}` && !result,
    );
  const listed = planned.call?.name === "move" ? tasks.list() : [];
  const before = listed.filter(({ id }) => !isGoing(id));
  void applyEdit(app, planned).then((result) => {
    if (!process.isAlive()) return;
    record.result = result;
    world.noteResult(what, result);
    const isAlone = !device.wasShared() && history.records.at(-1) === record;
    if (isAlone) record.broughtBack = client.entities.get(planned.entityId) ?? null;
    const reason = result.kind === "refused" ? result.reason : null;
    if (reason === "closed") return;
    if (planned.call?.name === "move") {
      const { place } = planned.call;
      const neighbour = "after" in place ? place.after : "before" in place ? place.before : null;
      if (reason === "order_place" && !before.some(({ id }) => id === neighbour)) return;
      if (isAlone && reason === null) checkMove(world, record, place, before, tasks.list());
    }
    // An edit of the same moment may have deleted the entity; or another process, which died before it
    // could tell.
    const isMissing = !isAlone || !wasVisible || !isVisible();
    if (reason === "entity_not_found" && needsEntity(planned) && isMissing) return;
    const isThere = !isAlone || wasVisible || isVisible();
    if (reason === "entity_exists" && needsNoEntity(planned) && isThere) return;
    if (reason === "not_deleted" && planned.payload === null && (!isAlone || isVisible())) return;
    if (reason !== planned.invalid) world.fail(`${what} was refused because of ${reason}`);
  });
}

function checkMove(
  world: SimulationWorld,
  { entityId }: EditRecord,
  place: OrderPlace,
  before: readonly ShownTask[],
  after: readonly ShownTask[],
): void {
  if (isMoved(entityId.slice("task/".length), place, before, after) !== false) return;
  world.fail(`${entityId} lies not ${JSON.stringify(place)} in ${JSON.stringify(after)}`);
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
  if (begun?.kind !== "begun") return;
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
  const options = { erase, everywhere, discardUnsent: true };
  void client.signOut(options).then((result) => noteResult(what, result));
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

/** A device that is killed at every step of its storage, one after the other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createMemorySyncStorage,
  type EditResult,
  type SyncClient,
} from "../../../src/client/index.ts";
import { createFaultyStorage } from "./faulty-storage.ts";
import { createWorld, shown, stored, syncNow, type World } from "./world.ts";

/** The payloads that the device shows, by entity id. */
type Model = Record<string, Record<string, unknown>>;

interface Step {
  readonly edit: (client: SyncClient) => Promise<EditResult>;
  readonly expect: (model: Model) => void;
}

/** The edits of a run. */
function createSteps(run: string): readonly Step[] {
  const [first, second] = [`note/${run}-1`, `note/${run}-2`];
  return [
    {
      edit: (client) => client.create(first, { a: 1 }),
      expect: (model) => (model[first] = { a: 1 }),
    },
    {
      edit: (client) => client.patch(first, { a: 2 }),
      expect: (model) => Object.assign(model[first] ?? {}, { a: 2 }),
    },
    {
      edit: (client) => client.create(second, { a: 1 }),
      expect: (model) => (model[second] = { a: 1 }),
    },
    { edit: (client) => client.remove(second), expect: (model) => delete model[second] },
    {
      edit: (client) => client.patch(first, { b: 1 }),
      expect: (model) => Object.assign(model[first] ?? {}, { b: 1 }),
    },
  ];
}
/** The device syncs after these edits. */
const SYNCS = new Set([3, 4]);

const RUNS_PER_WORLD = 20;

interface Device {
  readonly client: SyncClient;
  isDead(): boolean;
}

/** Edits and syncs until the device dies; returns the models that the device may show then. */
async function runUntilDead({ client, isDead }: Device, run: string): Promise<readonly Model[]> {
  let model: Model = {};
  for (const [index, { edit, expect }] of createSteps(run).entries()) {
    const before = structuredClone(model);
    const result = await edit(client);
    expect(model);
    if (result.kind === "refused") {
      assert.equal(result.reason, "storage_failed");
      // Its promise told of no change, but the last step may have been the confirmation.
      return [before, model];
    }
    if (SYNCS.has(index)) await client.sync();
    if (isDead()) return [model];
    model = structuredClone(model);
  }
  return [model];
}

test("a device that is killed at any step loses nothing, and sends nothing twice", async (t) => {
  let world = await createWorld(t);
  let observer = await world.device();
  let isComplete = false;
  let runs = 0;
  for (let diesAt = 1; !isComplete; diesAt++, runs++) {
    // A log that grows with the runs would make each of them slower.
    if (diesAt % RUNS_PER_WORLD === 0) {
      world = await createWorld(t);
      observer = await world.device();
    }
    const run = `run${diesAt}`;
    const records = createMemorySyncStorage();
    const first = await world.open({ storage: createFaultyStorage(records) });
    await world.signIn(first);
    await syncNow(first);
    await first.close();
    await stored(observer.create(`note/${run}-3`, { from: "observer" }));
    await syncNow(observer);

    const storage = createFaultyStorage(records, diesAt);
    const client = await world.open({ storage }).catch(() => null);
    const models =
      client === null ? [{}] : await runUntilDead({ client, isDead: storage.isDead }, run);
    isComplete = !storage.isDead();
    await client?.close();

    const reopened = await world.open({ storage: records });
    const ours = new Set([`note/${run}-1`, `note/${run}-2`]);
    const own = Object.entries(shown(reopened)).filter(([id]) => ours.has(id));
    const isExpected = models.some((model) => isEqual(model, Object.fromEntries(own)));
    assert.ok(isExpected, `${run} shows ${JSON.stringify(own)}, not ${JSON.stringify(models)}`);
    await syncNow(reopened);
    await syncNow(observer);
    assert.deepEqual(shown(reopened), shown(observer), run);
    assert.equal(reopened.status.pending, 0);
    const numbers = await sequencesOf(world, reopened.deviceId);
    assert.equal(new Set(numbers).size, numbers.length);
    assert.ok(numbers.length <= 5, `${run} pushed ${numbers.length} operations`);
    await reopened.close();
  }
  assert.ok(runs > 50, `only ${runs} steps`);
});

function isEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}

/** Of the operations of a device that the server has. */
async function sequencesOf({ store }: World, deviceId: string): Promise<number[]> {
  const rows = await store.database.query<{ body: string }>("SELECT body FROM sync_operations");
  return rows
    .map(
      ({ body }) =>
        (JSON.parse(body) as { revision: { deviceId: string; sequence: number } }).revision,
    )
    .filter((revision) => revision.deviceId === deviceId)
    .map(({ sequence }) => sequence);
}

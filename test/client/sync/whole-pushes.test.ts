/** What one device did together, the listeners of another see together, wherever pages end. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import fc from "fast-check";
import { createMemorySyncStorage, type SyncClient } from "../../../src/client/index.ts";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import { createKeptDevice, createSealedWorld, useKey } from "./sealed-device.ts";
import { createWorld, offline, online, shown, syncNow, type World } from "./world.ts";

/** A transaction makes so many notes, which name it. */
async function makeTogether(client: SyncClient, name: string, size: number): Promise<void> {
  const notes = client.collection("note");
  const result = await client.transaction((edit) => {
    for (let index = 0; index < size; index++) {
      edit(notes).create({ of: name, size }, { id: `${name}-${index}` });
    }
  });
  assert.equal(result.kind, "stored", JSON.stringify(result));
}

/** The names of transactions of which a part is missing. */
function partsOf(client: SyncClient): string[] {
  const groups = Map.groupBy(client.entities.list("note"), ({ payload }) => payload["of"]);
  return [...groups].flatMap(([name, notes]) =>
    notes.length === notes[0]?.payload["size"] ? [] : [String(name)],
  );
}

/** A device whose listeners note every part that they see. */
async function openWatched(open: () => Promise<SyncClient>) {
  const client = await open();
  const parts = partsOf(client);
  client.subscribe(() => void parts.push(...partsOf(client)));
  return { client, parts };
}

interface Run {
  readonly sizes: readonly number[];
  readonly pullOperations: number;
  readonly isCompacted: boolean;
  /** What happens to each page: it comes, it is lost, or the process ends before it. */
  readonly pages: readonly ("comes" | "lost" | "killed")[];
}

interface Devices {
  readonly world: World;
  readonly writer: SyncClient;
  /** Opens the reader, which is signed in, again and again. */
  readonly open: () => Promise<SyncClient>;
}

async function createDevices(t: TestContext, maxPullOperations: number): Promise<Devices> {
  const world = await createWorld(t, { limits: { maxPullOperations } });
  const storage = createMemorySyncStorage();
  const open = () => world.open({ storage });
  const reader = await open();
  await world.signIn(reader);
  await reader.close();
  return { world, writer: await world.device(), open };
}

async function createSealedDevices(t: TestContext, maxPullOperations: number): Promise<Devices> {
  const world = await createSealedWorld(t, { limits: { maxPullOperations } });
  const [writer, recoveryKey] = await world.first();
  const { open } = createKeptDevice(world);
  const reader = await open();
  await world.signIn(reader);
  await useKey(reader, recoveryKey);
  await reader.close();
  return { world, writer, open };
}

async function expectWhole(
  { world, writer, open }: Devices,
  { sizes, isCompacted, pages }: Omit<Run, "pullOperations">,
) {
  let reader = await openWatched(open);
  for (const [index, size] of sizes.entries()) {
    await makeTogether(writer, `t${index}`, size);
    await syncNow(writer);
  }
  if (isCompacted) await compactLog(world.store.database);
  let isKilled = false;
  const events = [...pages];
  world.network = async (send, request) => {
    if (!request.path.startsWith("/v1/pull")) return send();
    const event = events.shift() ?? "comes";
    if (event === "comes") return send();
    isKilled = event === "killed";
    await send();
    return offline(send, request);
  };
  for (let round = 0; round <= pages.length; round++) {
    isKilled = false;
    await reader.client.sync();
    assert.deepEqual(reader.parts, [], "parts that listeners saw");
    if (!isKilled) continue;
    await reader.client.close();
    reader = await openWatched(open);
    assert.deepEqual(reader.parts, [], "parts that a new process shows");
  }
  assert.deepEqual(shown(reader.client), shown(writer));
  await reader.client.close();
  await writer.close();
}

const event = fc.constantFrom("comes", "comes", "comes", "lost", "killed");
const runs = (pullOperations: fc.Arbitrary<number>): fc.Arbitrary<Run> =>
  fc.record({
    sizes: fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 9 }),
    pullOperations,
    isCompacted: fc.boolean(),
    pages: fc.array(event, { maxLength: 12 }),
  });

const toLongPages = fc.integer({ min: 100, max: 500 });
const toShortPages = fc.integer({ min: 7, max: 99 });

for (const [what, pullOperations, create, numRuns] of [
  [
    "transactions whole, with pages of 100 to 500, lost lines and crashes",
    toLongPages,
    createDevices,
    6,
  ],
  ["transactions whole, with pages that are shorter than a push", toShortPages, createDevices, 6],
  [
    "sealed transactions whole, with pages of 100 to 500, lost lines and crashes",
    toLongPages,
    createSealedDevices,
    3,
  ],
] as const) {
  test(`listeners see ${what}`, (t) =>
    fc.assert(
      fc.asyncProperty(runs(pullOperations), async (run) =>
        expectWhole(await create(t, run.pullOperations), run),
      ),
      { numRuns },
    ));
}

test("what has come of a push is kept while the line is down, and asked for once", async (t) => {
  const world = await createWorld(t, { limits: { maxPullOperations: 10 } });
  const writer = await world.device();
  const { client, parts } = await openWatched(() => world.open());
  await world.signIn(client);
  await makeTogether(writer, "t", 45);
  await syncNow(writer);
  let requests = 0;
  // After each page the line is down for a request and its repetition.
  world.network = (send, request) =>
    request.path.startsWith("/v1/pull") && ++requests % 3 !== 1 ? offline(send, request) : send();
  for (let round = 0; round < 4; round++) assert.equal((await client.sync()).kind, "not-synced");
  assert.equal(client.entities.list().length, 0);
  assert.equal((await client.sync()).kind, "synced");
  assert.deepEqual(parts, []);
  assert.equal(client.entities.list().length, 45);
  assert.equal(requests, 5 + 4 * 2, "each of the five pages came once");
});

test("a log that is one push, as a purged one is, comes page by page", async (t) => {
  const world = await createWorld(t, { limits: { maxPullOperations: 60 } });
  const writer = await world.device();
  for (let index = 0; index < 5; index++) {
    await makeTogether(writer, `t${index}`, 50);
    await syncNow(writer);
  }
  await world.store.database.transaction((tx) =>
    tx.script("DELETE FROM sync_marks WHERE log_offset < (SELECT head_offset FROM sync_log)"),
  );
  world.network = online;
  const reader = await world.open();
  await world.signIn(reader);
  const sizes: number[] = [];
  reader.subscribe(() => void sizes.push(reader.entities.list().length));
  await syncNow(reader);
  assert.deepEqual(
    [...new Set(sizes)].filter((size) => size > 0),
    [120, 240, 250],
  );
});

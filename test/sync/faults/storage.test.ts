import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { runChild } from "../../database/run-child.ts";
import { startOwnPostgres } from "../../database/start-postgres.ts";
import { createSeededRandom } from "../../fixtures/seeded-random.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { assertLogMatchesReceipts, createDevice, createLogReader } from "./device.ts";
import { createOperationMaker } from "./make-operations.ts";
import { assertStopsWell, assertUnavailable, pushRaw } from "./outage.ts";
import { createInstance, type SyncProcess } from "./sync-instance.ts";

const DISK_BYTES = 6 * 1024 * 1024;
const PUSH_SIZE = 100;
const RECOVERY_MS = 20_000;
const RESTARTS = 6;
/** Generous, for a busy machine; a lost statement would delay it by 35 s. */
const GOES_ON_MS = 3000;

const createMaker = () => createOperationMaker("phone", createSeededRandom(7));

test("a full disk is a 503 until there is space, and nothing acknowledged is lost", async (t) => {
  const folder = await mountSmallDisk(t);
  if (folder === null) return t.skip("needs the right to mount a small disk");
  const ballast = join(folder, "ballast");
  await writeFile(ballast, Buffer.alloc(DISK_BYTES / 2));
  const instance = await createInstance(t, { folder });
  const server = await instance.serve();
  const phone = await createDevice(server.ask, "phone");
  const make = createMaker();
  let refused: Response | null = null;
  let texts: string[] = [];
  for (let push = 0; refused === null && push < 200; push++) {
    texts = make(PUSH_SIZE);
    const response = await pushRaw(phone, server.ask, texts);
    if (response.status === 200) await phone.push(server.ask, texts);
    else refused = response;
  }
  assert.ok(refused !== null, "the disk was never full");
  await assertUnavailable(refused);
  // Reads still work, and the process runs on.
  assert.equal((await server.ask("/v1/health")).status, 200);
  assert.equal((await phone.ask(server.ask, "/v1/device")).status, 200);
  assertLogMatchesReceipts(await createLogReader(phone)(server.ask), [phone]);
  await assertUnavailable(await pushRaw(phone, server.ask, texts));
  assert.match((await server.readiness()).reason ?? "", /the disk is full/);

  await rm(ballast);
  await phone.push(server.ask, texts);
  assertLogMatchesReceipts(await createLogReader(phone)(server.ask), [phone]);
  await assertOneOutage(server, /the disk is full/);
  await assertStopsWell(server);
});

test("a file that another process keeps locked is a 503 for writes, while reads work", async (t) => {
  const instance = await createInstance(t);
  const server = await instance.serve();
  const phone = await createDevice(server.ask, "phone");
  const make = createMaker();
  await phone.push(server.ask, make(PUSH_SIZE));
  const holder = runChild("hold-lock.ts", [join(instance.folder, "sync.db")]);
  await holder.started;
  const texts = make(PUSH_SIZE);
  const pushing = pushRaw(phone, server.ask, texts);
  const log = await createLogReader(phone)(server.ask);
  assert.equal(log.headOffset, PUSH_SIZE);
  assert.equal((await server.ask("/v1/health")).status, 200);
  await assertUnavailable(await pushing);
  const { status, reason } = await server.readiness();
  assert.equal(status, 503);
  assert.match(reason ?? "", /a write takes longer than 3 seconds/);
  holder.process.stdin?.end();
  await holder.ending;
  await phone.push(server.ask, texts);
  assertLogMatchesReceipts(await createLogReader(phone)(server.ask), [phone]);
  await assertOneOutage(server, /locked by another process/);
  await assertStopsWell(server);
});

test("a stopped PostgreSQL is a 503, and is used again once it is back", async (t) => {
  const postgres = await startOwnPostgres();
  const instance = await createInstance(t, { store: await postgres.createDatabase() });
  const server = await instance.serve();
  const phone = await createDevice(server.ask, "phone");
  const make = createMaker();
  await phone.push(server.ask, make(PUSH_SIZE));
  await postgres.stopServer();
  const texts = make(PUSH_SIZE);
  try {
    await assertUnavailable(await pushRaw(phone, server.ask, texts));
    await assertUnavailable(await server.ask("/v1/health"));
    await assertUnavailable(await phone.ask(server.ask, "/v1/snapshot"));
    assert.equal((await server.readiness()).status, 503);
  } finally {
    await postgres.startServer();
  }
  const givesUpAt = performance.now() + RECOVERY_MS;
  while ((await server.ask("/v1/health")).status !== 200) {
    assert.ok(performance.now() < givesUpAt, "the server did not find its store again");
    await sleep(100);
  }
  await phone.push(server.ask, texts);
  assertLogMatchesReceipts(await createLogReader(phone)(server.ask), [phone]);
  await assertOneOutage(server, /the connection failed|the server is stopping/);
  await assertStopsWell(server);
});

test("pushes go on as soon as a restarted PostgreSQL is back, again and again", async (t) => {
  const postgres = await startOwnPostgres();
  const instance = await createInstance(t, { store: await postgres.createDatabase() });
  const server = await instance.serve();
  const devices = await Promise.all(["a", "b", "c"].map((name) => createDevice(server.ask, name)));
  let isOver = false;
  let longestMs = 0;
  let lastStoredAt = 0;
  const statuses = new Set<number>();
  const pushing = devices.map(async (device) => {
    let first = 1;
    while (!isOver) {
      const startedAt = performance.now();
      const texts = makeLargePush(device.deviceId, first);
      const response = await pushRaw(device, server.ask, texts);
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      statuses.add(response.status);
      if (response.status === 503) {
        await assertUnavailable(response);
        await sleep(20);
        continue;
      }
      assert.equal(response.status, 200, await response.text());
      lastStoredAt = performance.now();
      first += texts.length;
    }
    return makeLargePush(device.deviceId, first);
  });
  try {
    for (let round = 0; round < RESTARTS; round++) {
      await sleep(100 + 50 * Math.random());
      await postgres.stopServer();
      await postgres.startServer();
      const backAt = performance.now();
      while (lastStoredAt < backAt && performance.now() - backAt < 10_000) await sleep(5);
      const delay = lastStoredAt - backAt;
      assert.ok(
        delay > 0 && delay < GOES_ON_MS,
        `round ${round}: the first push after ${delay} ms`,
      );
    }
  } finally {
    isOver = true;
    await Promise.all(pushing);
  }
  assert.ok(longestMs < 5000, `a push took ${longestMs} ms`);
  assert.deepEqual([...statuses].sort(), [200, 503]);
  for (const [index, device] of devices.entries()) {
    await device.push(server.ask, (await pushing[index]) ?? []);
  }
  assertLogMatchesReceipts(await createLogReader(devices[0]!)(server.ask), devices);
  await assertStopsWell(server);
});

/** So large that a server which stops has not read all of it: then it resets the connection. */
function makeLargePush(deviceId: string, first: number): string[] {
  return Array.from({ length: 80 }, (_, index) => {
    const sequence = first + index;
    const payload = { value: "x".repeat(2000) };
    const entityId = `setting/${deviceId}-${sequence % 200}`;
    return JSON.stringify(createOperation({ deviceId, sequence, entityId, payload }));
  });
}

/** One event with the reason when it began and one when it ended, and no error besides. */
async function assertOneOutage(server: SyncProcess, reason: RegExp): Promise<void> {
  await server.line((line) => line.startsWith('{"event":"storage_available"'));
  assert.deepEqual(await server.readiness(), { status: 200, reason: undefined });
  const [begin, end, ...more] = server
    .events()
    .filter(({ event }) => !["ready", "new_device"].includes(event));
  assert.deepEqual(more, []);
  assert.deepEqual([begin?.event, begin?.["level"]], ["storage_unavailable", "error"]);
  assert.match(String(begin?.["message"]), reason);
  assert.deepEqual([end?.event, end?.["level"]], ["storage_available", "info"]);
  assert.ok(Number(end?.["failures"]) >= 1);
  assert.doesNotMatch(server.stdout(), /"at":/);
}

/** A small disk in memory; null where the system does not allow it. */
async function mountSmallDisk(t: TestContext): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-disk-"));
  t.after(async () => {
    // Lazily, because the server may not have ended yet.
    spawnSync("umount", ["-l", folder]);
    await rm(folder, { recursive: true, force: true });
  });
  const options = ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", folder];
  if (process.platform !== "linux" || spawnSync("mount", options).status !== 0) return null;
  return folder;
}

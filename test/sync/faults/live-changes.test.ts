import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import connect from "postgres";
import { openDatabase } from "../../../src/database/open-database.ts";
import { openSqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { append } from "../../../store-contract/read-store.ts";
import { sampleOperations } from "../../../store-contract/samples.ts";
import { startOwnPostgres, startPostgres } from "../../database/start-postgres.ts";
import { createSeededRandom } from "../../fixtures/seeded-random.ts";
import { openChanges, type ReadStream } from "../read-changes.ts";
import { createDevice, type Device } from "./device.ts";
import { createOperationMaker } from "./make-operations.ts";
import { assertUnavailable, pushRaw } from "./outage.ts";
import { createInstance, type SyncProcess } from "./sync-instance.ts";

/** A change of another process is noticed in 250 ms; the rest is for a machine with much to do. */
const NOTICED_MS = 1000;

test("streams of two servers on one SQLite file are those of one service", async (t) => {
  const instance = await createInstance(t);
  await proveOneService(await Promise.all([instance.serve(), instance.serve()]));
});

test("streams of two servers on one PostgreSQL database are those of one service", async (t) => {
  const postgres = await startPostgres();
  const instance = await createInstance(t, { store: await postgres.createDatabase() });
  await proveOneService(await Promise.all([instance.serve(), instance.serve()]));
});

test("streams of two workers are those of one service", async (t) => {
  const instance = await createInstance(t);
  const server = await instance.serve(["--workers", "2"]);
  await proveOneService([server, server]);
});

async function proveOneService(servers: readonly SyncProcess[]): Promise<void> {
  const [first, second] = servers;
  assert.ok(first !== undefined && second !== undefined);
  const [phone, tablet] = [
    await createDevice(first.ask, "phone"),
    await createDevice(second.ask, "tablet"),
  ];
  const make = createOperationMaker("phone", createSeededRandom(7));
  const open = (server: SyncProcess, device: Device) =>
    openChanges(server.ask, device.tokens.accessToken);
  // Workers share the connections, so several streams are at each of them.
  const streams = [
    await open(first, phone),
    await open(second, phone),
    await open(first, phone),
    await open(second, phone),
  ];
  const kept = [await open(first, tablet), await open(second, tablet)];
  const heads = await Promise.all([...streams, ...kept].map((stream) => stream.head()));
  assert.equal(new Set(heads).size, 1, "all begin with the same head");

  for (const { ask } of [first, second, first, second]) {
    const receipts = await phone.push(ask, make(2));
    const cursor = receipts.at(-1)?.cursor;
    for (const stream of [...streams, ...kept]) assert.equal(await stream.head(NOTICED_MS), cursor);
  }

  for (const { ask } of servers) {
    const { status } = await phone.ask(ask, "/v1/changes");
    assert.equal(status, 429, "a fifth stream of the device, at any of them");
  }

  assert.equal((await phone.ask(second.ask, "/v1/device", { method: "DELETE" })).status, 200);
  for (const stream of streams) await stream.ended(NOTICED_MS);
  await tablet.push(first.ask, createOperationMaker("tablet", createSeededRandom(8))(1));
  for (const stream of kept) await stream.head(NOTICED_MS);

  await proveStop(servers, kept);
}

async function proveStop(
  servers: readonly SyncProcess[],
  streams: readonly ReadStream[],
): Promise<void> {
  const stoppedAt = performance.now();
  for (const { child } of new Set(servers)) child.kill("SIGTERM");
  for (const stream of streams) await stream.ended();
  for (const { ended } of servers) assert.deepEqual(await ended, { code: 0, signal: null });
  assert.ok(performance.now() - stoppedAt < 5000, "a stop does not wait for streams");
}

test("a PostgreSQL server that ends all connections costs no stream and no head", async (t) => {
  const store = await (await startPostgres()).createDatabase();
  const instance = await createInstance(t, { store });
  const [server, other] = [await instance.serve(), await instance.serve()];
  const phone = await createDevice(server.ask, "phone");
  const make = createOperationMaker("phone", createSeededRandom(9));
  const stream = await openChanges(server.ask, phone.tokens.accessToken);
  t.after(() => stream.close());
  await stream.head();
  await endConnections(store);
  let receipts: Awaited<ReturnType<Device["push"]>> | null = null;
  const texts = make(1);
  while (receipts === null) {
    receipts = await phone.push(other.ask, texts).catch(() => null);
    if (receipts === null) await wait(50);
  }
  assert.equal(await stream.head(5000), receipts.at(-1)?.cursor);
  const next = await phone.push(other.ask, make(1));
  assert.equal(await stream.head(NOTICED_MS), next.at(-1)?.cursor);
});

async function endConnections(store: string): Promise<void> {
  const admin = connect(store, { max: 1 });
  await admin`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await admin.end();
}

test("a head is told of although the process that moved it ended before it could notify", async (t) => {
  const store = await (await startPostgres()).createDatabase();
  const instance = await createInstance(t, { store });
  const server = await instance.serve();
  const phone = await createDevice(server.ask, "phone");
  const stream = await openChanges(server.ask, phone.tokens.accessToken);
  t.after(() => stream.close());
  const before = await stream.head();
  const database = await openDatabase(store);
  const silent = await openSqlSyncStore(
    {
      ...database,
      transaction: (work, options) =>
        database.transaction((tx) => work({ ...tx, notify: () => {} }), options),
    },
    { highWaterPath: join(instance.folder, "silent.highwater") },
  );
  t.after(() => silent.close());
  await append(silent, sampleOperations(1, "tablet"));
  // The check of each second.
  assert.notEqual(await stream.head(1000 + NOTICED_MS), before);
  await silent.transaction(({ sessions }) => sessions.revokeDevice("phone"));
  await stream.ended(1000 + NOTICED_MS);
});

test("streams stay open while PostgreSQL restarts under a load of pushes, and go on after it", async (t) => {
  const postgres = await startOwnPostgres();
  const instance = await createInstance(t, { store: await postgres.createDatabase() });
  const [first, second] = [await instance.serve(), await instance.serve()];
  const phone = await createDevice(first.ask, "phone");
  const streams = [
    await openChanges(first.ask, phone.tokens.accessToken),
    await openChanges(second.ask, phone.tokens.accessToken),
  ];
  t.after(() => Promise.all(streams.map((stream) => stream.close())));
  let isOver = false;
  const pushing = [first, second].map(async ({ ask }, index) => {
    const make = createOperationMaker(`device-${index}`, createSeededRandom(index));
    for (let texts = make(5); ;) {
      const response = await pushRaw(phone, ask, texts);
      const isStored = response.status === 200;
      await (isStored ? response.body?.cancel() : assertUnavailable(response));
      if (isStored && isOver) return;
      if (isStored) texts = make(5);
      else await wait(20);
    }
  });
  for (let round = 0; round < 2; round++) {
    await wait(200);
    await postgres.stopServer();
    await postgres.startServer();
  }
  await wait(300);
  isOver = true;
  await Promise.all(pushing);
  // All that the load has told of, up to the last head.
  const receipts = await phone.push(
    first.ask,
    createOperationMaker("phone", createSeededRandom(3))(1),
  );
  for (const stream of streams) {
    while ((await stream.head(10_000)) !== receipts.at(-1)?.cursor);
  }
});

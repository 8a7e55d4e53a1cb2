/**
 * A primary with a synchronous replica fails under load, and the replica is promoted. The address of the
 * store has both servers, and the service finds the one that can be written.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { takeLease } from "../../../src/database/lease.ts";
import { openPostgres } from "../../../src/database/postgres.ts";
import { diagnosePostgres } from "../../../src/operate/doctor/diagnose-postgres.ts";
import { postgresUrl } from "../../database/launch-postgres.ts";
import { replicatePostgres, type ReplicatedPostgres } from "../../database/replicate-postgres.ts";
import { startPostgres } from "../../database/start-postgres.ts";
import { freePort } from "../../fixtures/free-port.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import { createSeededRandom } from "../../fixtures/seeded-random.ts";
import type { Ask } from "../sync-client.ts";
import { assertLogMatchesReceipts, createDevice, createLogReader, type Device } from "./device.ts";
import { createOperationMaker } from "./make-operations.ts";
import { assertStopsWell, assertUnavailable, pushRaw } from "./outage.ts";
import { createInstance, type SyncInstance, type SyncProcess } from "./sync-instance.ts";

/** Generous, for a busy machine. */
const HEALS_MS = 3000;
/** Connections within a second go to the same server. */
const RECHECKS_MS = 1100;
const PUSH_SIZE = 20;

interface Scene {
  readonly servers: ReplicatedPostgres;
  readonly instance: SyncInstance;
  readonly service: SyncProcess;
  readonly devices: readonly Device[];
}

test("a failover to a synchronous replica", async (t) => {
  const servers = await replicatePostgres(t);
  const { primary, replica } = servers;
  const store = `${postgresUrl([primary.port, replica.port], "postgres")}?target_session_attrs=read-write`;
  const instance = await createInstance(t, { store });
  const service = await instance.serve();
  const devices = await Promise.all(["a", "b", "c"].map((name) => createDevice(service.ask, name)));
  const scene = { servers, instance, service, devices };
  const roles = await diagnosePostgres("sync store", store);
  assert.match(roles.map(({ message }) => message).join(), /\d is the primary,\S+ is a standby$/);

  await t.test("is needed before the replica can be written", () => writeToReplica(t, scene));
  await t.test("loses nothing acknowledged, and heals by itself", () => failUnderLoad(scene));
  await t.test("stays with the promoted server when the old primary is back", () =>
    reviveOldPrimary(scene),
  );
  await t.test("is known to a process that starts later", () => startLater(scene));
  await t.test("takes the lease again on the promoted server", () => expectLease(scene));
  await t.test("moves connections to the old primary that still work", () =>
    moveConnections(t, scene),
  );
  await t.test("is refused when two servers could be the primary", () => promoteBoth(scene));
  await assertStopsWell(service);
});

async function writeToReplica(t: TestContext, { servers }: Scene): Promise<void> {
  const database = await openPostgres(postgresUrl(servers.replica.port, "postgres"));
  t.after(() => database.close());
  assert.deepEqual(await database.query("select 1 as one"), [{ one: 1 }]);
  await assert.rejects(
    database.transaction((tx) => tx.query("select 1")),
    /^StorageUnavailableError: .* a standby, which cannot be written until it is promoted$/,
  );
  const folder = await mkdtemp(join(tmpdir(), "trellis-failover-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const sync = { store: postgresUrl(servers.replica.port, "postgres") };
  await writeFile(join(folder, "trellis.config.json"), JSON.stringify({ sync }));
  const { code, stdout } = await runInside(folder, ["doctor"]);
  assert.equal(code, 1);
  assert.match(stdout, /its server is a standby, which cannot be written/);
}

async function failUnderLoad({ servers, service, devices }: Scene): Promise<void> {
  const { primary, replica, promote, ask } = servers;
  const [standby] = await ask(primary, "select sync_state from pg_stat_replication");
  assert.equal(standby?.["sync_state"], "sync");
  const load = startLoad(service.ask, devices);
  try {
    await load.nextPush();
    await primary.kill();
    await sleep(500);
    assert.ok(load.refusals() > 0, "requests are refused while no server can be written");
    assert.match((await service.readiness()).reason ?? "", /server 2: the server is a standby/);
    await promote(replica);
    const promotedAt = performance.now();
    await load.nextPush();
    const delay = performance.now() - promotedAt;
    assert.ok(delay < HEALS_MS, `the first push after ${delay} ms`);
  } finally {
    await load.end();
  }
  await assertNothingLost(service, devices);
}

async function reviveOldPrimary({ servers, service, devices }: Scene): Promise<void> {
  const { primary, replica, ask } = servers;
  // Without its setting it no longer waits for a replica: it can be written.
  await primary.start();
  const [device] = devices;
  assert.ok(device !== undefined);
  const make = createOperationMaker("revived", createSeededRandom(3));
  await device.push(service.ask, make(PUSH_SIZE));
  await ask(
    replica,
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'trellis'",
  );
  await pushSoon(device, service.ask, make(PUSH_SIZE));
  await replica.stop();
  await assertUnavailable(await pushRaw(device, service.ask, make(PUSH_SIZE)));
  assert.match((await service.readiness()).reason ?? "", /server 1: it is an old primary/);
  await replica.start();
  await pushSoon(device, service.ask, make(PUSH_SIZE));
  await assertNothingLost(service, devices);
}

async function startLater({ instance, devices }: Scene): Promise<void> {
  assert.deepEqual(
    (await diagnosePostgres("sync store", instance.store))
      .filter(({ level }) => level === "error")
      .map(({ message }) => message.replace(/^\S+ /, "")),
    [
      "can be written, but is an old primary: another server was promoted since",
      "can be written, and is not the only one",
    ],
  );
  const later = await instance.serve();
  const [device] = devices;
  assert.ok(device !== undefined);
  await device.push(later.ask, createOperationMaker("later", createSeededRandom(4))(PUSH_SIZE));
  await assertNothingLost(later, devices);
  await assertStopsWell(later);
}

/** A restore must not begin on the promoted server while the service uses it. */
async function expectLease({ servers, instance }: Scene): Promise<void> {
  const { replica, ask } = servers;
  const held = `select 1 from trellis_lease l join trellis_process p on p.id = l.process
    where p.expires_at > clock_timestamp() and not l.is_exclusive`;
  while ((await ask(replica, held)).length === 0) await sleep(100);
  assert.equal(await takeLease(instance.store, "sync", "exclusive"), null);
}

/** A process that sees only the old primary uses it, until it sees the promoted server. */
async function moveConnections(t: TestContext, { servers }: Scene): Promise<void> {
  const { primary, replica } = servers;
  const hidden = createServer((client) => {
    const server = connect(replica.port, "127.0.0.1");
    client.on("error", () => server.destroy()).pipe(server);
    server.on("error", () => client.destroy()).pipe(client);
  });
  const port = await freePort();
  const database = await openPostgres(postgresUrl([primary.port, port], "postgres"));
  t.after(async () => {
    await database.close();
    hidden.close();
  });
  const timeline = "select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline";
  assert.deepEqual(await database.query(timeline), [{ timeline: "00000001" }]);
  hidden.listen(port, "127.0.0.1");
  await once(hidden, "listening");
  await sleep(RECHECKS_MS);
  // The next connection that it opens.
  await Promise.all([database.query("select pg_sleep(0.1)::text"), database.query(timeline)]);
  const moved = await database.transaction((tx) => tx.query(timeline));
  assert.deepEqual(moved, [{ timeline: "00000002" }]);
  assert.deepEqual(await database.query(timeline), [{ timeline: "00000002" }]);
}

async function promoteBoth({ servers }: Scene): Promise<void> {
  const { primary, replica, makeStandby, promote } = servers;
  await primary.stop();
  await makeStandby(primary);
  await primary.start();
  await promote(primary);
  // Another address, because this process knows the servers of the first one.
  const both = postgresUrl([replica.port, primary.port], "postgres");
  await assert.rejects(openPostgres(both), /two servers of the address can be written/);
  const { port } = new URL(await (await startPostgres()).createDatabase());
  const unrelated = postgresUrl([replica.port, Number(port)], "postgres");
  await assert.rejects(openPostgres(unrelated), /two servers of the address can be written/);
}

/** Devices that push without a pause, and repeat a push that was refused. */
function startLoad(ask: Ask, devices: readonly Device[]) {
  let isOver = false;
  let refusals = 0;
  let pushes = 0;
  const pushing = devices.map(async (device, index) => {
    const make = createOperationMaker(device.deviceId, createSeededRandom(index));
    let texts = make(PUSH_SIZE);
    while (!isOver) {
      const response = await pushRaw(device, ask, texts);
      if (response.status === 200) {
        device.record(texts, await response.text());
        texts = make(PUSH_SIZE);
        pushes++;
      } else {
        await assertUnavailable(response);
        refusals++;
        await sleep(20);
      }
    }
    await device.push(ask, texts);
  });
  return {
    refusals: () => refusals,
    /** Waits until a push that begins from now on is acknowledged. */
    async nextPush() {
      const wanted = pushes + devices.length + 1;
      const givesUpAt = performance.now() + 10 * HEALS_MS;
      while (pushes < wanted && performance.now() < givesUpAt) await sleep(5);
      assert.ok(pushes >= wanted, "no push is acknowledged");
    },
    async end() {
      isOver = true;
      await Promise.all(pushing);
    },
  };
}

/** Several connections may be found dead one after another. */
async function pushSoon(device: Device, ask: Ask, texts: readonly string[]): Promise<void> {
  const givesUpAt = performance.now() + HEALS_MS;
  for (;;) {
    const response = await pushRaw(device, ask, texts);
    if (response.status === 200) return void device.record(texts, await response.text());
    await assertUnavailable(response);
    assert.ok(performance.now() < givesUpAt, "the server was not found again");
    await sleep(20);
  }
}

async function assertNothingLost(service: SyncProcess, devices: readonly Device[]): Promise<void> {
  const [device] = devices;
  assert.ok(device !== undefined);
  assertLogMatchesReceipts(await createLogReader(device)(service.ask), devices);
}

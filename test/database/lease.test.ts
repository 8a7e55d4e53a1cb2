import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { ALL_INSTANCES } from "../../src/database/coordination-tables.ts";
import type { LeaseMode } from "../../src/database/lease-mode.ts";
import { takeLease, type StoreLease } from "../../src/database/lease.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { StorageUnavailableError, type Queryable } from "../../src/database/database.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { runChild } from "./run-child.ts";
import { startPostgres } from "./start-postgres.ts";
import { startProxy } from "./start-proxy.ts";

const PLACES: Readonly<Record<string, (t: TestContext) => Promise<string>>> = {
  SQLite: async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "trellis-lease-"));
    t.after(() => rm(folder, { recursive: true }));
    return `sqlite:${join(folder, "new", "store.db")}`;
  },
  PostgreSQL: async () => (await startPostgres()).createDatabase(),
};

async function expectLease(lease: Promise<StoreLease | null>): Promise<StoreLease> {
  const taken = await lease;
  assert.ok(taken !== null);
  return taken;
}

for (const [kind, place] of Object.entries(PLACES)) {
  test(`a store has many shared leases or one exclusive lease (${kind})`, async (t) => {
    const store = await place(t);
    const [first, second] = [
      await expectLease(takeLease(store, "sync", "shared")),
      await expectLease(takeLease(store, "sync", "shared")),
    ];
    assert.equal(await takeLease(store, "sync", "exclusive"), null);
    await first.release();
    assert.equal(await takeLease(store, "sync", "exclusive"), null);
    await second.release();
    const alone = await expectLease(takeLease(store, "sync", "exclusive"));
    assert.equal(await takeLease(store, "sync", "shared"), null);
    assert.equal(await takeLease(store, "sync", "exclusive"), null);
    await alone.release();
    await (await expectLease(takeLease(store, "sync", "shared"))).release();
  });
}

test("services that share a PostgreSQL database have separate leases, and so have instances", async () => {
  const store = await (await startPostgres()).createDatabase();
  const leases = [
    await expectLease(takeLease(store, "sync", "exclusive", 1)),
    await expectLease(takeLease(store, "events", "exclusive", 1)),
    await expectLease(takeLease(store, "sync", "exclusive", 2)),
  ];
  for (const lease of leases) await lease.release();
});

test("a lease on all instances excludes one on any, and is excluded by it", async () => {
  const store = await (await startPostgres()).createDatabase();
  const shared = await expectLease(takeLease(store, "sync", "shared", 7));
  assert.equal(await takeLease(store, "sync", "exclusive", ALL_INSTANCES), null);
  await shared.release();
  const all = await expectLease(takeLease(store, "sync", "exclusive", ALL_INSTANCES));
  assert.equal(await takeLease(store, "sync", "shared", 7), null);
  assert.equal(await takeLease(store, "sync", "shared", 8), null);
  await all.release();
  await (await expectLease(takeLease(store, "sync", "shared", 8))).release();
});

/** As the clock of the database would, when a process is not heard of. */
const EXPIRE = "update trellis_process set expires_at = clock_timestamp() - interval '1 ms'";

async function openNotes(t: TestContext) {
  const store = await (await startPostgres()).createDatabase();
  const database = await openPostgres(store);
  t.after(() => database.close());
  await database.transaction((tx) => tx.script("create table note (id bigint primary key)"));
  // Writers of another instance do not wait for the one that sleeps.
  const beside = await openPostgres(store, { instance: 99 });
  t.after(() => beside.close());
  const expire = () => beside.transaction((tx) => tx.script(EXPIRE));
  /** Until the process is heard of again, which may be at once. */
  const takeWhenExpired = async (mode: LeaseMode): Promise<StoreLease> => {
    for (;;) {
      await expire();
      const lease = await takeLease(store, "sync", mode);
      if (lease !== null) return lease;
    }
  };
  const readIds = async () =>
    (await database.query<{ id: number }>("select id from note order by id")).map(({ id }) => id);
  return { store, expire, takeWhenExpired, readIds };
}

const add = (id: number) => (tx: Queryable) => tx.query("insert into note (id) values ($1)", [id]);

test("a writer that was not heard of waits for the one who has the store for itself since", async (t) => {
  const { store, takeWhenExpired, readIds } = await openNotes(t);
  const shared = await expectLease(takeLease(store, "sync", "shared"));
  const writing = await openDatabase(store, { leases: [shared] });
  t.after(() => writing.close());
  await writing.transaction(add(1));
  const exclusive = await takeWhenExpired("exclusive");
  const late = writing.transaction(add(3));
  const restoring = await openDatabase(store, { leases: [exclusive] });
  await restoring.transaction(add(2));
  assert.deepEqual(await readIds(), [1, 2]);
  await restoring.close();
  await exclusive.release();
  await late;
  assert.deepEqual(await readIds(), [1, 2, 3]);
  assert.equal(await takeLease(store, "sync", "exclusive"), null);
  await shared.release();
});

test("who had the store for itself and was not heard of writes nothing after others use it", async (t) => {
  const { store, takeWhenExpired, readIds } = await openNotes(t);
  const exclusive = await expectLease(takeLease(store, "sync", "exclusive"));
  const restoring = await openDatabase(store, { leases: [exclusive] });
  t.after(() => restoring.close());
  await restoring.transaction(add(1));
  const shared = await takeWhenExpired("shared");
  await assert.rejects(restoring.transaction(add(2)), /others use it again: nothing was written/);
  assert.deepEqual(await readIds(), [1]);
  await shared.release();
  await exclusive.release();
});

test("a process that sleeps with a transaction open writes nothing when it wakes", async (t) => {
  const { store, expire, readIds } = await openNotes(t);
  const sleeper = runChild("write-leased.ts", [store]);
  t.after(() => sleeper.process.kill("SIGKILL"));
  await sleeper.started;
  sleeper.process.kill("SIGSTOP");
  await expire();
  // The head is locked until the server ends the transaction of the sleeper.
  const exclusive = await takeSoon(store);
  const restoring = await openDatabase(store, { leases: [exclusive] });
  await restoring.transaction(add(9));
  sleeper.process.kill("SIGCONT");
  sleeper.process.stdin?.write("wake up\n");
  await once(sleeper.process.stdout as Readable, "data");
  assert.deepEqual(await readIds(), [9]);
  await restoring.close();
  await exclusive.release();
  const printed = await sleeper.ending;
  assert.match(printed, /^open: The store is not available: /m);
  assert.match(printed, /^next: written$/m);
  assert.deepEqual(await readIds(), [3, 9]);
});

/** The lock of a writer that sleeps is given up as late as a writer waits. */
async function takeSoon(store: string): Promise<StoreLease> {
  for (;;) {
    const taken = await takeLease(store, "sync", "exclusive").catch((error: unknown) => {
      if (error instanceof StorageUnavailableError) return null;
      throw error;
    });
    if (taken !== null) return taken;
  }
}

test("a lease whose row is gone is taken again", async (t) => {
  const { store } = await openNotes(t);
  const lease = await expectLease(takeLease(store, "sync", "shared"));
  const database = await openPostgres(store);
  t.after(() => database.close());
  await database.transaction((tx) => tx.script("delete from trellis_process"));
  while ((await database.query("select 1 from trellis_lease")).length === 0) await wait(50);
  assert.equal(await takeLease(store, "sync", "exclusive"), null);
  await lease.release();
  await (await expectLease(takeLease(store, "sync", "exclusive"))).release();
});

test("a lease is kept while its connections are lost", async (t) => {
  const store = await (await startPostgres()).createDatabase();
  const proxy = await startProxy(t, store);
  const lease = await expectLease(takeLease(proxy.url, "sync", "shared"));
  proxy.reset();
  assert.equal(await takeLease(store, "sync", "exclusive"), null);
  await lease.release();
  await (await expectLease(takeLease(store, "sync", "exclusive"))).release();
});

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { takeLease, type Lease } from "../../src/database/lease.ts";
import { StorageUnavailableError, type Queryable } from "../../src/database/database.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
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

async function expectLease(lease: Promise<Lease | null>): Promise<Lease> {
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

test("services that share a PostgreSQL database have separate leases", async () => {
  const store = await (await startPostgres()).createDatabase();
  const one = await expectLease(takeLease(store, "sync", "exclusive"));
  const other = await expectLease(takeLease(store, "events", "exclusive"));
  await one.release();
  await other.release();
});

test("a lease that was lost with its connection is renewed at once", async () => {
  const store = await (await startPostgres()).createDatabase();
  const lease = await expectLease(takeLease(store, "sync", "shared"));
  const database = await openPostgres(store);
  const [ended] = await database.query<{ pid: number; ended: number }>(
    `select pid, pg_terminate_backend(pid) as ended from pg_locks
     where locktype = 'advisory'
       and database = (select oid from pg_database where datname = current_database())`,
  );
  assert.equal(ended?.ended, 1);
  const held = () =>
    database.query(
      `select pid from pg_locks where locktype = 'advisory' and pid <> $1
         and database = (select oid from pg_database where datname = current_database())`,
      [ended.pid],
    );
  const lostAt = performance.now();
  while ((await held()).length === 0) {
    assert.ok(performance.now() - lostAt < 2000, "the lease is not held again");
    await wait(20);
  }
  assert.equal(await takeLease(store, "sync", "exclusive"), null);
  await lease.release();
  await (await expectLease(takeLease(store, "sync", "exclusive"))).release();
  await database.close();
});

test("a lease that someone else had exclusively meanwhile is renewed when that one is released", async (t) => {
  const store = await (await startPostgres()).createDatabase();
  const proxy = await startProxy(t, store);
  const shared = await expectLease(takeLease(proxy.url, "sync", "shared"));
  const takeExclusive = () => takeLease(store, "sync", "exclusive");
  proxy.goAway();
  let exclusive = await takeExclusive();
  while (exclusive === null) exclusive = await takeExclusive();
  proxy.comeBack();
  // The next attempts find the lease taken.
  await wait(1500);
  await exclusive.release();
  await wait(1500);
  assert.equal(await takeExclusive(), null);
  await shared.release();
});

test("writers whose shared lease was lost wait for the one who has it exclusively", async () => {
  const store = await (await startPostgres()).createDatabase();
  const options = { lockTimeoutMs: 200 };
  const leased = await openPostgres(store, { ...options, leasedBy: "sync" });
  const other = await openPostgres(store, options);
  const exclusive = await expectLease(takeLease(store, "sync", "exclusive"));
  const write = (name: string) => (tx: Queryable) => tx.query(`create table ${name} (id integer)`);
  const failed = leased.transaction(write("early"));
  // The one who has the lease can write: those who wait for it do not hold the writer's lock.
  await other.transaction(write("restored"));
  await assert.rejects(failed, StorageUnavailableError);
  await exclusive.release();
  await leased.transaction(write("late"));
  await Promise.all([leased.close(), other.close()]);
});

test("the transactions of a service have its lease", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-lease-"));
  t.after(() => rm(folder, { recursive: true }));
  const store = await openSyncStore(await (await startPostgres()).createDatabase(), folder);
  t.after(() => store.close());
  const own = await store.database.transaction((tx) =>
    tx.query(
      `select mode, count(*) from pg_locks
       where locktype = 'advisory' and pid = pg_backend_pid() group by mode order by mode`,
    ),
  );
  assert.deepEqual(own, [
    { mode: "ExclusiveLock", count: 1 },
    { mode: "ShareLock", count: 1 },
  ]);
});

test("a lease whose connection went silent is taken again on a new one", async (t) => {
  const store = await (await startPostgres()).createDatabase();
  const proxy = await startProxy(t, store);
  const times = { renewMs: 50, statementTimeoutMs: 100 };
  const lease = await expectLease(takeLease(proxy.url, "sync", "shared", times));
  const database = await openPostgres(store);
  const findHolder = async () =>
    (
      await database.query<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory'
           and database = (select oid from pg_database where datname = current_database())`,
      )
    )[0]?.pid ?? null;
  const first = await findHolder();
  assert.notEqual(first, null);
  proxy.silence();
  for (let attempt = 0; attempt < 100; attempt++) {
    if (![first, null].includes(await findHolder())) break;
    await wait(100);
  }
  assert.ok(![first, null].includes(await findHolder()), "no other connection has the lease");
  await lease.release();
  await database.close();
});

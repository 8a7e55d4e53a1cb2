import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { takeLease, type Lease } from "../../src/database/lease.ts";
import { openPostgres } from "../../src/database/postgres.ts";
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

test("a lease that was lost with its connection is renewed", async () => {
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
  for (let second = 0; second < 20 && (await held()).length === 0; second++) await wait(1000);
  assert.equal(await takeLease(store, "sync", "exclusive"), null);
  await lease.release();
  await (await expectLease(takeLease(store, "sync", "exclusive"))).release();
  await database.close();
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

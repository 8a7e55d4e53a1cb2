/** A pooler in transaction mode is refused: a lease is a lock of a session. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import postgres from "postgres";
import { StorageUnavailableError } from "../../src/database/database.ts";
import { takeLease } from "../../src/database/lease.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import { runInside } from "../fixtures/run-inside.ts";
import { startFakePooler } from "./fake-pooler.ts";
import { HAS_PGBOUNCER, startPgBouncer } from "./pgbouncer.ts";
import { startPostgres } from "./start-postgres.ts";

const NO_PGBOUNCER = { skip: HAS_PGBOUNCER ? false : "pgbouncer is not installed" };

for (const order of ["the last one first", "in turn"] as const) {
  test(`a pooler that shares its sessions, ${order}, is refused, and no lock stays`, async (t) => {
    const url = await (await startPostgres()).createDatabase();
    const pooled = await startFakePooler(t, url, order);
    await expectRefused(t, url, pooled);
    await expectDiagnosed(t, pooled);
  });
}

for (const settings of [
  ["pool_mode = transaction"],
  ["pool_mode = transaction", "server_round_robin = 1"],
  ["pool_mode = transaction", "server_reset_query_always = 1"],
  ["pool_mode = statement"],
]) {
  test(`PgBouncer with ${settings.join(", ")} is refused`, NO_PGBOUNCER, async (t) => {
    const url = await (await startPostgres()).createDatabase();
    await expectRefused(t, url, await startPgBouncer(t, url, settings));
  });
}

test("PgBouncer with pool_mode = session is a server like any other", NO_PGBOUNCER, async (t) => {
  const url = await (await startPostgres()).createDatabase();
  const pooled = await startPgBouncer(t, url, ["pool_mode = session"]);
  const store = await openStore(t, pooled);
  assert.equal(await takeLease(url, "sync", "exclusive"), null);
  await store.close();
  const lease = await takeLease(url, "sync", "exclusive");
  assert.notEqual(lease, null);
  await lease?.release();
  const database = await openPostgres(pooled);
  t.after(() => database.close());
  const rows = await Promise.all([1, 2, 3].map((n) => database.query(`select ${n} as n`)));
  assert.deepEqual(rows.flat(), [{ n: 1 }, { n: 2 }, { n: 3 }]);
});

async function expectRefused(t: TestContext, url: string, pooled: string): Promise<void> {
  await assert.rejects(openStore(t, pooled), (error: unknown) => {
    assert.ok(error instanceof StorageUnavailableError, String(error));
    assert.match(error.message, /use session pooling .* or connect to the server directly$/);
    return true;
  });
  const sql = postgres(url, { max: 1 });
  t.after(() => sql.end({ timeout: 1 }));
  const locks = await sql`select 1 from pg_locks join pg_database on pg_database.oid = database
    where locktype = 'advisory' and datname = current_database()`;
  assert.equal(locks.length, 0);
}

async function expectDiagnosed(t: TestContext, pooled: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-pooler-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const configuration = { sync: { baseUrl: "http://localhost:1", store: pooled } };
  await writeFile(join(folder, "trellis.config.json"), JSON.stringify(configuration));
  const { code, stdout } = await runInside(folder, ["doctor", "--json"]);
  assert.equal(code, 1);
  assert.match(stdout, /"level": ?"error".*use session pooling/s);
}

async function openStore(t: TestContext, url: string) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-pooler-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return openSyncStore(url, folder);
}

/** A pooler gives the transactions of a connection to different sessions: it is refused, or the address says so. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { StorageUnavailableError } from "../../src/database/database.ts";
import { takeLease } from "../../src/database/lease.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { sessionSettings } from "../../src/database/postgres-session.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import { runInside } from "../fixtures/run-inside.ts";
import { startFakePooler } from "./fake-pooler.ts";
import { startPgBouncer } from "./pgbouncer.ts";
import { startPostgres } from "./start-postgres.ts";

/** What a connection asks for at its start. */
const IGNORED = Object.keys(
  sessionSettings({ statementTimeoutMs: 1, lockTimeoutMs: 1, idleTimeoutMs: 1 }),
);

for (const order of ["the last one first", "in turn"] as const) {
  test(`a pooler that shares its sessions, ${order}, is refused`, async (t) => {
    const url = await (await startPostgres()).createDatabase();
    const pooled = await startFakePooler(t, url, { order });
    await expectRefused(t, pooled);
    await expectDiagnosed(t, pooled);
  });
}

for (const mode of ["transaction", "statement", "session"]) {
  test(`PgBouncer with pool_mode = ${mode} is refused without pool=transaction`, async (t) => {
    const url = await (await startPostgres()).createDatabase();
    const { address } = await startPgBouncer(t, url, [
      `pool_mode = ${mode}`,
      // What it does not know it does not pass on.
      `ignore_startup_parameters = ${IGNORED.join(", ")}`,
    ]);
    await expectRefused(t, address);
  });
}

test("PgBouncer says that it takes no settings of a connection", async (t) => {
  const url = await (await startPostgres()).createDatabase();
  const { address } = await startPgBouncer(t, url, ["pool_mode = transaction"]);
  await expectRefused(t, address);
});

for (const settings of [
  ["pool_mode = transaction"],
  ["pool_mode = transaction", "server_round_robin = 1"],
  ["pool_mode = session"],
]) {
  const name = settings.join(", ");
  test(`PgBouncer with ${name} is a server like any other with pool=transaction`, async (t) => {
    const url = await (await startPostgres()).createDatabase();
    const { address } = await startPgBouncer(t, url, settings);
    const pooled = `${address}?pool=transaction`;
    const store = await openStore(t, pooled);
    assert.equal(await takeLease(url, "sync", "exclusive"), null);
    await store.close();
    await (await takeLease(url, "sync", "exclusive"))?.release();
    const database = await openPostgres(pooled);
    t.after(() => database.close());
    const rows = await Promise.all(
      [1, 2, 3].map((n) => database.query("select $1::bigint as n", [n])),
    );
    assert.deepEqual(rows.flat(), [{ n: 1 }, { n: 2 }, { n: 3 }]);
  });
}

async function expectRefused(t: TestContext, pooled: string): Promise<void> {
  await assert.rejects(openStore(t, pooled), (error: unknown) => {
    assert.ok(error instanceof StorageUnavailableError, String(error));
    assert.match(error.message, /add `pool=transaction` to the address/);
    return true;
  });
}

async function expectDiagnosed(t: TestContext, pooled: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-pooler-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const configuration = { sync: { baseUrl: "http://localhost:1", store: pooled } };
  await writeFile(join(folder, "trellis.config.json"), JSON.stringify(configuration));
  const { code, stdout } = await runInside(folder, ["doctor", "--json"]);
  assert.equal(code, 1);
  assert.match(stdout, /"level": ?"error".*add `pool=transaction`/s);
}

async function openStore(t: TestContext, url: string) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-pooler-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return openSyncStore(url, folder);
}

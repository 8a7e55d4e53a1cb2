/** A role that row security does not bind would let instances see each other: only a dump has one. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import postgres from "postgres";
import { openDatabase } from "../../src/database/open-database.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import { superuserUrl } from "./launch-postgres.ts";
import { startPostgres } from "./start-postgres.ts";

const REFUSED =
  /the role of the address is a superuser or bypasses row security.*use a role with NOSUPERUSER NOBYPASSRLS that owns the database/;

async function createRoles(t: TestContext) {
  const address = await (await startPostgres()).createDatabase();
  const { port, pathname, password } = new URL(address);
  const superuser = superuserUrl(Number(port), pathname.slice(1));
  const admin = postgres(superuser, { max: 1, onnotice: () => {} });
  const name = `dump${pathname.slice(1)}`;
  await admin.unsafe(`CREATE ROLE "${name}" LOGIN BYPASSRLS PASSWORD '${password}'`);
  t.after(async () => {
    await admin.unsafe(`DROP OWNED BY "${name}"; DROP ROLE "${name}"`);
    await admin.end();
  });
  const dump = new URL(address);
  dump.username = name;
  return { address, superuser, admin, name, dump: dump.href };
}

test("a service refuses a role that row security does not bind, and says which to use", async (t) => {
  const { superuser, dump } = await createRoles(t);
  for (const address of [superuser, dump]) {
    await assert.rejects(openDatabase(address), REFUSED);
  }
});

test("a dump with a role that bypasses row security has the rows of every instance", async (t) => {
  const { address, admin, name, dump } = await createRoles(t);
  const folder = await mkdtemp(join(tmpdir(), "trellis-dump-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const store = await openSyncStore(address, folder);
  await store.database.transaction((tx) =>
    tx.query("INSERT INTO sync_days (instance, day, operations) VALUES ($instance, 1, 1)"),
  );
  await store.close();
  await admin.unsafe(`GRANT USAGE ON SCHEMA public TO "${name}"`);
  await admin.unsafe(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO "${name}"`);
  const count = async (url: string) => {
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    const [row] = await sql.unsafe("SELECT count(*)::int AS count FROM sync_days");
    await sql.end();
    return row?.["count"] as number;
  };
  assert.deepEqual([await count(dump), await count(address)], [1, 0]);
});

/** Instances that had schemas of their own on PostgreSQL move to the tables that all have in common. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import postgres from "postgres";
import { inInstance } from "../../src/database/named-instance.ts";
import { useDatabase } from "../../src/database/open-database.ts";
import { INSTANCE_TABLES } from "../../src/hosting/instance-rows.ts";
import { migrateSync, SYNC_SCHEMA } from "../../src/sync/sql/open-sql-store.ts";
import { runInside } from "../fixtures/run-inside.ts";
import { createHostPlace, originOf } from "../sync/host/serve-host.ts";
import { FORMER_ROWS, makeFormerTables, readTables } from "./former-rows.ts";

const NAMES = ["ada", "bob-2"];
const SCHEMAS = ["sync_ada", "sync_bob_2"];
const SYNC_ROWS = FORMER_ROWS.replaceAll(/ INSERT INTO events_[^;]*;/g, "");

/** A host as such a build left it, with other texts in each schema. */
async function makeFormerHost(t: TestContext) {
  const { dataDir, store = "" } = await createHostPlace(t, "PostgreSQL");
  const instances = Object.fromEntries(NAMES.map((name) => [name, { baseUrl: originOf(name) }]));
  const settings = { dataDir, sync: { store, instances } };
  await writeFile(join(dataDir, "trellis.config.json"), JSON.stringify(settings));
  const before: unknown[] = [];
  for (const [index, schema] of SCHEMAS.entries()) {
    await mkdir(join(dataDir, "instances", NAMES[index] ?? ""), { recursive: true, mode: 0o700 });
    const key = join(dataDir, "instances", NAMES[index] ?? "", "instance.key");
    await writeFile(key, Buffer.alloc(32, index), { mode: 0o600 });
    await useDatabase(store, {}, (database) =>
      database.transaction((tx) => tx.script(`CREATE SCHEMA ${schema}`)),
    );
    await useDatabase(`${store}?search_path=${schema}`, {}, async (database) => {
      await makeFormerTables(database, SYNC_SCHEMA);
      const rows = SYNC_ROWS.replaceAll("'note/1'", `'note/${schema}'`);
      await database.transaction((tx) => tx.script(rows));
      before.push(await readTables(database, INSTANCE_TABLES));
    });
  }
  return { store, before, migrate: () => runInside(dataDir, ["store", "migrate", "--yes"]) };
}

/** The rows of each instance, as its own handle sees them with its statements. */
function readInstances(store: string) {
  return Promise.all(
    NAMES.map((name) =>
      useDatabase(inInstance(store, name), {}, (database) =>
        readTables(
          database,
          INSTANCE_TABLES.map((table) => `${table} WHERE instance = $instance`),
        ),
      ),
    ),
  );
}

const withoutConditions = (tables: object) =>
  Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name.replace(/ WHERE .*/, ""), rows]),
  );

test("instances with schemas of their own are taken over with all their rows", async (t) => {
  const { store, before, migrate: run } = await makeFormerHost(t);
  const migrated = await run();
  assert.equal(migrated.code, 0, migrated.stderr);
  assert.match(migrated.stdout, /^Moved the sync store of the instance "ada" from its schema$/m);
  assert.match(migrated.stdout, /^Sealed 2 keys in the database/m);
  assert.deepEqual((await readInstances(store)).map(withoutConditions), before);
  const left = await useDatabase(store, {}, (database) =>
    database.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'sync%'"),
  );
  assert.deepEqual(left, []);
  const again = await run();
  assert.equal(again.code, 0, again.stderr);
  assert.doesNotMatch(again.stdout, /Moved/);
});

test("a schema that a server still uses is not taken over", async (t) => {
  const { store, before, migrate: run } = await makeFormerHost(t);
  const server = postgres(store, { max: 1 });
  t.after(() => server.end({ timeout: 1 }));
  // What a server of such a build holds for an instance that it has open.
  const lock = "hashtextextended(concat('trellis ', 'lease sync', ' in ', 'sync_bob_2'), 0)";
  await server.unsafe(`SELECT pg_advisory_lock_shared(${lock})`);
  const refused = await run();
  await server.end();
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^The sync store of the instance "bob-2" is in use: stop /);
  const rows = await useDatabase(`${store}?search_path=sync_bob_2`, {}, (database) =>
    readTables(database, INSTANCE_TABLES),
  );
  assert.deepEqual(rows, before[1]);
  assert.equal((await run()).code, 0);
  assert.deepEqual((await readInstances(store)).map(withoutConditions), before);
});

test("the tables of an instance are all that have its number", async (t) => {
  const { store = "" } = await createHostPlace(t, "PostgreSQL");
  await useDatabase(store, {}, async (database) => {
    await migrateSync(database);
    const rows = await database.query<{ name: string }>(
      `SELECT table_name::text AS name FROM information_schema.columns
       WHERE table_schema = current_schema() AND column_name = 'instance'
         AND table_name NOT LIKE 'trellis\\_%' ORDER BY table_name`,
    );
    assert.deepEqual(
      rows.map(({ name }) => name),
      INSTANCE_TABLES.toSorted(),
    );
  });
});

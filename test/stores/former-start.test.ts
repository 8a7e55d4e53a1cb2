/** Stores that builds before 0.3.0 made, in which keys did not begin with the instance, are carried with all their rows. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Database, Row } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { migrateEvents } from "../../src/events/sql/open-sql-events-store.ts";
import { migrateSync } from "../../src/sync/sql/open-sql-store.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import { createStorePlaces } from "../database/on-both-stores.ts";
import { FORMER_ROWS, FORMER_TABLES, makeFormerTables, readTables } from "./former-rows.ts";
import { runInside } from "../fixtures/run-inside.ts";

const { createPlace, testOnBothStores } = createStorePlaces(openSyncStore);

testOnBothStores(
  "a store of a build before instances had numbers keeps every row",
  async (place) => {
    const { folder, dataDir, store } = place;
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const settings = { dataDir, sync: { store }, events: { store } };
    await writeFile(join(folder, "trellis.config.json"), JSON.stringify(settings));
    let database = await openDatabase(store);
    await makeFormerTables(database);
    await database.transaction((tx) => tx.script(FORMER_ROWS));
    const before = await readTables(database);
    await database.close();

    const refused = await runInside(folder, ["sync", "status"]);
    assert.match(
      refused.stderr,
      /^The sync store is of version \S+ \(build [^)]+\) and needs 2 migrations of this version \(002-instances, 003-instances\): /,
    );
    const migrated = await runInside(folder, ["store", "migrate", "--yes"]);
    assert.equal(migrated.code, 0, migrated.stderr);

    database = await openDatabase(store);
    try {
      assert.deepEqual(await readTables(database), before);
      for (const table of FORMER_TABLES) {
        const others = await database.query(`SELECT 1 FROM ${table} WHERE instance <> $instance`);
        assert.deepEqual(others, [], table);
      }
      // What belongs to a row still goes with it.
      await database.transaction(async (tx) => {
        await tx.query("DELETE FROM identity_accounts WHERE instance = $instance");
        await tx.query("DELETE FROM sync_sessions WHERE instance = $instance");
      });
      const left = await readTables(database);
      const gone = FORMER_TABLES.filter((table) => left[table]?.length === 0);
      const events = "code_epochs counters entries grants profiles sessions sources subscriptions";
      const identity = "accounts known_browsers passkeys sign_ins";
      const sync = "access_tokens browser_sessions sessions";
      assert.equal(
        gone.sort().join(" "),
        [prefix("events", events), prefix("identity", identity), prefix("sync", sync)].join(" "),
      );
    } finally {
      await database.close();
    }
    const again = await runInside(folder, ["store", "migrate"]);
    assert.match(again.stdout, /^The sync store is up to date\n/);
  },
);

function prefix(service: string, names: string): string {
  return names.replaceAll(/\w+/g, `${service}_$&`);
}

/** What the catalogue of PostgreSQL has of the tables: keys, references, indexes and policies. */
async function describe(database: Database): Promise<Row[]> {
  return database.query(`
    SELECT conrelid::regclass::text AS name, pg_get_constraintdef(oid) AS text FROM pg_constraint
      WHERE connamespace = current_schema()::regnamespace AND contype <> 'n'
    UNION ALL SELECT tablename::text, regexp_replace(indexdef, ' ON \\w+\\.', ' ON ') FROM pg_indexes
      WHERE schemaname = current_schema()
    UNION ALL SELECT c.relname::text, concat(c.relrowsecurity, c.relforcerowsecurity, pg_get_expr(p.polqual, c.oid))
      FROM pg_class c LEFT JOIN pg_policy p ON p.polrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
    UNION ALL SELECT c.relname::text, concat(a.attname, ' ', a.atttypid::regtype, ' ', a.attnotnull, ' ',
        pg_get_expr(d.adbin, d.adrelid))
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
    ORDER BY 1, 2`);
}

test("a carried store has the tables of a new one (PostgreSQL)", async (t) => {
  const carried = await openDatabase((await createPlace(t, "PostgreSQL")).store);
  t.after(() => carried.close());
  await makeFormerTables(carried);
  await migrateSync(carried);
  await migrateEvents(carried);
  const fresh = await openDatabase((await createPlace(t, "PostgreSQL")).store);
  t.after(() => fresh.close());
  await migrateSync(fresh);
  await migrateEvents(fresh);
  assert.deepEqual(await describe(carried), await describe(fresh));
});

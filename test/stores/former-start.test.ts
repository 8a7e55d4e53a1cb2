/** Stores that builds of 0.2.0 made before every key began with the instance are carried with all their rows. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Database, Row } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { EVENTS_SCHEMA, migrateEvents } from "../../src/events/sql/open-sql-events-store.ts";
import { migrateSync, SYNC_SCHEMA } from "../../src/sync/sql/open-sql-store.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import { createStorePlaces } from "../database/on-both-stores.ts";
import { runInside } from "../fixtures/run-inside.ts";

const { createPlace, testOnBothStores } = createStorePlaces(openSyncStore);
const SCOPES = [...SYNC_SCHEMA, ...EVENTS_SCHEMA.slice(1)];
const FORMER = SCOPES.map(({ name }) => ({
  name,
  folder: new URL(`former-start/${name}/`, import.meta.url),
}));

/** Two rows for each table, in the order of their references. The second account is of events. */
const ROWS = `
  INSERT INTO identity_accounts VALUES ('a', 'sync', 'ada', 's', 1, 1, 1), ('b', 'events', 'bob', 's', 1, 1, 0);
  INSERT INTO identity_challenges VALUES ('c', 'sync', 0, 'w', 'm', 'c', 1, 'u', 'a', 's', 1, 'n', 1, 9),
    ('d', 'events', 1, 'w', 'm', 'c', 2, 'u', 'a', 's', 1, 'n', 1, 9);
  INSERT INTO identity_secrets VALUES ('c', 'sync', 'p', 'b', 1, null, 9), ('d', 'events', 'p', 'b', 1, 2, 9);
  INSERT INTO identity_failures VALUES ('sync', 's', 1, 2, 3), ('events', 's', 4, 5, 6);
  INSERT INTO identity_known_browsers VALUES ('t', 'a', 1, 9, 'x', 2, 1), ('u', 'b', 1, 9, 'y', 0, 0);
  INSERT INTO identity_passkeys VALUES ('p', 'a', 'k', 1, 'n', 2, null), ('q', 'b', 'k', 0, 'n', 2, 3);
  INSERT INTO identity_hits VALUES (1, 's', 2, 3), (2, 's', 3, 4);
  INSERT INTO identity_session_epochs VALUES ('sync', 4), ('events', 5);
  INSERT INTO identity_instance_keys VALUES ('sync', 'v'), ('events', 'w');
  INSERT INTO identity_security_events VALUES ('sync', 'k', 1, 2), ('events', 'k', 3, 4);
  INSERT INTO identity_write_probes VALUES ('sync', 1), ('events', 2);
  INSERT INTO identity_sign_ins VALUES ('a', 1, 'r', 'p', 'm', 1, null, 's', 'n', 2, 3, 4),
    ('b', 1, 'r', 'p', 'm', 0, 'b', null, null, 1, 3, 4);
  INSERT INTO sync_log VALUES (1, 'g', 2, 0, 'h', 7, 0, 0);
  INSERT INTO sync_generations VALUES ('e', 1), ('f', 2);
  INSERT INTO sync_marks VALUES (1, 'm'), (2, 'n');
  INSERT INTO sync_operations VALUES (1, 'note/1', '{}', 3), (2, 'note/2', '{}', 4);
  INSERT INTO sync_ledger VALUES ('o', '', 1), ('p', 'hash', 2);
  INSERT INTO sync_entities VALUES ('note/1', '[]'), ('note/2', '[1]');
  INSERT INTO sync_days VALUES (1, 2), (2, 3);
  INSERT INTO sync_keys VALUES (1, 'k', 'w', 'f', null), (2, 'l', 'w', 'f', 'o');
  INSERT INTO sync_sessions VALUES ('f', 'phone', 1, 2, 3, 4, 5, 6, null, 'n', 'h'),
    ('g', 'laptop', 1, 2, 3, 4, 5, 6, 7, null, 'h');
  INSERT INTO sync_access_tokens VALUES ('t', 'f', 9), ('u', 'g', 9);
  INSERT INTO sync_streams VALUES ('s', 'phone', 1), ('t', 'laptop', 2);
  INSERT INTO sync_browser_sessions VALUES ('s', 'a', 1, 2, 3, null, 'x'), ('t', 'a', 1, 2, 3, 'y', null);
  INSERT INTO events_profiles VALUES ('b', 'Europe/Berlin', 'de');
  INSERT INTO events_sessions VALUES ('s', 'b', 1, 2, 3, null, 'x');
  INSERT INTO events_interactions VALUES ('i', 'b', '{}', 1, 2);
  INSERT INTO events_grants VALUES ('g', 'b', 'app', 'x', 't', 1, 2, 3, 4);
  INSERT INTO events_code_epochs VALUES ('b', 3);
  INSERT INTO events_sources VALUES ('s', 'b', 'subscription', 'n', 1);
  INSERT INTO events_subscriptions (source_id, account_id, name, sealed_url, url_hash, default_type, rules,
    created_at, next_fetch_at, failures) VALUES ('s', 'b', 'n', 'u', 'h', 'task', '[]', 1, 2, 0);
  INSERT INTO events_counters VALUES ('b', 1, 2);
  INSERT INTO events_entries VALUES ('b', 'e', 's', '{}', 1, 2, null, 0);
`;
const TABLES = [...ROWS.matchAll(/INSERT INTO (\w+)/g)].map(([, name = ""]) => name);

/** The rows of all tables, without the instance. */
async function readTables(database: Database): Promise<Record<string, Row[]>> {
  const found: Record<string, Row[]> = {};
  for (const table of TABLES) {
    const rows = await database.query(`SELECT * FROM ${table}`);
    found[table] = rows
      .map((row) =>
        Object.fromEntries(
          Object.entries(row)
            .filter(([name]) => name !== "instance")
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        ),
      )
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return found;
}

testOnBothStores(
  "a store of a build before instances had numbers keeps every row",
  async (place) => {
    const { folder, dataDir, store } = place;
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const settings = { dataDir, sync: { store }, events: { store } };
    await writeFile(join(folder, "trellis.config.json"), JSON.stringify(settings));
    let database = await openDatabase(store);
    await migrate(database, FORMER);
    await database.transaction((tx) => tx.script(ROWS));
    const before = await readTables(database);
    await database.close();

    const refused = await runInside(folder, ["sync", "status"]);
    assert.match(
      refused.stderr,
      /^The sync store needs 2 migrations of this version \(001-start, /,
    );
    const migrated = await runInside(folder, ["store", "migrate", "--yes"]);
    assert.equal(migrated.code, 0, migrated.stderr);

    database = await openDatabase(store);
    try {
      assert.deepEqual(await readTables(database), before);
      for (const table of TABLES) {
        const others = await database.query(`SELECT 1 FROM ${table} WHERE instance <> $instance`);
        assert.deepEqual(others, [], table);
      }
      // What belongs to a row still goes with it.
      await database.transaction(async (tx) => {
        await tx.query("DELETE FROM identity_accounts WHERE instance = $instance");
        await tx.query("DELETE FROM sync_sessions WHERE instance = $instance");
      });
      const left = await readTables(database);
      const gone = TABLES.filter((table) => left[table]?.length === 0);
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
  await migrate(carried, FORMER);
  await migrateSync(carried);
  await migrateEvents(carried);
  const fresh = await openDatabase((await createPlace(t, "PostgreSQL")).store);
  t.after(() => fresh.close());
  await migrateSync(fresh);
  await migrateEvents(fresh);
  assert.deepEqual(await describe(carried), await describe(fresh));
});

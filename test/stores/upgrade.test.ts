/** Stores of earlier versions are upgraded with their data, and those of later ones are refused. */
import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { listPending } from "../../src/database/migrate.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { PRODUCT_VERSION } from "../../src/database/product-version.ts";
import type { Database } from "../../src/database/database.ts";
import { EVENTS_SCHEMA } from "../../src/events/sql/open-sql-events-store.ts";
import { createAccounts } from "../../src/identity/accounts.ts";
import { openInstanceKey } from "../../src/identity/instance-key.ts";
import { createSqlIdentityRecords } from "../../src/identity/sql-identity-records.ts";
import { leaseStore } from "../../src/backup/leased-store.ts";
import { openKeyedSyncStore, openSyncStore } from "../../src/sync/open-store.ts";
import { SYNC_SCHEMA } from "../../src/sync/sql/open-sql-store.ts";
import { createStorePlaces, type StorePlace } from "../database/on-both-stores.ts";
import { createTestVerifier } from "../fixtures/password-keys.ts";
import { runInside } from "../fixtures/run-inside.ts";
import type { Ending } from "../fixtures/run-trellis.ts";
import { createOperation } from "../fixtures/sync-operation.ts";
import { pullFrom } from "../sync/operations/device.ts";
import { ANNA, signInOptions, startSyncService } from "../sync/service/sync-service.ts";
import { signIn } from "../sync/sync-client.ts";
import {
  makeNewer,
  makeOlder,
  migrateTo,
  RELEASED_SCHEMAS,
  type ReleasedSchema,
} from "./released-schemas.ts";
import { listStoreCommands } from "./store-commands.ts";

const { createPlace, testOnBothStores } = createStorePlaces(openSyncStore);
const SCHEMAS = [...SYNC_SCHEMA, ...EVENTS_SCHEMA.slice(1)];
const OPERATION = createOperation({ entityId: "note/1", payload: { title: "kept" } });

/** A store with sync and events, as a release made it. */
async function makeStore(
  { folder, dataDir, store }: StorePlace<unknown>,
  schema: ReleasedSchema,
): Promise<{
  readonly pending: readonly string[];
  run(words: string): ReturnType<typeof runInside>;
}> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const settings = { dataDir, sync: { store, profile: "open" }, events: { store } };
  await writeFile(join(folder, "trellis.config.json"), JSON.stringify(settings));
  const database = await openDatabase(store);
  try {
    await migrateTo(database, schema, SCHEMAS, folder);
    await fill(database, join(dataDir, "instance.key"));
    const pending = await listPending(database, SCHEMAS);
    return { pending, run: (words) => runInside(folder, words.split(" ")) };
  } finally {
    await database.close();
  }
}

async function fill(database: Database, keyFile: string): Promise<void> {
  const instanceKey = openInstanceKey(keyFile);
  const verifier = await createTestVerifier(ANNA.password);
  await database.transaction(async (tx) => {
    for (const realm of ["sync", "events"]) {
      const records = createSqlIdentityRecords(tx, realm);
      await createAccounts({ realm, instanceKey }).create(records, "anna", verifier, 1);
    }
    await tx.query(
      "INSERT INTO sync_log (id, generation, head_offset, compaction_floor) VALUES (1, 'first', 1, 0)",
    );
    await tx.query(
      "INSERT INTO sync_operations (log_offset, entity_id, body, received_at) VALUES (1, 'note/1', $1, 1)",
      [JSON.stringify(OPERATION)],
    );
    await tx.query(
      "INSERT INTO sync_ledger (operation_id, content_hash, log_offset) VALUES ($1, '', 1)",
      [OPERATION.operationId],
    );
    const [{ account_id: accountId } = { account_id: "" }] = await tx.query<{ account_id: string }>(
      "SELECT account_id FROM identity_accounts WHERE realm = 'events'",
    );
    await tx.query(
      "INSERT INTO events_profiles (account_id, time_zone, language) VALUES ($1, 'Europe/Berlin', 'de')",
      [accountId],
    );
    await tx.query(
      `INSERT INTO events_grants (grant_id, account_id, client_id, scope, token_hash, created_at,
         last_used_at, idle_expires_at, absolute_expires_at)
       VALUES ('grant', $1, 'trellis-demo', 'events.read', 'hash', 1, 1, $2, $2)`,
      [accountId, Date.now() + 1e9],
    );
  });
}

for (const schema of RELEASED_SCHEMAS) {
  testOnBothStores(`a store of ${schema.name} is upgraded with its data`, async (place, t) => {
    const { run, pending } = await makeStore(place, schema);
    const isOld = pending.length > 0;
    assert.ok(isOld || schema !== RELEASED_SCHEMAS[0]);
    const isServer = place.store.startsWith("postgres");
    if (isOld) {
      if (isServer) assert.match((await run("serve")).stderr, OLDER.postgres);
      assert.match((await run("doctor")).stdout, /older than this version[\s\S]*store migrate/);
      const unconfirmed = await run("store migrate");
      assert.match(unconfirmed.stderr, /nothing was changed; add --yes/);
      assert.equal(unconfirmed.stderr.includes("it must be backed up"), isServer);
      const migrated = await run("store migrate --yes");
      assert.equal(migrated.code, 0, migrated.stderr);
      assert.match(migrated.stdout, /^Applied to the sync store: 0/);
      assert.equal(
        /^A verified copy of the sync store as it was is at \S+\n/.test(migrated.stderr),
        !isServer,
      );
      assert.deepEqual(await listVersions(place.store, pending), [PRODUCT_VERSION]);
    }
    const status = await run("sync status --json");
    assert.equal(status.code, 0, status.stderr);
    const { headOffset, generation, account, clock } = JSON.parse(status.stdout) as {
      headOffset: number;
      clock: unknown;
      generation: string;
      account: { username: string };
    };
    assert.deepEqual([headOffset, generation, account.username], [1, "first", "anna"]);
    const { sequence: greatestSequence } = OPERATION.revision;
    // The rows of a schema with a clock were made without it.
    if (isOld) assert.deepEqual(clock, { greatestSequence, takesAnySequence: false });
    const grants = await run("events grants list --json");
    assert.match(grants.stdout, /"grantId": "grant"/, grants.stderr);
    const accounts = await run("events account list --json");
    assert.match(accounts.stdout, /"timeZone": "Europe\/Berlin"/);

    const copies = (await readdir(place.dataDir)).filter((name) => name.includes("before-upgrade"));
    if (isOld && !isServer) {
      // Each service copies what it migrates.
      assert.ok(copies.length > 0);
      const copy = await openDatabase(`sqlite:${join(place.dataDir, copies.sort()[0] ?? "")}`);
      const names = await copy.query<{ name: string }>("SELECT name FROM trellis_migration");
      assert.ok(names.every(({ name }) => !pending.includes(name)));
      await copy.close();
    } else assert.deepEqual(copies, []);

    const instanceKeyFile = join(place.dataDir, "instance.key");
    const store = await openKeyedSyncStore({ store: place.store, instanceKeyFile }, place.dataDir);
    t.after(() => store.close());
    const { instanceKey } = store;
    const { ask } = await startSyncService(store, { instanceKey, profile: "open" });
    await signIn(ask, signInOptions());
    const page = await pullFrom(store, undefined, 10);
    assert.ok(!page.requiresSnapshot);
    assert.deepEqual(page.operations, [OPERATION]);
  });
}

const OLDER = {
  sqlite:
    /^The (sync|events) store needs (a migration|\d+ migrations) of this version \([^)]*\): stop the server, and start it with this version, which copies the store and migrates it; or run `trellis store migrate`\n$/,
  postgres:
    /^The (sync|events) store needs (a migration|\d+ migrations) of this version \([^)]*\): stop all servers, back the database up, for example with pg_dump, then run `trellis store migrate`\n$/,
};
const NEWER =
  /^The store is newer than this version: migration "999-future" of "(sync|events)" is not known here; start version 9\.9\.9, which made it, [^\n]*\n$/;

/** The versions that applied the migrations. */
async function listVersions(store: string, names: readonly string[]): Promise<string[]> {
  const database = await openDatabase(store);
  const rows = await database.query<{ name: string; version: string }>(
    "SELECT name, version FROM trellis_migration",
  );
  await database.close();
  return [...new Set(rows.flatMap(({ name, version }) => (names.includes(name) ? [version] : [])))];
}

/** A store of sync and events with accounts, and a backup of each in the folder. */
async function createStore(
  place: StorePlace<unknown>,
): Promise<(words: string) => Promise<Ending>> {
  const settings = {
    dataDir: place.dataDir,
    sync: { store: place.store },
    events: { store: place.store },
  };
  await writeFile(join(place.folder, "trellis.config.json"), JSON.stringify(settings));
  const run = (words: string) =>
    runInside(place.folder, words.split(" "), { input: ANNA.password });
  for (const name of ["sync", "events"]) {
    for (const words of [
      "account create --username anna --password-stdin",
      `backup ${place.folder}/${name}-old.backup`,
    ]) {
      const { code, stderr } = await run(`${name} ${words}`);
      assert.equal(code, 0, stderr);
    }
  }
  return run;
}

testOnBothStores("a command refuses an older store and changes nothing", async (place) => {
  const run = await createStore(place);
  await makeOlder(place.store, ["sync", "events"]);
  const readAll = async () => {
    const database = await openDatabase(place.store);
    const rows = await database.query("SELECT * FROM trellis_migration ORDER BY scope, name");
    await database.close();
    return { rows, files: await readdir(place.dataDir) };
  };
  const before = await readAll();
  const dialect = place.store.startsWith("sqlite") ? "sqlite" : "postgres";
  for (const command of listStoreCommands()) {
    const mayMigrate = /^(store migrate|serve$)/.test(command);
    if (mayMigrate) continue;
    const words = command.replaceAll("FOLDER", place.folder).replaceAll("STORE", place.store);
    const { code, stdout, stderr } = await run(words);
    assert.deepEqual([code, stdout], [1, ""], `${command}: ${stderr}`);
    assert.match(stderr, OLDER[dialect], command);
  }
  const doctor = await run("doctor");
  assert.match(doctor.stdout, /^warning +sync store: it is older than this version/m);
  assert.deepEqual(await readAll(), before);
});

testOnBothStores("a store is not migrated while another service uses it", async (place) => {
  const run = await createStore(place);
  // Sync and events have the tables of accounts together.
  await makeOlder(place.store, ["identity"]);
  const lease = await leaseStore("events", place.store, "shared");
  try {
    const { code, stderr } = await run("store migrate --yes");
    assert.equal(code, 1);
    assert.match(stderr, /^The sync store is in use: stop `trellis serve` and wait/);
  } finally {
    await lease.release();
  }
});

test("servers that start together on an older store upgrade it once", async (t) => {
  const place = await createPlace(t, "SQLite");
  const [oldest] = RELEASED_SCHEMAS;
  assert.ok(oldest !== undefined);
  await makeStore(place, oldest);
  await Promise.all([place.open(), place.open(), place.open()]);
  const copies = (await readdir(place.dataDir)).filter((name) => name.includes("before-upgrade"));
  assert.equal(copies.length, 1);
});

testOnBothStores("every command refuses a newer store with one sentence", async (place) => {
  const run = await createStore(place);
  await makeNewer(place.store, ["sync", "events"]);
  for (const command of listStoreCommands()) {
    const words = command.replaceAll("FOLDER", place.folder).replaceAll("STORE", place.store);
    const { code, stderr } = await run(words);
    assert.equal(code, 1, `${command}: ${stderr}`);
    assert.match(stderr, NEWER, command);
  }
  const doctor = await run("doctor");
  assert.equal(doctor.code, 1);
  for (const name of ["sync", "events"]) {
    assert.match(doctor.stdout, new RegExp(`^ERROR +${name} store: The store is newer`, "m"));
  }
  // Its folder can be moved as it is, but not before this version knows that it can serve it.
  if (place.store.startsWith("sqlite")) {
    const adopt = await run("sync instance add ada --base-url https://ada.example.com --adopt");
    assert.match(adopt.stderr, NEWER);
  }
});

/** Stores of earlier versions are upgraded with their data, and those of later ones are refused. */
import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openServiceStore } from "../../src/identity/open-service-store.ts";
import { listPending } from "../../src/database/migrate.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { productStamp } from "../../src/database/product-stamp.ts";
import type { Database } from "../../src/database/database.ts";
import { EVENTS_SCHEMA } from "../../src/events/sql/open-sql-events-store.ts";
import { createAccounts } from "../../src/identity/accounts.ts";
import { openInstanceKey } from "../../src/identity/instance-key.ts";
import { createSqlIdentityRecords } from "../../src/identity/sql-identity-records.ts";
import { leaseStore } from "../../src/database/lease-store.ts";
import { openSyncStore, SYNC_STORE } from "../../src/sync/sql/open-store.ts";
import { SYNC_SCHEMA } from "../../src/sync/sql/open-sql-store.ts";
import { createStorePlaces, type StorePlace } from "../database/on-both-stores.ts";
import { createTestVerifier } from "../fixtures/password-keys.ts";
import { runInside } from "../fixtures/run-inside.ts";
import type { Ending } from "../fixtures/run-trellis.ts";
import { createOperation } from "../fixtures/sync-operation.ts";
import { pullFrom } from "../sync/operations/device.ts";
import { ANNA, signInOptions, startSyncService } from "../sync/service/sync-service.ts";
import { signIn } from "../sync/sync-client.ts";
import { addLaterMigration } from "./later-migration.ts";
import { makeNewer, migrateTo, RELEASED_SCHEMAS, type ReleasedSchema } from "./released-schemas.ts";
import { listStoreCommands } from "./store-commands.ts";

const { createPlace, testOnBothStores } = createStorePlaces(openSyncStore);
const SCHEMAS = [...SYNC_SCHEMA, ...EVENTS_SCHEMA.slice(1)];
const OPERATION = createOperation({ entityId: "note/1", payload: { title: "kept" } });

/** A store with sync and events, as a release made it; this process is of a later version. */
async function makeOlderStore(
  { folder, dataDir, store }: StorePlace<unknown>,
  schema: ReleasedSchema,
  t: TestContext,
): Promise<{
  readonly pending: readonly string[];
  run(words: string): ReturnType<typeof runInside>;
}> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const settings = { dataDir, sync: { store, profile: "open" }, events: { store } };
  await writeFile(join(folder, "trellis.config.json"), JSON.stringify(settings));
  const database = await openDatabase(store);
  try {
    await migrateTo(database, schema.last, SCHEMAS, folder);
    await fill(database, join(dataDir, "instance.key"));
    await addLaterMigration(t, ["identity", "sync", "events"]);
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
      `INSERT INTO sync_log (instance, id, generation, head_offset, compaction_floor, greatest_sequence,
         takes_any_sequence) VALUES ($instance, 1, 'first', 1, 0, $1, 0)`,
      [OPERATION.revision.sequence],
    );
    await tx.query(
      `INSERT INTO sync_operations (instance, log_offset, entity_id, body, received_at)
       VALUES ($instance, 1, 'note/1', $1, 1)`,
      [JSON.stringify(OPERATION)],
    );
    await tx.query(
      `INSERT INTO sync_ledger (instance, operation_id, content_hash, log_offset)
       VALUES ($instance, $1, '', 1)`,
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
    const { run, pending } = await makeOlderStore(place, schema, t);
    const isServer = place.store.startsWith("postgres");
    if (isServer) assert.match((await run("serve")).stderr, OLDER.postgres);
    assert.match((await run("doctor")).stdout, /older than this version[\s\S]*store migrate/);
    const unconfirmed = await run("store migrate");
    assert.match(unconfirmed.stderr, /nothing was changed; add --yes/);
    assert.equal(unconfirmed.stderr.includes("it must be backed up"), isServer);
    const planned = await run("store migrate --dry-run");
    assert.match(planned.stdout, /^This applies .* to the sync store[^]*nothing was changed$/m);
    const migrated = await run("store migrate --yes");
    assert.equal(migrated.code, 0, migrated.stderr);
    assert.match(migrated.stdout, /^Applied to the sync store: .*900-later/);
    assert.equal(
      /^A verified copy of the sync store as it was is at \S+\n/.test(migrated.stderr),
      !isServer,
    );
    assert.deepEqual(await listVersions(place.store, pending), [productStamp()]);
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
    assert.deepEqual(clock, { greatestSequence, takesAnySequence: false });
    const grants = await run("events grants list --json");
    assert.match(grants.stdout, /"grantId": "grant"/, grants.stderr);
    const accounts = await run("events account list --json");
    assert.match(accounts.stdout, /"timeZone": "Europe\/Berlin"/);

    const copies = (await readdir(place.dataDir)).filter((name) => name.includes("before-upgrade"));
    if (!isServer) {
      // Each service copies what it migrates.
      assert.ok(copies.length > 0);
      const copy = await openDatabase(`sqlite:${join(place.dataDir, copies.sort()[0] ?? "")}`);
      const names = await copy.query<{ name: string }>("SELECT name FROM trellis_migration");
      assert.ok(names.every(({ name }) => !pending.includes(name)));
      await copy.close();
    } else assert.deepEqual(copies, []);

    const instanceKeyFile = join(place.dataDir, "instance.key");
    const section = { store: place.store, instanceKeyFile };
    const store = await openServiceStore(SYNC_STORE, section, place.dataDir);
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
    /^The (sync|events) store is of version \S+ \(build \w+\) and needs (a migration|\d+ migrations) of this version \([^)]*\): stop the server, and start it with this version, which copies the store and migrates it; or run `trellis store migrate`\n$/,
  postgres:
    /^The (sync|events) store is of version \S+ \(build \w+\) and needs (a migration|\d+ migrations) of this version \([^)]*\): stop all servers, back the database up, for example with pg_dump, then run `trellis store migrate`\n$/,
};
const NEWER =
  /^The store is newer than this program: version 9\.9\.9 \(build 0f0f0f0f\) applied migration "999-future" of "(sync|events)", which version \S+ \(build \w+\) does not know; start that version, [^\n]*\n$/;

const FOREIGN =
  /^The store was made by version 0\.2\.0 \(its build was not recorded\), which was no release, and version \S+ \(build \w+\) cannot upgrade its tables of "sync": make a backup [^\n]*\n$/;

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

testOnBothStores("a command refuses an older store and changes nothing", async (place, t) => {
  const run = await createStore(place);
  await addLaterMigration(t, ["sync", "events"]);
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

testOnBothStores("a store is not migrated while another service uses it", async (place, t) => {
  const run = await createStore(place);
  // Sync and events have the tables of accounts together.
  await addLaterMigration(t, ["identity"]);
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
  await makeOlderStore(place, oldest, t);
  await Promise.all([place.open(), place.open(), place.open()]);
  const copies = (await readdir(place.dataDir)).filter((name) => name.includes("before-upgrade"));
  assert.equal(copies.length, 1);
});

testOnBothStores(
  "a store of a build that was no release is refused, with what to do",
  async (place) => {
    const run = await createStore(place);
    const database = await openDatabase(place.store);
    await database.transaction((tx) =>
      tx.script(
        "UPDATE trellis_migration SET checksum = 'x', version = '0.2.0' WHERE scope = 'sync' AND name = '001-start'",
      ),
    );
    await database.close();
    for (const words of ["serve", "sync status", "store migrate --yes"]) {
      const { code, stderr } = await run(words);
      assert.equal(code, 1, words);
      assert.match(stderr, FOREIGN);
    }
    const { stdout } = await run("doctor");
    assert.match(stdout, /^ERROR +sync store: The store was made by version 0\.2\.0 \(its build/m);
  },
);

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

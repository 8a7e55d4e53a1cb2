/** `trellis store copy`: a store moves to another database, and no signed-in device or app notices. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openServiceStore } from "../../src/identity/open-service-store.ts";
import { createMemorySyncStorage, createSyncClient } from "../../src/client/index.ts";
import { CopyDiffersError, copyTables } from "../../src/backup/copy/copy-tables.ts";
import { readTotals } from "../../src/backup/copy/table-totals.ts";
import { describeTable } from "../../src/database/table-columns.ts";
import type { Database, Row } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { migrateEvents } from "../../src/events/sql/open-sql-events-store.ts";
import { EVENTS_TABLES } from "../../src/events/maintenance/copied-tables.ts";
import type { TokenResponse } from "../../src/contract/sync/schemas.ts";
import { sqlitePath } from "../../src/database/sqlite-path.ts";
import { checkConfiguration } from "../../src/configuration/configuration.ts";
import { resolveInstance, type Instance } from "../../src/configuration/instance.ts";
import { EVENTS_STORE } from "../../src/events/sql/open-store.ts";
import { SYNC_STORE } from "../../src/sync/sql/open-store.ts";
import { SYNC_TABLES } from "../../src/sync/maintenance/copied-tables.ts";
import { readKeys } from "../../store-contract/read-store.ts";
import { migrateSync } from "../../src/sync/sql/open-sql-store.ts";
import { startPostgres } from "../database/start-postgres.ts";
import { addSource, put, sampleGrant, sampleSession, write } from "../events/store/samples.ts";
import { addEventsAccount } from "../events/add-account.ts";
import { runInside } from "../fixtures/run-inside.ts";
import { signInOnPage } from "../client/sync/sign-in-on-page.ts";
import { BASE_URL, beginSignIn, shown, stored, syncNow } from "../client/sync/world.ts";
import { addSyncAccount } from "../sync/add-account.ts";
import { ANNA, REDIRECT_URI, startSyncService } from "../sync/service/sync-service.ts";
import { createSealedAccount } from "../fixtures/sealed-account.ts";
import { createOperation } from "../fixtures/sync-operation.ts";
import {
  addAccount,
  createHostPlace,
  originOf,
  signInOptions as hostSignIn,
} from "../sync/host/serve-host.ts";
import { pushTo } from "../sync/operations/device.ts";
import { postJson, signIn, type Ask } from "../sync/sync-client.ts";

const MINUTE_MS = 60_000;

interface Place {
  readonly folder: string;
  readonly dataDir: string;
  readonly keyFile: string;
  sqlite(name: string): string;
  postgres(): Promise<string>;
  copy(
    from: string,
    to: string,
    ...words: string[]
  ): Promise<{ code: number | null; stdout: string; stderr: string }>;
}

async function createPlace(t: TestContext): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-copy-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  await mkdir(dataDir, { mode: 0o700 });
  await writeFile(
    join(folder, "trellis.config.json"),
    JSON.stringify({ dataDir, sync: { profile: "open" }, events: {} }),
  );
  return {
    folder,
    dataDir,
    keyFile: join(dataDir, "instance.key"),
    sqlite: (name) => `sqlite:${join(dataDir, name)}`,
    postgres: async () => (await startPostgres()).createDatabase(),
    copy: (from, to, ...words) =>
      runInside(folder, ["store", "copy", "--from", from, "--to", to, ...words]),
  };
}

const openSync = ({ keyFile, dataDir }: Place, store: string) =>
  openServiceStore(SYNC_STORE, { store, instanceKeyFile: keyFile }, dataDir);

/** A phone whose requests go to whatever serves now; it records what its pulls brought. */
async function createPhone(t: TestContext, network: { ask: Ask; now: number }) {
  const pulled: string[][] = [];
  const requests: string[] = [];
  const client = await createSyncClient({
    baseUrl: BASE_URL,
    redirectUri: REDIRECT_URI,
    storage: createMemorySyncStorage(),
    deviceName: "phone",
    profile: "open",
    live: false,
    now: () => network.now,
    setTimer: () => () => {},
    tabs: null,
    async fetch(url, init) {
      const path = url.slice(BASE_URL.length);
      requests.push(path.split("?")[0] ?? "");
      const response = await network.ask(path, init);
      if (path.startsWith("/v1/pull")) {
        const page = (await response.clone().json()) as {
          operations: { document: { entityId: string } }[];
        };
        pulled.push(page.operations.map(({ document }) => document.entityId));
      }
      return response;
    },
  });
  t.after(() => client.close());
  return { client, pulled, requests };
}

test("a signed-in device goes on after its store moved to PostgreSQL and back to SQLite", async (t) => {
  const place = await createPlace(t);
  const [first, second, third] = [
    place.sqlite("sync.db"),
    await place.postgres(),
    place.sqlite("again.db"),
  ] as const;
  const store = await openSync(place, first);
  await addSyncAccount(store, store.instanceKey, ANNA);
  const { instanceKey } = store;
  const serve = (served: typeof store) =>
    startSyncService(served, { profile: "open", instanceKey });
  const { ask, clock } = await serve(store);
  const network = { ask, now: clock.now };
  const [phone, laptop] = [await createPhone(t, network), await createPhone(t, network)];
  for (const { client } of [phone, laptop]) {
    const url = await beginSignIn(client);
    await client.completeSignIn(await signInOnPage(ask, url));
    await syncNow(client);
  }
  await stored(phone.client.create("note/1", { title: "Ünïcode 🌱" }));
  await syncNow(phone.client);
  await syncNow(laptop.client);
  await stored(laptop.client.create("note/2", { title: "not pulled yet" }));
  await syncNow(laptop.client);
  const [keyRecord] = createSealedAccount().records;
  assert.ok(keyRecord !== undefined);
  assert.equal((await store.keys.add(keyRecord, null)).kind, "added");
  const before = await store.operations.head();

  const busy = await place.copy(first, second);
  assert.deepEqual([busy.code, busy.stdout], [1, ""]);
  assert.match(busy.stderr, /^The store is in use: stop `trellis serve`[^\n]*\n$/);
  await store.close();

  const copied = await place.copy(first, second, "--json");
  assert.equal(copied.code, 0, copied.stderr);
  const { services, tables } = JSON.parse(copied.stdout) as {
    services: string[];
    tables: Record<string, { rows: number; digest: string }>;
  };
  assert.deepEqual(services, ["sync"]);
  assert.deepEqual(
    [
      "sync_ledger",
      "sync_keys",
      "sync_sessions",
      "sync_log",
      "identity_accounts",
      "identity_known_browsers",
    ].map((name) => tables[name]?.rows),
    [2, 1, 2, 1, 1, 2],
  );

  /** The same device goes on, on the store at `address`. */
  const goOn = async (address: string, expected: readonly string[]) => {
    const opened = await openSync(place, address);
    assert.deepEqual([opened.wasRolledBack, opened.sessionsWereRevoked], [false, false]);
    const service = await serve(opened);
    service.clock.now = network.now;
    network.ask = service.ask;
    phone.pulled.length = 0;
    phone.requests.length = 0;
    await syncNow(phone.client);
    assert.ok(!phone.requests.includes("/v1/refresh"), "the access token is still good");
    assert.deepEqual(phone.pulled.flat(), expected);
    network.now += 6 * MINUTE_MS;
    service.clock.now = network.now;
    await syncNow(phone.client);
    assert.ok(phone.requests.includes("/v1/refresh"), "the access token was refreshed");
    assert.deepEqual(await readKeys(opened), [keyRecord]);
    return opened;
  };
  const inPostgres = await goOn(second, ["note/2"]);
  const after = await inPostgres.operations.head();
  assert.deepEqual(after, before);
  await stored(laptop.client.create("note/3", { title: "in PostgreSQL" }));
  await syncNow(laptop.client);
  await inPostgres.close();

  const twice = await place.copy(first, second);
  assert.match(twice.stderr, /^The sync store at --from is behind the high-water mark in "/);
  const full = await place.copy(second, first);
  assert.match(full.stderr, /^The store at --to already has data of the sync service, nothing/);

  const back = await place.copy(second, third);
  assert.equal(back.code, 0, back.stderr);
  assert.match(
    back.stdout,
    /^Copied and verified sync:\n {2}identity_accounts +1 row, [0-9a-f]{16}$/m,
  );
  const inSqlite = await goOn(third, ["note/3"]);
  const { generation, headOffset } = await inSqlite.operations.head();
  assert.deepEqual([generation, headOffset], [before.generation, before.headOffset + 1]);
  assert.deepEqual(Object.keys(shown(phone.client)).sort(), ["note/1", "note/2", "note/3"]);
  await inSqlite.close();

  // The first store is an older copy now, which its high-water mark tells.
  const old = await openSync(place, first);
  assert.equal(old.wasRolledBack, true);
  await old.close();
});

test("one instance among several is copied to a schema and back, and its device stays signed in", async (t) => {
  const { dataDir } = await createHostPlace(t, "SQLite");
  const server = await (await startPostgres()).createDatabase();
  const instances = Object.fromEntries(
    ["ada", "bob"].map((name) => [name, { baseUrl: originOf(name) }]),
  );
  const configure = async (store?: string) => {
    const settings = { dataDir, sync: { instances, ...(store !== undefined && { store }) } };
    await writeFile(join(dataDir, "trellis.config.json"), JSON.stringify(settings));
    const { sync } = checkConfiguration(settings, "of the test");
    assert.ok(sync !== undefined);
    return resolveInstance("ada", { baseUrl: originOf("ada") }, sync, dataDir);
  };
  const copy = (...words: string[]) => runInside(dataDir, ["store", "copy", ...words]);
  const serve = async (instance: Instance) => {
    const { sync, dataDir } = instance;
    const store = await openServiceStore(SYNC_STORE, sync, dataDir, { access: "change" });
    const { instanceKey } = store;
    const { ask } = await startSyncService(store, { instanceKey, now: Date.now });
    return { store, ask };
  };
  const renew = async (ask: Ask, refreshToken: string) => {
    const response = await postJson(ask, "/v1/refresh", {
      grantType: "refresh_token",
      refreshToken,
    });
    assert.equal(response.status, 200);
    return (await response.json()) as TokenResponse;
  };
  const inFile = await configure();
  for (const name of ["ada", "bob"]) await addAccount({ dataDir, store: undefined }, name);
  const before = await serve(inFile);
  const first = await signIn(before.ask, hostSignIn());
  await pushTo(before.store, [createOperation({ entityId: "note/1", payload: { title: "a" } })]);
  const head = await before.store.operations.head();

  const target = ["--to", server] as const;
  const busy = await copy("--instance", "ada", ...target);
  assert.match(busy.stderr, /^The store is in use: .*`trellis sync instance suspend NAME`/);
  await before.store.close();
  const several = await copy("--from", inFile.sync.store, ...target);
  assert.match(
    several.stderr,
    /^This server has several instances: choose one with --instance NAME/,
  );
  const unknown = await copy("--instance", "eve", ...target);
  assert.match(unknown.stderr, /^There is no instance "eve"/);
  const events = await copy("--instance", "ada", "--service", "events", ...target);
  assert.match(events.stderr, /^--instance is one of sync/);
  const copied = await copy("--instance", "ada", ...target);
  assert.equal(copied.code, 0, copied.stderr);
  assert.match(copied.stdout, /^Copied and verified sync:[\s\S]*\nCopy the other instances too/);

  const inSchema = await configure(server);
  const moved = await serve(inSchema);
  assert.deepEqual([moved.store.wasRolledBack, moved.store.sessionsWereRevoked], [false, false]);
  assert.deepEqual(await moved.store.operations.head(), head);
  const second = await renew(moved.ask, first.refreshToken);
  await moved.store.close();

  await rm(sqlitePath(inFile.sync.store) ?? "");
  const back = await copy("--instance", "ada", "--to", inFile.sync.store);
  assert.equal(back.code, 0, back.stderr);
  const again = await serve(await configure());
  assert.deepEqual([again.store.wasRolledBack, await again.store.operations.head()], [false, head]);
  await renew(again.ask, second.refreshToken);
  await again.store.close();
});

test("sync and events in one database are copied together, or one of them", async (t) => {
  const place = await createPlace(t);
  const source = await place.postgres();
  const sync = await openSync(place, source);
  await addSyncAccount(sync, sync.instanceKey, ANNA);
  await sync.close();
  const openEvents = (store: string) =>
    openServiceStore(EVENTS_STORE, { store, instanceKeyFile: place.keyFile }, place.dataDir);
  const events = await openEvents(source);
  const accountId = await addEventsAccount(events, events.instanceKey, ANNA, Date.now());
  assert.ok(accountId !== null);
  const { sourceId } = await addSource(events, accountId, "school");
  await write(events, [accountId, sourceId], [put("a"), put("b", null)]);
  await events.transaction(async ({ sessions, grants }) => {
    await sessions.open(sampleSession(accountId, "session"));
    await grants.add(sampleGrant(accountId, "token"));
  });
  await events.close();

  const one = await place.copy(source, place.sqlite("events.db"), "--service", "events", "--json");
  assert.equal(one.code, 0, one.stderr);
  assert.deepEqual((JSON.parse(one.stdout) as { services: string[] }).services, ["events"]);
  const both = await place.copy(source, place.sqlite("both.db"), "--json");
  assert.equal(both.code, 0, both.stderr);
  assert.deepEqual((JSON.parse(both.stdout) as { services: string[] }).services, [
    "sync",
    "events",
  ]);
  for (const name of ["events.db", "both.db"]) {
    const copy = await openEvents(place.sqlite(name));
    assert.equal(copy.sessionsWereRevoked, false);
    const rows = await copy.database.query<{ username: string; realm: string }>(
      "SELECT username, realm FROM identity_accounts ORDER BY realm",
    );
    assert.deepEqual(
      rows.map(({ realm }) => realm),
      name === "both.db" ? ["events", "sync"] : ["events"],
    );
    const [{ count } = { count: 0 }] = await copy.database.query<{ count: number }>(
      "SELECT count(*) AS count FROM events_grants",
    );
    assert.equal(count, 1);
    await copy.close();
  }
});

/** With a sync and an events account, and some rows. */
async function openFilled(t: TestContext, store: string): Promise<Database> {
  const database = await openDatabase(store);
  t.after(() => database.close());
  await migrateSync(database);
  await database.transaction(async (tx) => {
    for (let row = 0; row < 1200; row++) {
      await tx.query(
        "INSERT INTO sync_marks (instance, log_offset, mark) VALUES ($instance, $1, $2)",
        [row, `m${row}`],
      );
    }
  });
  return database;
}

test("a copy that fails on the way, or is not the same, leaves an empty target", async (t) => {
  const place = await createPlace(t);
  const source = await openFilled(t, place.sqlite("source.db"));
  const tables = await Promise.all(SYNC_TABLES.map((part) => describeTable(source, part)));
  for (const address of [place.sqlite("target.db"), await place.postgres()]) {
    const target = await openDatabase(address);
    t.after(() => target.close());
    await migrateSync(target);
    const empty = await readTotals(target, tables);
    const failing = { ...source, stream: failAfter(source, 1100) };
    await assert.rejects(copyTables(failing, target, SYNC_TABLES), /the disk failed/);
    assert.deepEqual(await readTotals(target, tables), empty);

    const forging = { ...target, stream: changeOne(target) };
    await assert.rejects(
      copyTables(source, forging, SYNC_TABLES),
      (error: unknown) =>
        error instanceof CopyDiffersError && error.message.includes("(sync_marks)"),
    );
    assert.deepEqual(await readTotals(target, tables), empty);

    const copied = await copyTables(source, target, SYNC_TABLES);
    assert.equal(copied["sync_marks"]?.rows, 1200);
    assert.deepEqual(await readTotals(target, tables), await readTotals(source, tables));
  }
});

function failAfter(database: Database, count: number): Database["stream"] {
  return async function* <T extends Row>(sql: string) {
    let rows = 0;
    for await (const row of database.stream<T>(sql)) {
      if (++rows > count) throw new Error("the disk failed");
      yield row;
    }
  };
}

/** What a disk that returns another byte does. */
function changeOne(database: Database): Database["stream"] {
  return async function* <T extends Row>(sql: string) {
    for await (const row of database.stream<T>(sql)) {
      yield row["text_1"] === "m7" ? { ...row, text_1: "m8" } : row;
    }
  };
}

test("a copy has every table, but those that a running server fills", async (t) => {
  const place = await createPlace(t);
  const database = await openDatabase(place.sqlite("all.db"));
  t.after(() => database.close());
  await migrateSync(database);
  await migrateEvents(database);
  const tables = await database.query<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
  );
  const copied = new Set([...SYNC_TABLES, ...EVENTS_TABLES].map(({ name }) => name));
  assert.deepEqual(
    tables.map(({ name }) => name).filter((name) => !copied.has(name)),
    ["identity_hits", "identity_write_probes", "sync_streams", "trellis_migration"],
  );
});

test("a copy says in one sentence what it needs", async (t) => {
  const place = await createPlace(t);
  const first = place.sqlite("sync.db");
  const expectRefused = async (pattern: RegExp, ...words: [string, string, ...string[]]) => {
    const { stdout, stderr } = await place.copy(...words);
    assert.equal(stdout, "");
    assert.match(stderr, pattern);
  };
  const target = place.sqlite("target.db");
  await expectRefused(
    /^There is no store at ".*sync\.db" to copy: correct --from\n$/,
    first,
    target,
  );
  await expectRefused(/^--from and --to name the same store\n/, first, first);
  await expectRefused(
    /^--service must be sync or events, not "x"\n/,
    first,
    target,
    "--service",
    "x",
  );
  const store = await openSync(place, first);
  await store.close();
  await expectRefused(
    /^The sync store at --from is empty: there is nothing to copy\n$/,
    first,
    target,
  );
  await expectRefused(
    /^The store at --from has no tables of events/,
    first,
    target,
    "--service",
    "events",
  );
  const again = await openSync(place, first);
  await addSyncAccount(again, again.instanceKey, ANNA);
  await again.close();
  await expectRefused(/^The store must be|^The store's address/, first, "mysql://x");
  await rm(place.keyFile);
  await expectRefused(
    /^There is no instance key at "[^"]*", but the sync store belongs to one/,
    first,
    target,
  );
  await writeFile(place.keyFile, new Uint8Array(32), { mode: 0o600 });
  await expectRefused(
    /^The instance key "[^"]*" is not the one that the sync store belongs to/,
    first,
    target,
  );
  await writeFile(
    join(place.folder, "trellis.config.json"),
    JSON.stringify({ dataDir: place.dataDir, events: {} }),
  );
  await expectRefused(/has no "sync" section, which names its instance key/, first, target);
});

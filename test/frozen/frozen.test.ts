/**
 * What released versions made is opened, migrated, verified and restored by this one: every folder here was frozen
 * by `npm run freeze`, and never changes.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import postgres from "postgres";
import {
  FROZEN_ACCOUNTS,
  type FrozenDatabase,
  type FrozenFacts,
} from "../../scripts/freeze/facts.ts";
import {
  listShown,
  openFrozenClient,
  openFrozenService,
  openSealedClient,
  signInFrozen,
  syncNow,
} from "../../scripts/freeze/freeze-client.ts";
import { unpackFolder } from "../../scripts/freeze/packed-folder.ts";
import { exportEntities, writeSettings } from "../../scripts/freeze/freeze-stores.ts";
import { createMemorySyncStorage } from "../../src/client/index.ts";
import { createSqliteStorage } from "../../src/client/node/index.ts";
import type { SyncStorage } from "../../src/client/sync/storage.ts";
import { useDatabase } from "../../src/database/open-database.ts";
import { PRODUCT_VERSION } from "../../src/database/product-version.ts";
import { startPostgres } from "../database/start-postgres.ts";
import { runInside } from "../fixtures/run-inside.ts";

const FROZEN = readdirSync(import.meta.dirname, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

interface Place {
  readonly folder: string;
  readonly facts: FrozenFacts;
  readonly home: string;
  readonly dataDir: string;
  run(words: string, input?: string): Promise<string>;
}

/** A data folder with the key of the frozen stores, and the configuration that they had. */
async function createPlace(t: TestContext, version: string, store?: string): Promise<Place> {
  const home = await mkdtemp(join(tmpdir(), "trellis-frozen-"));
  t.after(() => rm(home, { recursive: true }));
  const folder = join(home, "frozen");
  await unpackFolder(join(import.meta.dirname, version), folder);
  const facts = JSON.parse(readFileSync(join(folder, "facts.json"), "utf8")) as FrozenFacts;
  const dataDir = join(home, "data");
  await mkdir(dataDir, { mode: 0o700 });
  await copyFile(join(folder, "instance.key"), join(dataDir, "instance.key"));
  await writeSettings(home, store);
  return {
    folder,
    facts,
    home,
    dataDir,
    async run(words, input = "") {
      const { code, stdout, stderr } = await runInside(home, words.split(" "), { input });
      assert.equal(code, 0, `${words}: ${stderr}`);
      return stdout;
    },
  };
}

async function createFilePlace(t: TestContext, version: string): Promise<Place> {
  const place = await createPlace(t, version);
  for (const name of ["sync.db", "sync.highwater", "events.db", "events.highwater"]) {
    await copyFile(join(place.folder, name), join(place.dataDir, name));
  }
  return place;
}

async function createDatabasePlace(t: TestContext, version: string): Promise<Place> {
  const store = await (await startPostgres()).createDatabase();
  const place = await createPlace(t, version, store);
  const sql = postgres(store, { max: 1, onnotice: () => {} });
  await sql.unsafe(readFileSync(join(place.folder, "postgres.sql"), "utf8"));
  await sql.end();
  return place;
}

/** The stores have what the version that made them wrote, and their accounts. */
async function expectContents({ run, facts, home, dataDir }: Place, store?: string) {
  const status = JSON.parse(await run("sync status --json")) as {
    headOffset: number;
    account: { username: string };
  };
  assert.equal(status.headOffset, facts.headOffset);
  assert.equal(status.account.username, FROZEN_ACCOUNTS.sync.username);
  assert.deepEqual(await exportEntities(home), facts.entities);
  const events = await useDatabase(store ?? `sqlite:${join(dataDir, "events.db")}`, {}, (found) =>
    found.query<{ wire: string }>("SELECT wire FROM events_entries ORDER BY event_id"),
  );
  assert.deepEqual(
    events.map(({ wire }) => JSON.parse(wire) as unknown),
    facts.events,
  );
  const accounts = await run("events account list --json");
  assert.match(accounts, new RegExp(`"username": "${FROZEN_ACCOUNTS.events.username}"`));
}

/** A client opens its storage, shows what it showed, and pushes what waited, with the session that it had. */
async function expectClient(place: Place, storage: SyncStorage, store: string): Promise<unknown> {
  const { facts, dataDir } = place;
  const service = await openFrozenService(dataDir, store, facts.now);
  const client = await openFrozenClient(storage, service.fetch, facts.now);
  try {
    const shown = listShown(client);
    assert.deepEqual(client.status.pending, 1);
    const result = await client.sync();
    assert.equal(result.kind, "synced", JSON.stringify(result));
    assert.deepEqual(client.status.pending, 0);
    assert.deepEqual({ ...listShown(client), ...shown }, listShown(client));
    return shown;
  } finally {
    await client.close();
    await service.close();
  }
}

function readIndexedDb(folder: string): FrozenDatabase {
  return JSON.parse(readFileSync(join(folder, "indexed-db.json"), "utf8")) as FrozenDatabase;
}

async function loadRecords({ records }: FrozenDatabase): Promise<SyncStorage> {
  const storage = createMemorySyncStorage();
  await storage.transaction("write", async ({ put }) => {
    for (const [key, value] of records) put(key, value);
  });
  return storage;
}

test("this version is frozen before it is released", () => {
  assert.ok(FROZEN.includes(PRODUCT_VERSION), "run `npm run freeze`");
});

for (const version of FROZEN) {
  test(`SQLite stores and clients of ${version} are opened`, async (t) => {
    const place = await createFilePlace(t, version);
    await place.run("store migrate --yes");
    await expectContents(place);
    const store = `sqlite:${join(place.dataDir, "sync.db")}`;
    const file = join(place.home, "client.db");
    await copyFile(join(place.folder, "client.db"), file);
    const shown = await expectClient(place, createSqliteStorage(file), store);
    assert.deepEqual(shown, place.facts.shown);
    await expectClient(place, await loadRecords(readIndexedDb(place.folder)), store);
    await place.run(`sync backup ${join(place.home, "again.backup")}`);
  });

  test(`a PostgreSQL database of ${version} is opened`, async (t) => {
    const place = await createDatabasePlace(t, version);
    await place.run("store migrate --yes");
    const { sync } = JSON.parse(readFileSync(join(place.home, "trellis.config.json"), "utf8")) as {
      sync: { store: string };
    };
    await expectContents(place, sync.store);
    const file = join(place.home, "client.db");
    await copyFile(join(place.folder, "client.db"), file);
    await expectClient(place, createSqliteStorage(file), sync.store);
  });

  if (existsSync(join(import.meta.dirname, version, "sealed"))) {
    test(`a store of ciphertext and its keys of ${version} are opened`, async (t) => {
      const { home, dataDir, folder, facts, run } = await createPlace(t, version);
      const { sealed: expected } = facts;
      assert.ok(expected);
      const sealed = join(folder, "sealed");
      await writeSettings(home, undefined, "sealed");
      for (const name of ["sync.db", "sync.highwater", "instance.key"]) {
        await copyFile(join(sealed, name), join(dataDir, name));
      }
      await run("store migrate --yes");
      const store = `sqlite:${join(dataDir, "sync.db")}`;
      const service = await openFrozenService(dataDir, store, facts.now, "sealed");
      const storage = createSqliteStorage(join(sealed, "client.db"));
      const { fetch } = service;
      const client = await openSealedClient(storage, join(sealed, "keys"), fetch, facts.now);
      assert.deepEqual(listShown(client), expected.shown);
      await syncNow(client);
      const other = await openSealedClient(
        createMemorySyncStorage(),
        join(home, "other-keys"),
        fetch,
        facts.now,
      );
      await signInFrozen(other, fetch);
      await other.encryption.useKey(expected.recoveryKey);
      await syncNow(other);
      assert.deepEqual(listShown(other), expected.shown);
      await other.close();
      await client.close();
      await service.close();
      await run(`sync verify ${join(sealed, "sync.backup")}`);
      await run(`sync restore ${join(sealed, "sync.backup")} --yes`);
    });
  }

  test(`backups of ${version} are verified and restored`, async (t) => {
    const place = await createPlace(t, version);
    const { folder, run } = place;
    const identity = `--identity ${join(folder, "age-identity.txt")}`;
    for (const words of [
      `sync verify ${join(folder, "sync.backup")}`,
      `events verify ${join(folder, "events.backup")}`,
      `sync verify ${join(folder, "sync.backup.age")} ${identity}`,
      `events restore ${join(folder, "events.backup")} --yes`,
    ]) {
      await run(words);
    }
    for (const words of ["sync.backup", `sync.backup.age ${identity}`]) {
      await run(`sync restore ${join(folder, words)} --yes`);
      await expectContents(place);
    }
  });

  test(`a catalogue of ${version} is checked and published from`, async (t) => {
    const place = await createPlace(t, version);
    const { folder, facts, home, dataDir, run } = place;
    await cp(join(folder, "catalog"), join(home, "catalog"), { recursive: true });
    await cp(join(folder, "keys"), join(dataDir, "keys"), { recursive: true });
    for (const release of facts.releases) await run(`release show ${release} --json`);
    const [draft = ""] = facts.releases;
    await run(`release publish ${draft} --yes --allow-lost-coverage --no-check-urls`);
    const shown = JSON.parse(await run(`release show ${draft} --json`)) as { status?: string };
    assert.match(JSON.stringify(shown), /"published"/);
    await run("release verify");
  });
}

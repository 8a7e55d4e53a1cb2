/** Two instances in two schemas of one database. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { createBackup } from "../../src/backup/format/write-backup.ts";
import { takeLease } from "../../src/database/lease.ts";
import { isMigrated } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { StoreInUseError } from "../../src/database/lease-store.ts";
import { openSyncStore, SYNC_STORE } from "../../src/sync/sql/open-store.ts";
import { restoreStore } from "../../src/backup/restore-store.ts";
import { SYNC_EXAMINER } from "../../src/sync/maintenance/backup.ts";
import { createOperation } from "../fixtures/sync-operation.ts";
import { createDevice } from "../sync/operations/device.ts";
import { BACKUP_KEY, findBackupKey } from "./backup-sample.ts";
import { assertNoticed, commitAndNotify, watchCommits } from "./database-contract.ts";
import { startPostgres } from "./start-postgres.ts";

const SCHEMAS = ["school", "club"] as const;

/** The addresses of two schemas of a new database. */
async function createSchemas(): Promise<readonly [string, string]> {
  const url = await (await startPostgres()).createDatabase();
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  for (const schema of SCHEMAS) await sql.unsafe(`create schema ${schema}`);
  await sql.end();
  const [school, club] = SCHEMAS;
  return [`${url}?search_path=${school}`, `${url}?search_path=${club}`];
}

async function openFast(t: TestContext, store: string) {
  const database = await openPostgres(store, { lockTimeoutMs: 200 });
  t.after(() => database.close());
  return database;
}

test("writers in one schema wait for each other, and not for those in another", async (t) => {
  const [school, club] = await createSchemas();
  const [holder, same, other] = [
    await openFast(t, school),
    await openFast(t, school),
    await openFast(t, club),
  ];
  const inside = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = holder.transaction(async (tx) => {
    await tx.query("select 1");
    inside.resolve();
    await release.promise;
  });
  await inside.promise;
  await other.transaction((tx) => tx.script("create table note (id bigint)"));
  await assert.rejects(
    same.transaction((tx) => tx.query("select 1")),
    /other writers hold it for too long/,
  );
  release.resolve();
  await holding;
  await same.transaction((tx) => tx.query("select 1"));
});

test("a change in one schema wakes no watch of another", async (t) => {
  const [school, club] = await createSchemas();
  const [own, beside, other] = [
    await openFast(t, school),
    await openFast(t, school),
    await openFast(t, club),
  ];
  for (const database of [own, other]) {
    await database.transaction((tx) => tx.script("create table item (id bigint primary key)"));
  }
  const [watched, otherWatched] = [watchCommits(own), watchCommits(other)];
  await watched.settle();
  await otherWatched.settle();
  const { count } = otherWatched;
  await assertNoticed(watched, () => commitAndNotify(beside, 1));
  await assertNoticed(watched, () => commitAndNotify(own, 2));
  await wait(300);
  assert.equal(otherWatched.count, count);
  await assertNoticed(otherWatched, () => commitAndNotify(other, 1));
});

test("a lease on one schema excludes none on another", async () => {
  const [school, club] = await createSchemas();
  const shared = await takeLease(school, "sync", "shared");
  const exclusive = await takeLease(club, "sync", "exclusive");
  assert.ok(shared !== null && exclusive !== null);
  assert.equal(await takeLease(school, "sync", "exclusive"), null);
  assert.equal(await takeLease(club, "sync", "shared"), null);
  await shared.release();
  await exclusive.release();
});

test("tables further down the search path are those of another instance", async (t) => {
  const [school, club] = await createSchemas();
  const folder = await mkdtemp(join(tmpdir(), "trellis-schemas-"));
  t.after(() => rm(folder, { recursive: true }));
  await (await openSyncStore(school, folder)).close();
  const behind = await openFast(t, `${club},school`);
  assert.equal(await isMigrated(behind, "sync"), false);
  assert.equal(await isMigrated(await openFast(t, school), "sync"), true);
});

test("a restore of one instance runs while the other is in use, and changes nothing there", async (t) => {
  const [school, club] = await createSchemas();
  const folder = await mkdtemp(join(tmpdir(), "trellis-schemas-"));
  t.after(() => rm(folder, { recursive: true }));
  const [schoolDir, clubDir] = [join(folder, "school"), join(folder, "club")];
  const note = (deviceId: string) =>
    createOperation({ deviceId, sequence: 1, entityId: `note/${deviceId}`, payload: {} });

  const backup = join(folder, "school.backup");
  const before = await openSyncStore(school, schoolDir);
  await createDevice(before).push([note("phone")]);
  await createBackup(before.database, backup, SYNC_EXAMINER, {
    product: "1.0.0",
    now: 0,
    instanceKey: null,
    key: BACKUP_KEY,
  });
  const inUse = await openSyncStore(club, clubDir);
  t.after(() => inUse.close());
  await createDevice(inUse).push([note("tablet")]);
  const head = await inUse.operations.head();

  const restore = () =>
    restoreStore(
      SYNC_STORE,
      { store: school, dataDir: schoolDir, readKey: () => BACKUP_KEY },
      backup,
      { findKey: findBackupKey, confirm: async () => {} },
    );
  await assert.rejects(restore(), StoreInUseError);
  await before.close();
  const report = await restore();
  assert.equal(report.manifest.entities.live, 1);

  assert.deepEqual(await inUse.operations.head(), head);
  const page = await inUse.operations.page(0, 10);
  assert.equal(page.count, 1);
  assert.match(page.text, /note\/tablet/);
});

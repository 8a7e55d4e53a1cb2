/** The clock of the log: no device, restore or copy can make the account uneditable. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createBackup } from "../../../src/backup/format/write-backup.ts";
import { copyStore } from "../../../src/backup/copy-store.ts";
import { openInstanceKey } from "../../../src/identity/instance-key.ts";
import { bindInstanceKey } from "../../../src/identity/bind-instance-key.ts";
import { restoreStore } from "../../../src/backup/restore-store.ts";
import { SYNC_STORE } from "../../../src/sync/sql/open-store.ts";
import { SYNC_EXAMINER } from "../../../src/sync/maintenance/backup.ts";
import { planPurge, purgeTombstones } from "../../../src/sync/maintenance/purge-tombstones.ts";
import { readHead } from "../../../src/sync/sql/log-head.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { append } from "../../../store-contract/read-store.ts";
import { NOW, sampleOperation } from "../../../store-contract/samples.ts";
import { SYNC_REALM } from "../../../src/sync/store.ts";
import { BACKUP_KEY, findBackupKey } from "../../database/backup-sample.ts";
import { copyDatabaseFile, putDatabaseFileBack } from "../../database/put-file-back.ts";
import { createPlace, testOnBothStores, type SyncPlace } from "./on-both-stores.ts";

const STEP = 2 ** 20;

const clockOf = async (store: SqlSyncStore) => (await readHead(store.database)).clock;
const knownAt = (greatestSequence: number) => ({ greatestSequence, takesAnySequence: false });

async function refusesJump(store: SqlSyncStore, greatest: number): Promise<void> {
  const result = await store.operations.append([sampleOperation(greatest + STEP + 1)], NOW);
  assert.deepEqual(result, { kind: "sequence-jump", indexes: [0] });
}

async function backUp(store: SqlSyncStore, place: SyncPlace): Promise<string> {
  const path = join(place.folder, "early.backup");
  const options = { product: "1.0.0", now: 0, instanceKey: null, key: BACKUP_KEY };
  await createBackup(store.database, path, SYNC_EXAMINER, options);
  return path;
}

const restore = (place: SyncPlace, file: string) =>
  restoreStore(SYNC_STORE, { ...place, readKey: () => BACKUP_KEY }, file, {
    findKey: findBackupKey,
    confirm: async () => {},
  });

testOnBothStores("the clock counts operations that a purge has removed", async (place) => {
  const store = await place.open();
  await append(store, [sampleOperation(1), sampleOperation(STEP, { kind: "delete" })]);
  await purgeTombstones(store, await planPurge(store.database, NOW + 1));
  assert.equal((await store.operations.page(0, 10)).count, 0);
  assert.deepEqual(await clockOf(store), knownAt(STEP));
  await refusesJump(store, STEP);
});

testOnBothStores("a restore keeps the clock of the store that it replaces", async (place) => {
  const store = await place.open();
  await append(store, [sampleOperation(1)]);
  const backup = await backUp(store, place);
  await append(store, [sampleOperation(STEP)]);
  await store.close();
  await restore(place, backup);
  const restored = await place.open();
  assert.deepEqual(await clockOf(restored), knownAt(STEP));
  await refusesJump(restored, STEP);
  await append(restored, [sampleOperation(2 * STEP)]);
});

testOnBothStores("the high-water file alone keeps the clock of a lost store", async (place) => {
  const store = await place.open();
  await append(store, [sampleOperation(1)]);
  const backup = await backUp(store, place);
  await append(store, [sampleOperation(STEP)]);
  await emptyStore(store, place);
  await restore(place, backup);
  const restored = await place.open();
  assert.deepEqual(await clockOf(restored), knownAt(STEP));
});

testOnBothStores(
  "a restore without the high-water file takes any sequence in its first push, and no other",
  async (place) => {
    const store = await place.open();
    await append(store, [sampleOperation(3), sampleOperation(1, { entityId: "note/2" })]);
    const backup = await backUp(store, place);
    await emptyStore(store, place);
    await rm(join(place.dataDir, SYNC_STORE.highWaterFile));
    await restore(place, backup);
    const restored = await place.open();
    assert.deepEqual(await clockOf(restored), { greatestSequence: 3, takesAnySequence: true });
    // A replay stores nothing, so it is not the first push.
    await append(restored, [sampleOperation(3)]);
    const beyond = await restored.operations.append([sampleOperation(2 ** 40 + 1)], NOW);
    assert.equal(beyond.kind, "sequence-jump");
    await append(restored, [sampleOperation(2 ** 40), sampleOperation(2)]);
    await refusesJump(restored, 2 ** 40);
  },
);

testOnBothStores("a first push below the contents of the backup moves no clock", async (place) => {
  const store = await place.open();
  await append(store, [sampleOperation(STEP)]);
  const backup = await backUp(store, place);
  await emptyStore(store, place);
  await rm(join(place.dataDir, SYNC_STORE.highWaterFile));
  await restore(place, backup);
  const restored = await place.open();
  await append(restored, [sampleOperation(1, { deviceId: "tablet" })]);
  assert.deepEqual(await clockOf(restored), knownAt(STEP));
});

test("a database file that is rolled back goes on from the clock of the high-water file", async (t) => {
  const place = await createPlace(t, "SQLite");
  const store = await place.open();
  await append(store, [sampleOperation(1)]);
  await store.close();
  const copy = await copyDatabaseFile(place);
  const later = await place.open();
  await append(later, [sampleOperation(STEP)]);
  await later.close();
  await putDatabaseFileBack(place, copy);
  const found = await place.open();
  assert.equal(found.wasRolledBack, true);
  assert.deepEqual(await clockOf(found), knownAt(STEP));
});

testOnBothStores("a proved rollback of everything takes any sequence once", async (place) => {
  const store = await place.open();
  await append(store, [sampleOperation(5)]);
  await store.transaction(({ log }) => log.beginGeneration());
  await append(store, [sampleOperation(2 ** 40)]);
  await refusesJump(store, 2 ** 40);
});

test("a copy of the store has its clock, and so has the high-water file beside it", async (t) => {
  const [from, to] = [await createPlace(t, "SQLite"), await createPlace(t, "PostgreSQL")];
  const store = await from.open();
  await append(store, [sampleOperation(7)]);
  const instanceKeyFile = join(from.dataDir, "instance.key");
  openInstanceKey(instanceKeyFile);
  await bindInstanceKey(store.database, { realm: SYNC_REALM, place: instanceKeyFile }, "any-store");
  await store.close();
  await copyStore({
    from: from.store,
    to: to.store,
    dataDir: to.dataDir,
    services: [{ ...SYNC_STORE, key: instanceKeyFile }],
  });
  const copied = await to.open();
  assert.deepEqual(await clockOf(copied), knownAt(7));
  assert.deepEqual(copied.highWater.read()?.clock, knownAt(7));
});

/** Removes the store, but not what is beside it. */
async function emptyStore(store: SqlSyncStore, place: SyncPlace): Promise<void> {
  if (store.database.dialect === "postgres") {
    await store.database.transaction((tx) =>
      tx.script(
        `DELETE FROM sync_operations; DELETE FROM sync_ledger; DELETE FROM sync_entities;
         DELETE FROM sync_marks; DELETE FROM sync_log;`,
      ),
    );
  }
  await store.close();
  if (!place.store.startsWith("sqlite:")) return;
  const path = place.store.slice("sqlite:".length);
  for (const end of ["", "-wal", "-shm"]) await rm(path + end, { force: true });
}

/** A server merges, compacts, backs up, restores and exports what it cannot read, and refuses to mix it with the rest. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { KEY_ENTITY_ID, type SyncProfile } from "../../../src/contract/sync/operation-limits.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { createBackup } from "../../../src/backup/format/write-backup.ts";
import { restoreStore } from "../../../src/backup/restore-store.ts";
import { openStore } from "../../../src/database/open-store.ts";
import { exportToFile } from "../../../src/sync/log/export-entities.ts";
import { SYNC_EXAMINER } from "../../../src/sync/maintenance/backup.ts";
import { checkStore } from "../../../src/sync/maintenance/check-store.ts";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import { planPurge, purgeTombstones } from "../../../src/sync/maintenance/purge-tombstones.ts";
import { ProfileError } from "../../../src/sync/sql/check-profile.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { SYNC_STORE } from "../../../src/sync/sql/open-store.ts";
import { mergeTexts, readLog, readSnapshot } from "../../../src/sync/store-contract/read-store.ts";
import { BACKUP_KEY, findBackupKey } from "../../database/backup-sample.ts";
import {
  createSealedOperation,
  sealedId,
  sealedName,
  sealedValue,
  type SealedOperationOptions,
} from "../../fixtures/former-sealed-operation.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { pushTo } from "./device.ts";
import { createPlace, testOnBothStores, type SyncPlace } from "./on-both-stores.ts";

const pushSealed = (store: SqlSyncStore, ...operations: Operation[]) =>
  pushTo(store, operations, Date.now, "sealed");

const patch = (sequence: number, name: string, bytes = 64, options: SealedOperationOptions = {}) =>
  createSealedOperation({
    kind: "patch",
    sequence,
    payload: { [sealedName(name)]: sealedValue(`${name} ${sequence}`, bytes) },
    ...options,
  });

testOnBothStores(
  "sealed operations are merged, compacted, backed up, restored and exported as they are",
  async (place, t) => {
    const store = await place.open();
    const removed = sealedId("note/2");
    const large = patch(6, "text", 120_000);
    const operations = [
      createSealedOperation({ entityId: KEY_ENTITY_ID, metadata: {} }),
      createSealedOperation({ sequence: 2 }),
      createSealedOperation({ sequence: 2, deviceId: "tablet", entityId: removed }),
      patch(3, "title"),
      patch(4, "title", 64, { deviceId: "tablet" }),
      patch(5, "title", 64, { deviceId: "tablet" }),
      createSealedOperation({ kind: "delete", sequence: 7, entityId: removed }),
    ];
    await pushSealed(store, ...operations);
    await pushSealed(store, large);
    const texts = [...operations, large].map((operation) => JSON.stringify(operation));
    assert.deepEqual(await readLog(store.operations), texts);
    const { states } = await readSnapshot(store.operations);
    assert.deepEqual(states, mergeTexts(texts));
    const { removed: dropped } = await compactLog(store.database);
    assert.equal(dropped, 2);
    assert.deepEqual((await readSnapshot(store.operations)).states, states);
    const log = await readLog(store.operations);
    assert.equal((await checkStore(store.database)).kind, "sound");

    const exported = join(place.folder, "export.json");
    // The keys are in it, and are no entity of the app.
    assert.equal(await exportToFile(store.operations, exported, 0), 1);
    const { payload = {} } = large.document;
    assert.ok((await readFile(exported, "utf8")).includes(String(Object.values(payload)[0])));

    const file = join(place.folder, "sealed.backup");
    const options = { product: "1.0.0", now: 0, instanceKey: null, key: BACKUP_KEY };
    await createBackup(store.database, file, SYNC_EXAMINER, options);
    const kind = place.store.startsWith("sqlite:") ? "SQLite" : "PostgreSQL";
    const other = await createPlace(t, kind);
    await restoreStore(SYNC_STORE, { ...other, readKey: () => BACKUP_KEY }, file, {
      findKey: findBackupKey,
      confirm: async () => {},
    });
    const restored = await other.open();
    assert.deepEqual(await readLog(restored.operations), log);
    assert.deepEqual((await readSnapshot(restored.operations)).states, states);
    const { receipts } = await pushSealed(restored, ...operations);
    assert.ok(receipts.every(({ duplicate }) => duplicate));
  },
);

testOnBothStores("a store of another kind than the profile is not opened", async (place) => {
  const store = await place.open();
  for (const profile of ["habits", "open", "sealed"] as const) await open(place, profile);

  await pushSealed(
    store,
    createSealedOperation(),
    createSealedOperation({ sequence: 2, entityId: sealedId("b") }),
  );
  await open(place, "sealed");
  for (const profile of ["habits", "open"] as const) {
    const reason = `The profile is "${profile}", but all entities of the store are sealed: 2`;
    await assert.rejects(
      open(place, profile),
      isRefused(reason, /^set the profile back to "sealed"; /),
    );
  }

  // An app that allows a server of clear text has pushed to a server of the profile open.
  await pushTo(store, [createOperation({ sequence: 3, entityId: "sealed-box/1", payload: {} })]);
  await open(place, "open");
  const reason = 'The profile is "sealed", but the store has entities in clear text: 1';
  await assert.rejects(open(place, "sealed"), isRefused(reason, /copyEntities/));
});

function isRefused(reason: string, remedy: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof ProfileError);
    assert.equal(error.reason, reason);
    assert.match(error.remedy, remedy);
    return true;
  };
}

async function open({ store, dataDir }: SyncPlace, profile: SyncProfile): Promise<void> {
  const opened = await openStore({ kind: SYNC_STORE, store, dataDir, settings: { profile } });
  await opened.close();
}

testOnBothStores(
  "what leads to the account's key is never compacted nor purged, whatever is pushed after it",
  async (place) => {
    const store = await place.open();
    const key = createSealedOperation({ entityId: KEY_ENTITY_ID, metadata: {} });
    const { payload = {} } = key.document;
    const operations = [
      key,
      createSealedOperation({ kind: "patch", sequence: 2, entityId: KEY_ENTITY_ID, payload }),
      createSealedOperation({ kind: "delete", sequence: 3, entityId: KEY_ENTITY_ID }),
    ];
    await pushSealed(store, ...operations);
    assert.equal((await compactLog(store.database)).removed, 0);
    const plan = await planPurge(store.database, Date.now() + 1000);
    assert.equal((await purgeTombstones(store, plan)).removedOperations, 0);
    const texts = operations.map((operation) => JSON.stringify(operation));
    assert.deepEqual(await readLog(store.operations), texts);
  },
);

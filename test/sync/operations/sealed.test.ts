/** A server merges, compacts, backs up, restores and exports what it cannot read, and refuses to mix it with the rest. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SyncProfile } from "../../../src/contract/sync/operation-limits.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { createBackup } from "../../../src/backup/format/write-backup.ts";
import { restoreStore } from "../../../src/backup/restore-store.ts";
import { openStore } from "../../../src/database/open-store.ts";
import { exportToFile } from "../../../src/sync/log/export-entities.ts";
import { snapshotBody } from "../../../src/sync/log/snapshot.ts";
import { readKeyProof } from "../../../src/sync/keys/key-proof.ts";
import { SYNC_EXAMINER } from "../../../src/sync/maintenance/backup.ts";
import { checkStore } from "../../../src/sync/maintenance/check-store.ts";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import { ProfileError } from "../../../src/sync/sql/check-profile.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { SYNC_STORE } from "../../../src/sync/sql/open-store.ts";
import { mergeTexts, readKeys, readLog, readSnapshot } from "../../../store-contract/read-store.ts";
import { BACKUP_KEY, findBackupKey } from "../../database/backup-sample.ts";
import {
  createSealedAccount,
  keyHeaderOf,
  type SealedAccount,
} from "../../fixtures/sealed-account.ts";
import { createOperation, type OperationOptions } from "../../fixtures/sync-operation.ts";
import { pushTo } from "./device.ts";
import { createPlace, testOnBothStores, type SyncPlace } from "./on-both-stores.ts";

testOnBothStores(
  "sealed operations are merged, compacted, backed up, restored and exported as they are",
  async (place, t) => {
    const store = await place.open();
    const account = createSealedAccount();
    const header = await addKeys(store, account);
    const seal = (sequence: number, payload: Fields, more: OperationOptions = {}) =>
      account.seal({ kind: "patch", entityId: "note/1", sequence, payload, ...more });
    const create = { kind: "create" } as const;
    const onTablet = { deviceId: "tablet" };
    const removed = { entityId: "note/2" };
    const large = seal(6, { text: "x".repeat(32_000) });
    const operations = [
      seal(2, { title: "", text: "" }, create),
      seal(2, { title: "" }, { ...create, ...onTablet, ...removed }),
      seal(3, { title: "a" }),
      seal(4, { title: "b" }, onTablet),
      seal(5, { title: "c" }, onTablet),
      seal(7, {}, { kind: "delete", ...removed }),
    ];
    const push = (to: SqlSyncStore, ...pushed: Operation[]) =>
      pushTo(to, pushed, Date.now, "sealed", header);
    await push(store, ...operations);
    await push(store, large);
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
    assert.equal(await exportToFile(store, exported, 0), 1);
    const owners = [operations[0], operations[4], large];
    assert.deepEqual(JSON.parse(await readFile(exported, "utf8")), {
      schemaVersion: 1,
      exportedAt: "1970-01-01T00:00:00.000Z",
      keys: account.records,
      entities: [{ entityId: large.document.entityId, operations: owners }],
    });
    const snapshot = JSON.parse(await readText(await snapshotBody(store.operations))) as {
      entities: { entityId: string; deleted: boolean; operations: Operation[] }[];
    };
    const shown = new Map(snapshot.entities.map((entity) => [entity.entityId, entity]));
    assert.deepEqual(shown.get(large.document.entityId), {
      entityId: large.document.entityId,
      lifecycleRevision: { deviceId: "phone", sequence: 2 },
      deletedRevision: null,
      deleted: false,
      operations: owners,
    });
    assert.equal(shown.size, 2);

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
    assert.deepEqual(await readKeys(restored), account.records);
    const { receipts } = await push(restored, ...operations);
    assert.ok(receipts.every(({ duplicate }) => duplicate));
  },
);

testOnBothStores("a store of another kind than the profile is not opened", async (place) => {
  const store = await place.open();
  for (const profile of ["habits", "open", "sealed"] as const) await open(place, profile);

  const account = createSealedAccount();
  const header = await addKeys(store, account);
  const sealed = ["note/1", "note/2"].map((entityId, index) =>
    account.seal({ sequence: index + 1, entityId, payload: { text: "" } }),
  );
  await pushTo(store, sealed, Date.now, "sealed", header);
  await open(place, "sealed");
  for (const profile of ["habits", "open"] as const) {
    const reason = `The profile is "${profile}", but all entities of the store are sealed: 2`;
    await assert.rejects(
      open(place, profile),
      isRefused(reason, /^set the profile back to "sealed"; /),
    );
  }

  await pushTo(store, [createOperation({ sequence: 3, entityId: "sealed-box/1", payload: {} })]);
  await open(place, "open");
  const reason = 'The profile is "sealed", but the store has entities in clear text: 1';
  await assert.rejects(open(place, "sealed"), isRefused(reason, /copyEntities/));
});

testOnBothStores(
  "a store of the layout before the list of keys is refused by name",
  async (place) => {
    const store = await place.open();
    const { entityId } = createSealedAccount().seal({ entityId: "note/1" }).document;
    const sealed = createOperation({ entityId, payload: {} });
    await pushTo(store, [sealed], Date.now, "open");
    const reason =
      "The store has sealed entities and no list of keys, as an earlier layout of encryption left it: 1";
    await assert.rejects(open(place, "sealed"), isRefused(reason, /copyEntities/));
    await assert.rejects(open(place, "open"), isRefused(reason, /copyEntities/));
  },
);

type Fields = Readonly<Record<string, unknown>>;

/** Two keys; returns what proves the second. */
async function addKeys(store: SqlSyncStore, account: SealedAccount): Promise<string> {
  const [first] = account.keys;
  account.rotate();
  for (const record of account.records) {
    await store.keys.add(record, readKeyProof(keyHeaderOf(first)));
  }
  return keyHeaderOf(account.keys[1] ?? first);
}

async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(body).text();
}

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

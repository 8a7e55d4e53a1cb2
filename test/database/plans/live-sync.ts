import { join } from "node:path";
import { DAY_MS } from "../../../src/contract/durations.ts";
import { openBackup } from "../../../src/backup/format/open-backup.ts";
import { createBackup } from "../../../src/backup/format/write-backup.ts";
import type { Database } from "../../../src/database/database.ts";
import { isMigrated, readMaker } from "../../../src/database/migrate.ts";
import { bindInstanceKey } from "../../../src/identity/bind-instance-key.ts";
import { EMPTY_LOG_CLOCK } from "../../../src/rules/sync/log-clock.ts";
import { expectDiskSpace } from "../../../src/backup/schedule/expect-disk-space.ts";
import { findProfileError } from "../../../src/sync/sql/check-profile.ts";
import { exportToFile } from "../../../src/sync/log/export-entities.ts";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import { SYNC_EXAMINER } from "../../../src/sync/maintenance/backup.ts";
import { planPurge, purgeTombstones } from "../../../src/sync/maintenance/purge-tombstones.ts";
import { readSyncStatus } from "../../../src/sync/maintenance/read-status.ts";
import { restoreSyncContents } from "../../../src/sync/maintenance/restore.ts";
import {
  migrateSync,
  openSqlSyncStore,
  readSqlSyncStore,
  type SqlSyncStore,
} from "../../../src/sync/sql/open-sql-store.ts";
import { createByteCounter } from "../../../src/sync/sql/stored-bytes.ts";
import { createPulledOffsets, readDeviceLags } from "../../../src/sync/sql/pulled-offsets.ts";
import { readDeviceUse } from "../../../src/sync/sql/sql-sessions.ts";
import { append, readSnapshot } from "../../../store-contract/read-store.ts";
import {
  NOW,
  sampleAccountKey,
  sampleKeyProof,
  sampleOperation,
  sampleOperations,
  sampleSealedOperation,
  sampleSession,
} from "../../../store-contract/samples.ts";
import { SYNC_REALM } from "../../../src/sync/store.ts";
import { BACKUP_KEY, findBackupKey } from "../backup-sample.ts";
import { liveIdentity } from "./live-identity.ts";
import type { StatementRecorder } from "./record-statements.ts";

const WINDOW = { start: NOW, end: NOW + 60_000 };

/** Does everything that is ever done with a sync store; the folder is for its files. */
export async function liveSync(
  database: Database,
  folder: string,
  { record }: StatementRecorder,
): Promise<void> {
  const recorded = record(database);
  const options = { highWaterPath: join(folder, "sync.highwater") };
  await isMigrated(recorded, "sync");
  await migrateSync(recorded);
  await readMaker(recorded);
  const store = await openSqlSyncStore(recorded, options);
  await store.ping();
  await store.probeWrite(NOW);

  await liveLog(store);
  await liveSessions(store);
  await store.transaction(({ identity }) => liveIdentity(identity, "berta"));
  await store.transaction(({ rateLimitCounters }) =>
    rateLimitCounters.take("someone", WINDOW, 1, 2),
  );
  await store.transaction(async ({ log }) => {
    await log.nameHistory("history");
    await log.readHistory();
    await log.beginGeneration();
  });
  const key = { realm: SYNC_REALM, place: join(folder, "instance.key") };
  await bindInstanceKey(recorded, key, "any-store");
  await store.prune(NOW + 1000 * DAY_MS);

  // The database is older than its high-water mark, and so are its sessions.
  store.highWater.write({
    generation: "another",
    headOffset: 1000,
    clock: EMPTY_LOG_CLOCK,
  });
  store.highWater.writeSessionEpoch(1000);
  await readSqlSyncStore(recorded, options);
  await maintain(await openSqlSyncStore(recorded, options), folder, record);
  store.highWater.close();
}

async function liveLog(store: SqlSyncStore): Promise<void> {
  const { operations } = store;
  await append(store, sampleOperations(3));
  await append(store, [
    ...sampleOperations(1),
    sampleOperation(4, { entityId: "note/phone-1" }),
    sampleOperation(5, { entityId: "note/phone-2", kind: "delete" }),
  ]);
  await liveKeys(store);
  await operations.head();
  await operations.page(0, 1);
  await readSnapshot(operations);
  for await (const _ of operations.sealedSnapshot());
}

async function liveKeys(store: SqlSyncStore): Promise<void> {
  await store.keys.add(sampleAccountKey("first"), null);
  await store.keys.add(sampleAccountKey("second", "first"), sampleKeyProof("first"));
  for await (const _ of store.keys.list());
  const operation = sampleSealedOperation(6);
  await append(store, [operation], sampleKeyProof("second"));
}

async function liveSessions(store: SqlSyncStore): Promise<void> {
  await store.transaction(async ({ sessions }) => {
    const session = sampleSession("phone");
    await sessions.open(sampleSession("laptop"));
    await sessions.open({ ...session, family: "an older one" });
    await sessions.open(session);
    await sessions.find(session.family);
    await sessions.renew({ ...session, counter: 1 });
    await sessions.addAccess(session.family, { hash: "token", expiresAt: NOW + DAY_MS });
    await sessions.list(NOW);
    await sessions.nameDevice(session.deviceId, "My phone");
  });
  const pulled = createPulledOffsets(store.database);
  pulled.note(sampleSession("phone").family, 1);
  await pulled.close();
  await readDeviceLags(store.database, NOW);
  await readDeviceUse(store.database, NOW);
  await store.findAccess("token", NOW);
  await store.findBrowserSession("hash", NOW);
  await store.findKnownBrowsers(["hash"], NOW);
  await store.readFailures(["subject"]);
  await store.hasAccount();
  await store.transaction(async ({ browserSessions }) => {
    await browserSessions.touch("hash", NOW);
    await browserSessions.close("hash");
    await browserSessions.list("account", NOW);
    await browserSessions.closeAll("account");
  });
  await store.readUsage(NOW);
  await createByteCounter(store.database)();
  await store.listFamilies(NOW);
  await store.transaction(async ({ streams }) => {
    const stream = { streamId: "stream", deviceId: "phone" };
    const limits = { perDevice: 1, perInstance: 1 };
    await streams.open(stream, { expiresAt: NOW + DAY_MS, now: NOW, limits });
    await streams.renew([stream], NOW + DAY_MS);
    await streams.close(["stream"]);
  });
  await store.transaction(async ({ sessions }) => {
    await sessions.revokeFamily("family-of-phone");
    await sessions.revokeDevice("laptop");
    await sessions.revokeAll();
  });
}

const BACKUP = { product: "1.0.0", now: NOW, instanceKey: null, key: BACKUP_KEY };

/** What a backup has is examined in a scratch store. */
function examinerOf(record: StatementRecorder["record"]): typeof SYNC_EXAMINER {
  return {
    ...SYNC_EXAMINER,
    examine: (contents, statement) => SYNC_EXAMINER.examine(record(contents), statement),
  };
}

async function maintain(
  store: SqlSyncStore,
  folder: string,
  record: StatementRecorder["record"],
): Promise<void> {
  const { database } = store;
  await readSyncStatus(database);
  await findProfileError(database, "sealed");
  await expectDiskSpace(database, SYNC_EXAMINER.format, folder, async () => Infinity);
  await exportToFile(store, join(folder, "export.json"), NOW);
  if (database.dialect === "sqlite") await leaveFreePages(database);
  await compactLog(database);
  await purgeTombstones(store, await planPurge(database, Date.now() + DAY_MS));
  const file = join(folder, "sync.backup");
  await createBackup(database, file, examinerOf(record), BACKUP);
  // The account of the backup is restored only where there is none.
  await database.transaction((tx) => tx.script("DELETE FROM identity_accounts"));
  const backup = await openBackup(file, SYNC_EXAMINER, findBackupKey);
  await restoreSyncContents(store, record(backup.contents));
  await backup.close();
  await store.transaction(async ({ identity, log }) => {
    await log.clear();
    await identity.removeAll();
  });
}

/** Compaction gives them back to the disk. */
async function leaveFreePages(database: Database): Promise<void> {
  await database.transaction((tx) =>
    tx.script("CREATE TABLE filler AS SELECT zeroblob(100000) AS bytes; DROP TABLE filler"),
  );
}

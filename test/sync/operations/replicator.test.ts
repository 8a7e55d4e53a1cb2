/** What Litestream says that it does to a database, done to a store: it could not be run itself. */
import assert from "node:assert/strict";
import { copyFile, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { verifyBackup } from "../../../src/backup/format/open-backup.ts";
import { createBackup } from "../../../src/backup/format/write-backup.ts";
import { SYNC_EXAMINER } from "../../../src/sync/maintenance/backup.ts";
import { NOW, sampleOperation } from "../../../store-contract/samples.ts";
import { BACKUP_KEY, findBackupKey } from "../../database/backup-sample.ts";
import { createPlace } from "./on-both-stores.ts";

/** More than the 1000 pages at which a checkpoint is made. */
const MANY_BYTES = 5_000_000;

test("a program that replicates the write-ahead log misses nothing, and disturbs nothing", async (t) => {
  const place = await createPlace(t, "SQLite");
  const file = join(place.dataDir, "store.db");
  const store = await place.open();
  let sequence = 0;
  const append = async (bytes: number) => {
    const payload = JSON.stringify({ text: "x".repeat(bytes) });
    await store.operations.append([sampleOperation(++sequence, { payload })], NOW);
  };

  const replicator = new DatabaseSync(file, { timeout: 5000 });
  t.after(() => replicator.isOpen && replicator.close());
  replicator.exec(`
    create table _litestream_seq (id integer primary key, seq integer);
    create table _litestream_lock (id integer);
  `);
  /** A transaction that reads, so that no checkpoint of others can begin the log anew. */
  const follow = () => {
    replicator.exec("begin");
    replicator.prepare("select count(*) from _litestream_seq").get();
  };
  await append(10);
  follow();
  const first = await readSalts(file);
  for (let written = 0; written < MANY_BYTES; written += 30_000) await append(30_000);
  assert.deepEqual(await readSalts(file), first, "nothing was cut off that it has not read");
  assert.ok((await stat(`${file}-wal`)).size > MANY_BYTES);

  replicator.exec("rollback");
  const [checkpoint] = replicator.prepare("pragma wal_checkpoint(restart)").all();
  assert.equal(checkpoint?.["busy"], 0);
  replicator.exec("insert or replace into _litestream_seq values (1, 1)");
  follow();
  assert.notDeepEqual(await readSalts(file), first);
  await append(10);
  // The replica ends here: what follows is lost.
  const replica = join(place.folder, "replica.db");
  const lastSeen = sequence;
  replicator.exec("rollback");
  replicator.exec(`vacuum into '${replica}'`);
  await append(10);
  replicator.close();
  await store.close();

  for (const suffix of ["", "-wal", "-shm"]) await rm(`${file}${suffix}`, { force: true });
  await copyFile(replica, file);
  const restored = await place.open();
  assert.equal(restored.wasRolledBack, true, "devices learn that it was rolled back");
  const backup = join(place.folder, "after.backup");
  const options = { product: "1.0.0", now: NOW, instanceKey: null, key: BACKUP_KEY };
  await createBackup(restored.database, backup, SYNC_EXAMINER, options);
  const { counts } = await verifyBackup(backup, SYNC_EXAMINER, findBackupKey);
  assert.equal(counts.sync_operations, lastSeen);
});

/** They change when the log begins anew. https://www.sqlite.org/fileformat2.html#walformat */
async function readSalts(file: string): Promise<Buffer> {
  const log = await open(`${file}-wal`);
  try {
    return (await log.read(Buffer.alloc(8), 0, 8, 16)).buffer;
  } finally {
    await log.close();
  }
}

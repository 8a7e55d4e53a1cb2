/** Pages end at the ends of pushes, also those of a log that was restored, moved by a purge or rolled back. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openBackup } from "../../../src/backup/format/open-backup.ts";
import { createBackup } from "../../../src/backup/format/write-backup.ts";
import { SYNC_EXAMINER } from "../../../src/sync/maintenance/backup.ts";
import { checkStore } from "../../../src/sync/maintenance/check-store.ts";
import { planPurge, purgeTombstones } from "../../../src/sync/maintenance/purge-tombstones.ts";
import { restoreSyncContents } from "../../../src/sync/maintenance/restore.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { BACKUP_KEY, findBackupKey } from "../../database/backup-sample.ts";
import { textsOf } from "../../../store-contract/read-store.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { pushTo } from "./device.ts";
import { testOnBothStores, type SyncPlace } from "./on-both-stores.ts";

/** Pushes so many new notes; returns their ids. */
async function push(store: SqlSyncStore, deviceId: string, size: number): Promise<string[]> {
  const ids = Array.from({ length: size }, (_, index) => `note/${deviceId}-${index}`);
  await pushTo(
    store,
    ids.map((entityId, index) => createOperation({ deviceId, sequence: index + 1, entityId })),
    () => 1000,
  );
  return ids;
}

async function pushSizes(store: SqlSyncStore, sizes: readonly number[]): Promise<string[][]> {
  const pushes: string[][] = [];
  for (const [index, size] of sizes.entries()) pushes.push(await push(store, `d${index}`, size));
  return pushes;
}

/** What a device shows at once: the entities of each page, with those before it that ended inside a push. */
async function readTogether({ operations }: SqlSyncStore, limit: number): Promise<string[][]> {
  const all: string[][] = [];
  let together: string[] = [];
  for (let after = 0; ;) {
    const page = await operations.page(after, limit);
    if (page.count === 0) break;
    for (const text of textsOf(page)) {
      together.push((JSON.parse(text) as { document: { entityId: string } }).document.entityId);
    }
    after = page.lastOffset;
    if (page.endsInside) continue;
    all.push(together);
    together = [];
  }
  return together.length === 0 ? all : [...all, together];
}

async function expectEnds(store: SqlSyncStore, pushes: readonly string[][]): Promise<void> {
  assert.deepEqual(await readTogether(store, 1), pushes);
  const size = pushes.flat().length;
  for (let limit = 2; limit <= size; limit++) {
    const ends = new Set<number>();
    for (const [index] of pushes.entries()) ends.add(pushes.slice(0, index + 1).flat().length);
    let end = 0;
    for (const together of await readTogether(store, limit)) {
      end += together.length;
      assert.ok(ends.has(end), `a page of ${limit} ends after ${end}`);
    }
    assert.equal(end, size);
  }
  const check = await checkStore(store.database);
  assert.equal(check.kind, "sound", JSON.stringify(check));
}

async function backUp(store: SqlSyncStore, path: string): Promise<void> {
  const options = { product: "1", now: 0, instanceKey: null, key: BACKUP_KEY };
  await createBackup(store.database, path, SYNC_EXAMINER, options);
}

async function restore(store: SqlSyncStore, path: string): Promise<void> {
  const backup = await openBackup(path, SYNC_EXAMINER, findBackupKey);
  await restoreSyncContents(store, backup.contents);
  await backup.close();
}

testOnBothStores(
  "pages of a restored log end at pushes, also what is pushed to it",
  async (place) => {
    const store = await place.open();
    const pushes = await pushSizes(store, [3, 1, 4, 2]);
    const path = join(place.folder, "early.backup");
    await backUp(store, path);
    await push(store, "lost", 5);
    await restore(store, path);
    await expectEnds(store, pushes);
    pushes.push(await push(store, "later", 3));
    await expectEnds(store, pushes);
    // A restored log is backed up and restored like any other.
    const later = join(place.folder, "later.backup");
    await backUp(store, later);
    await restore(store, later);
    await expectEnds(store, pushes);
  },
);

testOnBothStores("pages of a purged log end at pushes", async (place) => {
  const store = await place.open();
  const [first = [], second = [], ...others] = await pushSizes(store, [3, 2, 4, 1, 3]);
  const purge = async (entityIds: readonly string[], deviceId: string) => {
    const removals = entityIds.map((entityId, index) =>
      createOperation({ kind: "delete", deviceId, sequence: 50 + index, entityId }),
    );
    await pushTo(store, removals, () => 1000);
    const report = await purgeTombstones(store, await planPurge(store.database, 2000));
    assert.equal(report.removedTombstones, entityIds.length);
  };
  const { headOffset } = await store.operations.head();
  // The first push whole, and one of the second.
  await purge([...first, ...second.slice(0, 1)], "one");
  const left = [second.slice(1), ...others];
  await expectEnds(store, left);
  assert.ok((await store.operations.head()).headOffset > headOffset);
  left.push(await push(store, "later", 2));
  await expectEnds(store, left);
  // The last, so that the log does not end with a push of its own.
  await purge(left.pop() ?? [], "two");
  await expectEnds(store, left);
});

testOnBothStores("pages of a log that was rolled back end at pushes", async (place: SyncPlace) => {
  const store = await place.open();
  const pushes = await pushSizes(store, [3, 1, 2]);
  await store.transaction(({ log }) => log.beginGeneration());
  await expectEnds(store, pushes);
  pushes.push(await push(store, "later", 2));
  await expectEnds(store, pushes);
});

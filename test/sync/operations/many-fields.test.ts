/** An entity with more fields than one row of the store holds: what an operator does with it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { verifyBackup } from "../../../src/backup/format/open-backup.ts";
import { createBackup } from "../../../src/backup/format/write-backup.ts";
import { SYNC_EXAMINER } from "../../../src/sync/maintenance/backup.ts";
import { checkStore } from "../../../src/sync/maintenance/check-store.ts";
import { planPurge, purgeTombstones } from "../../../src/sync/maintenance/purge-tombstones.ts";
import { readSyncStatus } from "../../../src/sync/maintenance/read-status.ts";
import { findProfileError } from "../../../src/sync/sql/check-profile.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { BACKUP_KEY, findBackupKey, packBackup, readSample } from "../../database/backup-sample.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { pushTo } from "./device.ts";
import { createPlace, testOnBothStores } from "./on-both-stores.ts";

const OPTIONS = { product: "1.0.0", now: 0, instanceKey: null, key: BACKUP_KEY };

/** Two entities, one of which has 800 fields. */
async function pushWide(store: SqlSyncStore): Promise<void> {
  const wide = Array.from({ length: 4 }, (_, index) =>
    createOperation({
      kind: index === 0 ? "create" : "patch",
      sequence: index + 1,
      entityId: "note/1",
      payload: Object.fromEntries(
        Array.from({ length: 200 }, (_unused, field) => [`f${index * 200 + field}`, "quoted"]),
      ),
    }),
  );
  const other = createOperation({ sequence: 5, entityId: "note/2", payload: { title: "2" } });
  await pushTo(store, [...wide, other], () => 1000);
}

async function countRows({ database }: SqlSyncStore): Promise<number> {
  const rows = await database.query(
    "SELECT entity_id FROM sync_entities WHERE instance = $instance",
  );
  return rows.length;
}

testOnBothStores("an entity with many fields is one, and goes as a whole", async (place) => {
  const store = await place.open();
  await pushWide(store);
  assert.ok((await countRows(store)) > 200);
  const { entities } = await readSyncStatus(store.database);
  assert.deepEqual(entities, { live: 2, deleted: 0, awaiting: 0 });
  assert.match(
    (await findProfileError(store.database, "sealed"))?.reason ?? "",
    /in clear text: 2$/,
  );
  await pushTo(
    store,
    [createOperation({ kind: "delete", sequence: 9, entityId: "note/1" })],
    () => 2000,
  );
  const plan = await planPurge(store.database, 3000);
  assert.equal(plan.remaining, 1);
  assert.equal((await purgeTombstones(store, plan)).remaining, 1);
  assert.equal(await countRows(store), 1);
});

test("a backup of an entity with many fields is sound, and a forged one is refused", async (t) => {
  const place = await createPlace(t, "SQLite");
  const store = await place.open();
  await pushWide(store);
  assert.equal((await checkStore(store.database)).kind, "sound");
  const path = join(place.folder, "wide.backup");
  const { entities } = await createBackup(store.database, path, SYNC_EXAMINER, OPTIONS);
  assert.deepEqual(entities, { live: 2, deleted: 0, awaiting: 0 });
  const { lines, refuses } = await readSample(path, (file) =>
    verifyBackup(file, SYNC_EXAMINER, findBackupKey),
  );
  const editRow = (test: RegExp, change: (line: string) => string[]) => {
    const at = lines.findIndex((line) => test.test(line));
    assert.ok(at >= 0);
    return packBackup(lines.toSpliced(at, 1, ...change(lines[at] ?? "")));
  };
  const further = /^\["sync_entities","note\/1 \d+"/;
  const first = /^\["sync_entities","note\/1"/;
  await refuses(
    editRow(further, () => []),
    /not what its operations/,
  );
  await refuses(
    editRow(further, (line) => [line.replace("quoted", "other")]),
    /not what its operations/,
  );
  await refuses(
    editRow(further, (line) => [line.replace(/"f(\d+)/, '"g$1')]),
    /in the wrong row|not what its operations/,
  );
  await refuses(
    editRow(first, (line) => [line.replace('"[2,', '"[1,')]),
    /in the wrong row/,
  );
  await refuses(
    editRow(first, () => []),
    /has no state|in the wrong row/,
  );
});

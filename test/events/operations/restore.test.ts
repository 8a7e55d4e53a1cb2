import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { verifyBackup } from "../../../src/backup/format/open-backup.ts";
import { createBackup } from "../../../src/backup/format/write-backup.ts";
import { EVENTS_EXAMINER } from "../../../src/events/maintenance/backup.ts";
import { EVENTS_STORE } from "../../../src/events/sql/open-store.ts";
import { restoreStore } from "../../../src/backup/restore-store.ts";
import { BACKUP_KEY, findBackupKey } from "../../database/backup-sample.ts";
import { testOnBothStores } from "../store/on-both-stores.ts";
import { addAccount } from "../store/samples.ts";

testOnBothStores("a backup replaces a store that is not sound", async (place) => {
  const store = await place.open();
  const accountId = await addAccount(store, "ada");
  const path = join(place.folder, "one.backup");
  const options = { product: "1.0.0", now: 0, instanceKey: null, key: BACKUP_KEY };
  await createBackup(store.database, path, EVENTS_EXAMINER, options);
  await store.database.transaction(async (tx) => {
    await tx.query("DELETE FROM events_counters");
    await tx.query("INSERT INTO events_counters VALUES ($instance, $1, 0, 1)", [accountId]);
  });
  const unsound = createBackup(store.database, `${path}.2`, EVENTS_EXAMINER, options);
  await assert.rejects(unsound, /not valid/);
  await store.close();

  const target = { ...place, readKey: () => BACKUP_KEY };
  const { keptAt } = await restoreStore(EVENTS_STORE, target, path, {
    findKey: findBackupKey,
    confirm: async () => {},
  });
  assert.ok((await stat(keptAt ?? "")).size > 0);
  const restored = await place.open();
  await createBackup(restored.database, `${path}.3`, EVENTS_EXAMINER, options);
  const manifest = await verifyBackup(`${path}.3`, EVENTS_EXAMINER, findBackupKey);
  assert.deepEqual(manifest.usernames, ["ada"]);
});

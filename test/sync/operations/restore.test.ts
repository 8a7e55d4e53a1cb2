import assert from "node:assert/strict";
import { copyFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openInstanceKey } from "../../../src/identity/instance-key.ts";
import { listLockedAccounts } from "../../../src/identity/bind-instance-key.ts";
import { StoreInUseError } from "../../../src/database/lease-store.ts";
import { openSyncStore, SYNC_STORE } from "../../../src/sync/sql/open-store.ts";
import { restoreStore } from "../../../src/backup/restore-store.ts";
import { createAdministration } from "../../../src/sync/maintenance/administration.ts";
import { verifyBackup } from "../../../src/backup/format/open-backup.ts";
import { createBackup } from "../../../src/backup/format/write-backup.ts";
import { SYNC_EXAMINER } from "../../../src/sync/maintenance/backup.ts";
import { SYNC_REALM } from "../../../src/sync/store.ts";
import { readSyncStatus } from "../../../src/sync/maintenance/read-status.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { createDevice, pushTo } from "./device.ts";
import { STORE_KINDS } from "../../database/on-both-stores.ts";
import { createPlace, testOnBothStores, type SyncPlace } from "./on-both-stores.ts";
import { addSyncPasskey } from "../add-passkey.ts";
import { addSyncAccount } from "../add-account.ts";
import { BACKUP_KEY, findBackupKey } from "../../database/backup-sample.ts";

const OPTIONS = { product: "1.0.0", now: 0, instanceKey: null, key: BACKUP_KEY };
const agree = async () => {};

/** With the key of the tests. */
const restore = (
  place: Pick<SyncPlace, "store" | "dataDir">,
  file: string,
  confirm: () => Promise<void> = agree,
) =>
  restoreStore(SYNC_STORE, { ...place, readKey: () => BACKUP_KEY }, file, {
    findKey: findBackupKey,
    confirm,
  });

const note = (deviceId: string, sequence: number) =>
  createOperation({
    deviceId,
    sequence,
    entityId: `note/${deviceId}-${sequence}`,
    payload: { sequence },
  });

async function backUp(place: SyncPlace, name: string): Promise<string> {
  const store = await place.open();
  const path = join(place.folder, name);
  await createBackup(store.database, path, SYNC_EXAMINER, OPTIONS);
  await store.close();
  return path;
}

testOnBothStores(
  "after a restore, devices are told to start anew and push what the backup lacks",
  async (place) => {
    const store = await place.open();
    const [phone, laptop] = [createDevice(store), createDevice(store)];
    await phone.push([note("phone", 1), note("phone", 2)]);
    await laptop.sync(10);
    const path = await backUp(place, "early.backup");
    await phone.push([note("phone", 3)]);
    await laptop.push([note("laptop", 1), note("laptop", 2)]);
    await laptop.sync(10);
    const before = await store.operations.head();
    await store.close();

    const report = await restore(place, path, agree);
    assert.deepEqual(
      [report.replaced.entities.live, report.manifest.entities.live, report.account],
      [5, 2, "none"],
    );
    assert.notEqual(report.head.generation, before.generation);
    // No offset is ever reused.
    assert.equal(report.head.headOffset, before.headOffset);

    const again = await place.open();
    assert.equal(again.wasRolledBack, false);
    const [newPhone, newLaptop] = [phone, laptop].map((device) =>
      Object.assign(createDevice(again), { cursor: device.cursor }),
    );
    assert.ok(newPhone && newLaptop);
    // These devices are new, so they have nothing to push again.
    assert.deepEqual(await newPhone.sync(10), ["generation_changed"]);
    assert.deepEqual(await newLaptop.sync(1), ["generation_changed"]);
    const { receipts } = await pushTo(again, [
      note("phone", 3),
      note("laptop", 1),
      note("laptop", 2),
    ]);
    assert.deepEqual(
      receipts.map(({ duplicate, changed }) => [duplicate, changed]),
      [
        [false, true],
        [false, true],
        [false, true],
      ],
    );
    assert.equal((await readSyncStatus(again.database)).entities.live, 5);
  },
);

testOnBothStores("the replaced contents are kept and can be restored", async (place) => {
  const store = await place.open();
  await pushTo(store, [note("a", 1)]);
  const path = await backUp(place, "early.backup");
  await pushTo(store, [note("a", 2), note("a", 3)]);
  await store.close();
  const { keptAt } = await restore(place, path, agree);
  assert.ok(keptAt !== null);
  if (place.store.startsWith("sqlite:")) {
    await copyFile(keptAt, place.store.slice("sqlite:".length));
    const found = await place.open();
    // Put back by hand: the store is behind its high-water mark, so devices must start anew.
    assert.equal(found.wasRolledBack, true);
    assert.equal((await readSyncStatus(found.database)).entities.live, 3);
  } else {
    const manifest = await verifyBackup(keptAt, SYNC_EXAMINER, findBackupKey);
    assert.equal(manifest.entities.live, 3);
    assert.deepEqual(manifest.authenticity, { kind: "authentic" });
    await restore(place, keptAt, agree);
    assert.equal((await readSyncStatus((await place.open()).database)).entities.live, 3);
  }
});

testOnBothStores("a restore is refused while the store is in use", async (place) => {
  const store = await place.open();
  await pushTo(store, [note("a", 1)]);
  const path = await backUp(place, "one.backup");
  await assert.rejects(restore(place, path, agree), StoreInUseError);
  const second = await place.open();
  await store.close();
  await assert.rejects(restore(place, path, agree), StoreInUseError);
  await second.close();
  await restore(place, path, async () => {
    await assert.rejects(place.open(), StoreInUseError);
  });
});

testOnBothStores(
  "a restore that is declined, or whose file is broken, changes nothing",
  async (place) => {
    const store = await place.open();
    await pushTo(store, [note("a", 1)]);
    const path = await backUp(place, "one.backup");
    await pushTo(store, [note("a", 2)]);
    const before = await readSyncStatus(store.database);
    await store.close();
    const refuse = async () => {
      throw new Error("No");
    };
    await assert.rejects(restore(place, path, refuse), /^Error: No$/);
    await assert.rejects(restore(place, join(place.folder, "none"), agree), /no such file/);
    const again = await place.open();
    assert.deepEqual(await readSyncStatus(again.database), before);
    assert.deepEqual((await readdir(place.folder)).sort(), ["data", "one.backup"]);
  },
);

testOnBothStores(
  "a restore brings back neither an old password nor revoked devices",
  async (place) => {
    const store = await place.open();
    const key = openInstanceKey(join(place.dataDir, "instance.key"));
    const administration = createAdministration(store, key);
    await administration.createAccount("ada", "the first password");
    await pushTo(store, [note("a", 1)]);
    const { id } = await addSyncPasskey(store, key, "https://sync.example.com", Date.now());
    const path = await backUp(place, "old-password.backup");
    await administration.changePassword("the second password");
    const changed = await administration.findAccount();
    assert.ok(changed !== null);
    const { accountId } = changed;
    await store.transaction(({ identity }) => identity.removePasskey(accountId, id));
    await store.close();
    const { account } = await restore(place, path, agree);
    assert.equal(account, "kept");
    const again = await place.open();
    assert.deepEqual(await createAdministration(again, key).findAccount(), changed);
    assert.equal(await again.transaction(({ identity }) => identity.findPasskey(id)), null);
  },
);

for (const from of STORE_KINDS) {
  for (const to of STORE_KINDS) {
    test(`a backup of ${from} is restored into a new store on ${to}`, async (t) => {
      const [source, target] = [await createPlace(t, from), await createPlace(t, to)];
      const key = openInstanceKey(join(source.dataDir, "instance.key"));
      const store = await source.open();
      await addSyncAccount(store, key, { username: "ada", password: "a long enough password" });
      const { id } = await addSyncPasskey(store, key, "https://sync.example.com", Date.now());
      const device = createDevice(store);
      await device.push([
        note("a", 1),
        createOperation({
          deviceId: "a",
          sequence: 2,
          entityId: "note/%F0%9F%8C%B1",
          payload: { title: '🌱 \u0001 \\ "', value: 1e21, nested: { "": [null] } },
        }),
      ]);
      const path = await backUp(source, "move.backup");
      const report = await restore(target, path, agree);
      assert.deepEqual([report.account, report.keptAt], ["restored", null]);
      const moved = await target.open();
      const fresh = createDevice(moved);
      assert.deepEqual(await fresh.sync(1), []);
      assert.deepEqual(fresh.view(), device.view());
      const passkey = await moved.transaction(({ identity }) => identity.findPasskey(id));
      assert.equal(passkey?.username, "ada");
      const locked = (place: string) =>
        listLockedAccounts(moved.database, { realm: SYNC_REALM, place });
      assert.deepEqual(await locked(join(source.dataDir, "instance.key")), []);
      assert.deepEqual(await locked(join(target.dataDir, "other.key")), ["ada"]);
    });
  }
}

test("an old database file that is rolled back is detected, also a second time", async (t) => {
  const place = await createPlace(t, "SQLite");
  const file = place.store.slice("sqlite:".length);
  const copy = join(place.folder, "copy.db");
  const first = await place.open();
  await pushTo(first, [note("a", 1)]);
  await first.close();
  await copyFile(file, copy);
  const generations = new Set<string>();
  for (let round = 0; round < 3; round++) {
    const store = await place.open();
    assert.equal(store.wasRolledBack, round > 0);
    generations.add((await store.operations.head()).generation);
    const device = createDevice(store);
    await device.push([note("a", round + 2)]);
    await store.close();
    // Like an operator who has stopped the server.
    await copyFile(copy, file);
    await rm(`${file}-wal`, { force: true });
    await rm(`${file}-shm`, { force: true });
    const restarted = await place.open();
    assert.equal(restarted.wasRolledBack, true);
    const returning = Object.assign(createDevice(restarted), { cursor: device.cursor });
    assert.deepEqual(await returning.sync(5), ["generation_changed"]);
    generations.add((await restarted.operations.head()).generation);
    await restarted.close();
    await copyFile(copy, file);
  }
  assert.ok(generations.size >= 4);
});

test("machines that share a database do not begin new generations in turn", async (t) => {
  const place = await createPlace(t, "PostgreSQL");
  const second: SyncPlace = { ...place, dataDir: join(place.folder, "second") };
  const store = await place.open();
  await pushTo(store, [note("a", 1)]);
  await (await openSyncStore(second.store, second.dataDir)).close();
  const path = await backUp(place, "one.backup");
  await store.close();
  const { head } = await restore(place, path, agree);
  for (const { dataDir } of [second, place, second]) {
    const opened = await openSyncStore(place.store, dataDir);
    assert.equal(opened.wasRolledBack, false);
    assert.equal((await opened.operations.head()).generation, head.generation);
    await opened.close();
  }
});

/** Backups that a server makes by itself, on both stores and for both services. */
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { takeTaskLease } from "../../src/database/lease.ts";
import { verifyBackup } from "../../src/backup/format/open-backup.ts";
import { readBackupKey } from "../../src/backup/backup-key.ts";
import { openInstanceKey, readKeyRing, replaceKeyRing } from "../../src/identity/instance-key.ts";
import { rotateKeyRing } from "../../src/identity/key-ring.ts";
import { readBackupState } from "../../src/backup/backup-state.ts";
import { backupName, backupPrefix } from "../../src/backup/schedule/backup-name.ts";
import {
  listHeld,
  makeScheduledBackup,
  type BackupJob,
  type BackupResult,
} from "../../src/backup/schedule/make-backup.ts";
import { runBackupInThread } from "../../src/operate/backups/run-in-thread.ts";
import { openEventsStore, EVENTS_STORE } from "../../src/events/sql/open-store.ts";
import type { StoreDescription } from "../../src/backup/store-description.ts";
import { openSyncStore, SYNC_STORE } from "../../src/sync/sql/open-store.ts";
import { LIKE_A_BACKUP } from "../database/backup-sample.ts";
import { createStorePlaces, STORE_KINDS, type StorePlace } from "../database/on-both-stores.ts";
import { S3_BUCKET, serveS3, type S3Server } from "../fixtures/s3-server.ts";
import { createOperation } from "../fixtures/sync-operation.ts";
import { pushTo } from "../sync/operations/device.ts";
import { prepare } from "../events/store/samples.ts";
import { runTrellis } from "./start-trellis.ts";
import { loadStore } from "../../src/operate/load-store.ts";

const NOW = Date.parse("2026-01-31T00:00:07Z");
const DAY_MS = 86_400_000;

const SERVICES = {
  sync: createStorePlaces(async (store, dataDir) => {
    const opened = await openSyncStore(store, dataDir);
    await pushTo(opened, [createOperation({ deviceId: "a", sequence: 1 })]);
    return opened;
  }),
  events: createStorePlaces(async (store, dataDir) => {
    const opened = await openEventsStore(store, dataDir);
    await prepare(opened);
    return opened;
  }),
} as const;

type Service = keyof typeof SERVICES;

interface Scheduled {
  readonly folder: string;
  readonly job: BackupJob;
  make(given?: Partial<BackupJob>, env?: S3Server["env"]): Promise<BackupResult>;
  nameAt(at: number): string;
  verify(path: string): Promise<string>;
}

async function createScheduled(service: Service, place: StorePlace<unknown>): Promise<Scheduled> {
  await place.open();
  const instanceKeyFile = join(place.dataDir, "instance.key");
  openInstanceKey(instanceKeyFile);
  const { examiner }: StoreDescription = service === "sync" ? SYNC_STORE : EVENTS_STORE;
  const key = readBackupKey(instanceKeyFile, service);
  assert.ok(key !== null);
  const folder = join(place.folder, "backups");
  const job = {
    service,
    store: place.store,
    dataDir: place.dataDir,
    instanceKeyFile,
    settings: { every: "day", keep: { daily: 2, weekly: 1, monthly: 1 }, to: folder },
    now: NOW,
  } as const;
  return {
    folder,
    job,
    make: (given = {}, env = {}) => makeScheduledBackup({ ...job, ...given }, { env, loadStore }),
    nameAt: (at) => backupName(backupPrefix(service, key), at),
    async verify(path) {
      const { authenticity } = await verifyBackup(path, examiner, async () => key);
      return authenticity.kind;
    },
  };
}

function expectMade(result: BackupResult) {
  assert.equal(result.kind, "made", JSON.stringify(result));
  return result as Extract<BackupResult, { readonly kind: "made" }>;
}

function expectFailed(result: BackupResult): string {
  assert.equal(result.kind, "failed", JSON.stringify(result));
  return (result as Extract<BackupResult, { readonly kind: "failed" }>).message;
}

for (const service of ["sync", "events"] as const) {
  const { createPlace, testOnBothStores } = SERVICES[service];

  testOnBothStores(
    `${service}: a scheduled backup is authentic, private and the only one of its day`,
    async (place) => {
      const scheduled = await createScheduled(service, place);
      const { record } = expectMade(await scheduled.make());
      const path = join(scheduled.folder, scheduled.nameAt(NOW));
      assert.deepEqual(await readdir(scheduled.folder), [scheduled.nameAt(NOW)]);
      assert.equal(await scheduled.verify(path), "authentic");
      const { size, mode } = await stat(path);
      assert.deepEqual([record.place, record.bytes, mode & 0o777], [path, size, 0o600]);
      assert.equal(record.createdAt, "2026-01-31T00:00:07.000Z");
      if (service === "sync") assert.equal(record.facts["headOffset"], 1);
      const again = await scheduled.make({ now: NOW + DAY_MS - 10_000 });
      assert.equal(again.kind, "current");
      assert.equal("record" in again && again.record.place, path);
      // Who made it has verified it: this process has not.
      assert.equal("record" in again && again.record.verifiedAt, null);
      // The backups of a key that was replaced are this instance's, and follow its rules.
      const { instanceKeyFile } = scheduled.job;
      const ring = readKeyRing(instanceKeyFile);
      assert.ok(ring !== null);
      replaceKeyRing(instanceKeyFile, rotateKeyRing(ring, NOW, NOW));
      const still = await scheduled.make({ now: NOW + DAY_MS - 10_000 });
      assert.equal(still.kind, "current");
      const later = expectMade(await scheduled.make({ now: NOW + 400 * DAY_MS }));
      const last = expectMade(await scheduled.make({ now: NOW + 800 * DAY_MS }));
      assert.deepEqual([later.removed, last.removed], [0, 1]);
      assert.ok(!(await readdir(scheduled.folder)).includes(scheduled.nameAt(NOW)));
    },
  );

  testOnBothStores(`${service}: one process makes it while others look on`, async (place) => {
    const scheduled = await createScheduled(service, place);
    const lease = await takeTaskLease(place.store, `${service} backup`);
    assert.deepEqual(await scheduled.make(), { kind: "busy" });
    await lease?.release();
    const results = await Promise.all([scheduled.make(), scheduled.make(), scheduled.make()]);
    assert.equal(results.filter(({ kind }) => kind === "made").length, 1);
    assert.ok(results.every(({ kind }) => kind !== "failed"));
    assert.equal((await readdir(scheduled.folder)).length, 1);
  });

  test(`${service}: old backups go, and neither files of others nor drafts confuse it`, async (t) => {
    const scheduled = await createScheduled(service, await createPlace(t, "SQLite"));
    await mkdir(scheduled.folder, { mode: 0o700 });
    const others = [
      "mine.backup",
      `x${scheduled.nameAt(NOW)}`,
      "sync-00000000-20200101T000000Z.backup",
    ];
    const draft = `${scheduled.nameAt(NOW - DAY_MS)}.0123456789ab.partial`;
    await mkdir(join(scheduled.folder, `${draft}.0123456789ab.scratch`));
    const old = [1, 2, 3, 40].map((days) => scheduled.nameAt(NOW - days * DAY_MS));
    for (const name of [...others, draft]) await writeFile(join(scheduled.folder, name), "");
    for (const name of old) await writeFile(join(scheduled.folder, name), LIKE_A_BACKUP);
    const { removed, pruneError } = expectMade(await scheduled.make());
    // Of two days, a week and a month, the last: today's, and yesterday's.
    assert.deepEqual([removed, pruneError], [3, null]);
    assert.deepEqual(
      (await readdir(scheduled.folder)).sort(),
      [...others, scheduled.nameAt(NOW), scheduled.nameAt(NOW - DAY_MS)].sort(),
    );
  });

  test(`${service}: what cannot be a backup neither counts as one nor displaces one`, async (t) => {
    const scheduled = await createScheduled(service, await createPlace(t, "SQLite"));
    const settings = { ...scheduled.job.settings, keep: { daily: 2, weekly: 0, monthly: 0 } };
    expectMade(await scheduled.make({ settings }));
    const later = { settings, now: NOW + 2 * DAY_MS };
    const texts: readonly (string | Uint8Array)[] = [
      "",
      "x".repeat(1000),
      LIKE_A_BACKUP.subarray(0, 20),
    ];
    const forged = texts.map((_, index) => scheduled.nameAt(later.now - index * DAY_MS - 1000));
    for (const [index, name] of forged.entries()) {
      await writeFile(join(scheduled.folder, name), texts[index] ?? "");
    }
    const held = await listHeld({ ...scheduled.job, ...later }, { env: {}, loadStore });
    assert.equal(held.newestAt, "2026-01-31T00:00:07.000Z");
    // The file of the same day does not stand for a backup, and those of other days displace none.
    assert.equal(expectMade(await scheduled.make(later)).removed, 0);
    const present = await readdir(scheduled.folder);
    assert.ok(present.includes(scheduled.nameAt(NOW)));
    assert.ok(present.includes(scheduled.nameAt(later.now)));
  });

  test(`${service}: too little space, a file in the way or a lost key fail before anything is written`, async (t) => {
    const place = await createPlace(t, "SQLite");
    const scheduled = await createScheduled(service, place);
    const instanceKeyFile = join(place.dataDir, "instance.key");
    const settings = {
      every: "day",
      keep: { daily: 1, weekly: 1, monthly: 1 },
      to: scheduled.folder,
    } as const;
    const job = { service, ...place, instanceKeyFile, settings, now: NOW };
    const full = await makeScheduledBackup(
      { ...job, store: place.store },
      { env: {}, loadStore, readFreeBytes: async () => 4096 },
    );
    assert.match(expectFailed(full), /too little space on the disk .* 1 MiB are free/);
    assert.deepEqual(await readdir(scheduled.folder), []);
    const file = join(place.folder, "a-file");
    await writeFile(file, "");
    const inTheWay = await scheduled.make({ settings: { ...settings, to: file } });
    assert.match(expectFailed(inTheWay), /Cannot write to ".*a-file": its folder is a file/);
    const withoutKey = await scheduled.make({ instanceKeyFile: join(place.dataDir, "lost.key") });
    assert.match(expectFailed(withoutKey), /There is no instance key at/);
  });

  test(`${service}: a bucket gets the backup, is read back, and is pruned`, async (t) => {
    const place = await createPlace(t, "SQLite");
    const scheduled = await createScheduled(service, place);
    const s3 = await serveS3(t);
    const settings = {
      every: "day",
      keep: { daily: 1, weekly: 0, monthly: 0 },
      to: `s3://${S3_BUCKET}/of/ada`,
    } as const;
    const { record } = expectMade(await scheduled.make({ settings }, s3.env));
    const name = scheduled.nameAt(NOW);
    assert.equal(record.place, `s3://${S3_BUCKET}/of/ada/${name}`);
    const copy = join(place.folder, "copy.backup");
    await writeFile(copy, Buffer.from(await (await s3.read(`of/ada/${name}`)).arrayBuffer()));
    assert.equal(await scheduled.verify(copy), "authentic");
    const again = await scheduled.make({ settings, now: NOW + 1000 }, s3.env);
    assert.equal(again.kind, "current");
    await s3.write("of/ada/theirs.backup", "not ours");
    // An object that is too small is no backup.
    await s3.write(`of/ada/${scheduled.nameAt(NOW + 2 * DAY_MS - 1000)}`, "");
    const later = await scheduled.make({ settings, now: NOW + 2 * DAY_MS }, s3.env);
    assert.deepEqual(expectMade(later).removed, 1);
    assert.equal((await s3.read(`of/ada/${name}`)).status, 404);
    assert.equal((await s3.read("of/ada/theirs.backup")).status, 200);
    // The draft of an upload is gone.
    assert.ok(!(await readdir(place.dataDir)).some((entry) => entry.includes("draft")));
  });
}

test("a bucket that returns other bytes than it got fails the backup and keeps the old ones", async (t) => {
  const scheduled = await createScheduled("sync", await SERVICES.sync.createPlace(t, "SQLite"));
  let isBroken = false;
  const s3 = await serveS3(t, {
    intercept(request, response) {
      const isReading = request.method === "GET" && !request.url?.includes("list-type");
      if (isBroken && isReading) response.writeHead(200).end("other bytes");
      return isBroken && isReading;
    },
  });
  const settings = {
    every: "day",
    keep: { daily: 1, weekly: 0, monthly: 0 },
    to: `s3://${S3_BUCKET}`,
  } as const;
  expectMade(await scheduled.make({ settings }, s3.env));
  isBroken = true;
  const now = NOW + 2 * DAY_MS;
  const message = expectFailed(await scheduled.make({ settings, now }, s3.env));
  assert.match(message, /is not what was sent, so it was removed/);
  assert.equal((await s3.read(scheduled.nameAt(now))).status, 404);
  assert.equal((await s3.read(scheduled.nameAt(NOW))).status, 200);
});

test("a bucket without credentials, or that does not exist, is explained without secrets", async (t) => {
  const scheduled = await createScheduled("sync", await SERVICES.sync.createPlace(t, "SQLite"));
  const s3 = await serveS3(t);
  const settings = {
    every: "day",
    keep: { daily: 1, weekly: 0, monthly: 0 },
    to: "s3://missing-bucket",
  } as const;
  assert.match(expectFailed(await scheduled.make({ settings })), /set AWS_ACCESS_KEY_ID/);
  const message = expectFailed(await scheduled.make({ settings }, s3.env));
  assert.match(message, /there is no such bucket/);
  assert.ok(!message.includes(s3.env["AWS_SECRET_ACCESS_KEY"] ?? ""));
});

test("a thread that is told to stop ends, leaves nothing behind, and the next backup is made", async (t) => {
  const place = await SERVICES.sync.createPlace(t, "SQLite");
  const scheduled = await createScheduled("sync", place);
  const stopping = new AbortController();
  const draft = `${scheduled.nameAt(NOW)}.0123456789ab.partial`;
  await mkdir(scheduled.folder, { recursive: true });
  await writeFile(join(scheduled.folder, draft), "half of it");
  const running = runBackupInThread(scheduled.job, stopping.signal);
  stopping.abort();
  assert.deepEqual(await running, { kind: "failed", message: "The backup was broken off" });
  // There may be no next one: the instance may be removed now.
  assert.deepEqual(await readdir(scheduled.folder), []);
  const next = await runBackupInThread(scheduled.job, new AbortController().signal);
  assert.deepEqual(await readdir(scheduled.folder), [scheduled.nameAt(NOW)], JSON.stringify(next));
});

for (const kind of STORE_KINDS) {
  test(`of two workers one makes the backup when they start, in a thread (${kind})`, async (t) => {
    const place = await SERVICES.sync.createPlace(t, kind);
    const config = join(place.folder, "trellis.config.json");
    const sync = { listen: { port: 0 }, store: place.store, backup: { every: "week" } };
    await writeFile(config, JSON.stringify({ dataDir: place.dataDir, sync }));
    const server = runTrellis(t, ["serve", "--workers", "2", "--config", config]);
    const line = await server.line((text) => text.includes('"event":"backup_'));
    const { event, place: path } = JSON.parse(line) as { event: string; place: string };
    assert.equal(event, "backup_made", line);
    await server.line((text) => text.includes('"event":"ready"'));
    server.child.kill("SIGTERM");
    await server.ended;
    const backups = join(place.folder, "backups");
    assert.deepEqual(
      (await readdir(backups)).map((name) => join(backups, name)),
      [path],
    );
    const { last, scheduled, failure } = await readBackupState(place.dataDir, "sync");
    assert.deepEqual([last?.place, scheduled?.place, failure], [path, path, null]);
    assert.ok((await readFile(path)).length > 0);
  });
}

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { DAY_MS, MINUTE_MS } from "../../contract/durations.ts";
import { changeBackupState, readBackupState, type HeldBackups } from "../backup-state.ts";
import { createBackupSchedule, type BackupNotice } from "./backup-schedule.ts";
import type { BackupJob, BackupResult } from "./make-backup.ts";

const MIDNIGHT = Date.parse("2026-01-31T00:00:00Z");

function recordAt(at: number, place = `/backups/${at}`) {
  const createdAt = new Date(at).toISOString();
  return { createdAt, verifiedAt: createdAt, place, bytes: 1, sha256: "00", facts: {} };
}

const made = ({ now }: BackupJob): BackupResult => ({
  kind: "made",
  record: recordAt(now),
  removed: 0,
  pruneError: null,
});
const failed: BackupResult = { kind: "failed", message: "the disk is full" };

async function createSchedule(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), "trellis-schedule-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const notices: BackupNotice[] = [];
  const made: number[] = [];
  const place = {
    dataDir,
    notices,
    made,
    now: MIDNIGHT,
    look: async (): Promise<HeldBackups> => ({ newestAt: null, futureAt: null }),
    result: null as ((job: BackupJob) => BackupResult | Promise<BackupResult>) | null,
    read: () => readBackupState(dataDir, "sync"),
    kinds: () => notices.map(({ kind }) => kind),
    /** Opens the schedule as another process does, or as a restart does. */
    open: () =>
      createBackupSchedule({
        job: {
          service: "sync",
          store: "sqlite:unused",
          dataDir,
          instanceKeyFile: "unused",
          settings: { every: "day", keep: { daily: 7, weekly: 5, monthly: 12 }, to: "unused" },
        },
        async make(job) {
          made.push(job.now);
          return (place.result ?? (() => assert.fail("nothing was due")))(job);
        },
        look: () => place.look(),
        onNotice: (notice) => notices.push(notice),
        now: () => place.now,
      }),
  };
  return place;
}

test("one backup is made each day, and one that was missed at the next start", async (t) => {
  const place = await createSchedule(t);
  place.result = made;
  const schedule = place.open();
  await schedule.check();
  place.now += DAY_MS - 1;
  await schedule.check();
  assert.equal(place.made.length, 1);
  place.now += 1;
  await schedule.check();
  assert.equal(place.made.length, 2);
  await schedule.close();
  place.now += 10 * DAY_MS + 12 * 60 * MINUTE_MS;
  await schedule.check();
  assert.equal(place.made.length, 2);
  const restarted = place.open();
  await restarted.check();
  await restarted.check();
  assert.equal(place.made.length, 3);
  const { last, scheduled, failure } = await place.read();
  assert.deepEqual([last, scheduled, failure], [recordAt(place.now), recordAt(place.now), null]);
});

test("a failure is told when it begins and when it ends, and is tried again ever more rarely", async (t) => {
  const place = await createSchedule(t);
  place.result = () => failed;
  let schedule = place.open();
  for (let minute = 0; minute < 8; minute++, place.now += MINUTE_MS) {
    await schedule.check();
    // The pauses survive a restart, and other processes keep them.
    if (minute === 4) schedule = place.open();
  }
  assert.deepEqual(
    place.made.map((at) => (at - MIDNIGHT) / MINUTE_MS),
    [0, 1, 3, 7],
  );
  assert.deepEqual(place.kinds(), ["backup-failed"]);
  assert.deepEqual((await place.read()).failure, {
    since: "2026-01-31T00:00:00.000Z",
    lastAt: "2026-01-31T00:07:00.000Z",
    attempts: 4,
    message: "the disk is full",
  });
  place.result = made;
  place.now += 8 * MINUTE_MS;
  await schedule.check();
  assert.deepEqual(place.kinds(), ["backup-failed", "backup-works-again", "backup-made"]);
  assert.equal((await place.read()).failure, null);
});

test("a failure is remembered and told once, also where its file cannot be written", async (t) => {
  const place = await createSchedule(t);
  await rm(place.dataDir, { recursive: true });
  await writeFile(place.dataDir, "a file in the place of the folder");
  place.result = () => failed;
  const schedule = place.open();
  for (let minute = 0; minute < 3; minute++, place.now += MINUTE_MS) await schedule.check();
  assert.deepEqual(place.made, [MIDNIGHT, MIDNIGHT + MINUTE_MS]);
  assert.deepEqual(place.kinds(), ["backup-failed"]);
});

test("a backup that another process makes now is neither a failure nor a success", async (t) => {
  const place = await createSchedule(t);
  place.result = () => ({ kind: "busy" });
  await place.open().check();
  assert.deepEqual(place.notices, []);
  assert.deepEqual(await place.read(), {
    last: null,
    scheduled: null,
    failure: null,
    held: null,
  });
});

test("a backup that another server made is adopted, without losing what is known of it", async (t) => {
  const place = await createSchedule(t);
  const record = { ...recordAt(MIDNIGHT), sha256: null };
  place.result = () => ({ kind: "current", record });
  await place.open().check();
  assert.deepEqual((await place.read()).scheduled, record);
  assert.deepEqual(place.notices, []);
  place.now += DAY_MS;
  place.result = async (job) => {
    // The process that makes the backup is done, and says so, in between.
    await changeBackupState(place.dataDir, "sync", { scheduled: recordAt(job.now) });
    return { kind: "current", record: { ...recordAt(job.now), sha256: null } };
  };
  await place.open().check();
  assert.equal((await place.read()).scheduled?.sha256, "00");
});

test("a newer backup of a command stays the last one", async (t) => {
  const place = await createSchedule(t);
  const byHand = recordAt(MIDNIGHT + MINUTE_MS, "standard output");
  await changeBackupState(place.dataDir, "sync", { last: byHand });
  place.result = made;
  await place.open().check();
  const { last, scheduled } = await place.read();
  assert.deepEqual([last, scheduled], [byHand, recordAt(MIDNIGHT)]);
});

test("a backup of a clock that was ahead is the last one only until the next is made", async (t) => {
  const place = await createSchedule(t);
  place.result = made;
  place.now += 3650 * DAY_MS;
  await place.open().check();
  place.now = MIDNIGHT;
  await place.open().check();
  assert.equal(place.made.length, 2);
  assert.deepEqual((await place.read()).last, recordAt(MIDNIGHT));
});

test("how long backups fail counts from a time that has been", async (t) => {
  const place = await createSchedule(t);
  place.result = () => failed;
  place.now += 3650 * DAY_MS;
  const schedule = place.open();
  await schedule.check();
  place.now = MIDNIGHT;
  await schedule.check();
  const { failure } = await place.read();
  assert.deepEqual([failure?.since, failure?.attempts], ["2026-01-31T00:00:00.000Z", 2]);
});

test("what the destination holds is looked up after each backup and every six hours", async (t) => {
  const place = await createSchedule(t);
  place.result = made;
  const filled = { newestAt: "2026-01-31T00:00:00.000Z", futureAt: null };
  const emptied = { newestAt: null, futureAt: null };
  place.look = async () => filled;
  const schedule = place.open();
  await schedule.check();
  assert.deepEqual((await place.read()).held, filled);
  place.look = async () => emptied;
  place.now += 6 * 60 * MINUTE_MS - 1;
  await schedule.check();
  assert.deepEqual((await place.read()).held, filled);
  place.now += 1;
  await schedule.check();
  assert.deepEqual((await place.read()).held, emptied);
  assert.equal(place.made.length, 1);
});

test("a destination that hangs does not delay the end of the service", async (t) => {
  const place = await createSchedule(t);
  place.result = made;
  const looked = Promise.withResolvers<void>();
  place.look = () => {
    looked.resolve();
    return new Promise(() => {});
  };
  const schedule = place.open();
  const checking = schedule.check();
  await looked.promise;
  await Promise.all([schedule.close(), checking]);
  assert.equal((await place.read()).held, null);
});

test("old backups that cannot be deleted are told, and the new one counts", async (t) => {
  const place = await createSchedule(t);
  place.result = (job) => ({
    kind: "made",
    record: recordAt(job.now),
    removed: 1,
    pruneError: "no permission",
  });
  await place.open().check();
  assert.deepEqual(place.kinds(), ["backup-made", "backup-prune-failed"]);
  assert.notEqual((await place.read()).scheduled, null);
});

test("a service that stops breaks its backup off, and that is no failure", async (t) => {
  const place = await createSchedule(t);
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<BackupResult>();
  place.result = () => {
    begun.resolve();
    return ended.promise;
  };
  const schedule = place.open();
  const checking = schedule.check();
  await begun.promise;
  const closing = schedule.close();
  ended.resolve(failed);
  await Promise.all([checking, closing]);
  assert.deepEqual(place.notices, []);
  assert.equal((await place.read()).failure, null);
});

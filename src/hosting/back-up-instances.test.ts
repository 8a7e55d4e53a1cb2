import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS, HOUR_MS } from "../contract/durations.ts";
import { readBackupState } from "../backup/backup-state.ts";
import type { BackupNotice } from "../backup/schedule/backup-schedule.ts";
import type { BackupJob, BackupResult } from "../backup/schedule/make-backup.ts";
import { checkConfiguration } from "../configuration/configuration.ts";
import { StoreInUseError } from "../database/lease-store.ts";
import { startInstanceBackups } from "./back-up-instances.ts";
import { resolveInstance } from "../configuration/instance.ts";

const MIDNIGHT = Date.parse("2026-01-31T00:00:00Z");

function made({ now, settings }: BackupJob): BackupResult {
  const createdAt = new Date(now).toISOString();
  const record = {
    createdAt,
    verifiedAt: createdAt,
    place: `${settings.to}/${now}`,
    bytes: 1,
    sha256: "00",
    facts: {},
  };
  return { kind: "made", record, removed: 0, pruneError: null };
}

async function createHost(t: TestContext, names: readonly string[]) {
  const dataDir = await mkdtemp(join(tmpdir(), "trellis-backups-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const { sync } = checkConfiguration({ dataDir, sync: { backup: { to: "/b" } } }, "of the test");
  assert.ok(sync !== undefined);
  const host = {
    names: [...names],
    now: MIDNIGHT,
    made: [] as { readonly name: string; readonly at: number }[],
    notices: [] as string[],
    open: 0,
    mostOpen: 0,
    result: made as (job: BackupJob, signal: AbortSignal) => BackupResult | Promise<BackupResult>,
    failOpening: null as Error | null,
    find: (name: string) =>
      host.names.includes(name)
        ? resolveInstance(name, { baseUrl: `https://${name}.example.com` }, sync, dataDir)
        : null,
    stateOf: (name: string) => readBackupState(join(dataDir, "instances", name), "sync"),
    start() {
      const backups = startInstanceBackups({
        listNames: () => host.names,
        find: host.find,
        async openStore() {
          if (host.failOpening !== null) throw host.failOpening;
          host.mostOpen = Math.max(host.mostOpen, ++host.open);
          return {
            async close() {
              host.open--;
            },
          };
        },
        async make(job, signal) {
          const name = job.settings.to.slice("/b/".length);
          host.made.push({ name, at: job.now });
          // The backup takes long enough that another one begins meanwhile.
          await sleep(2);
          return host.result(job, signal);
        },
        look: async () => ({ newestAt: null, futureAt: null }),
        onNotice: (name, { kind }: BackupNotice) => host.notices.push(`${name} ${kind}`),
        now: () => host.now,
      });
      t.after(() => backups.close());
      return backups;
    },
  };
  for (const name of names) {
    await mkdir(join(dataDir, "instances", name), { recursive: true });
    await writeFile(join(dataDir, "instances", name, "instance.key"), "");
  }
  return host;
}

test("each instance has its own moment of the day and its own place, and few are made at once", async (t) => {
  const names = Array.from({ length: 48 }, (_, index) => `person-${index}`);
  const host = await createHost(t, names);
  const backups = host.start();
  await backups.check();
  assert.deepEqual(host.made.map(({ name }) => name).sort(), [...names].sort());
  assert.deepEqual([host.mostOpen, host.open], [2, 0]);
  // The first ones were due at once; from then on they are spread over the day.
  const first = host.made.splice(0).length;
  const byHour: number[] = [];
  for (let hour = 1; hour <= 48; hour++) {
    host.now = MIDNIGHT + hour * HOUR_MS;
    await backups.check();
    if (hour > 24) byHour.push(host.made.length);
    host.made = [];
  }
  assert.equal(first, names.length);
  assert.equal(
    byHour.reduce((sum, count) => sum + count, 0),
    names.length,
  );
  assert.ok(Math.max(...byHour) <= 8, `${Math.max(...byHour)} in one hour`);
  const { last, scheduled } = await host.stateOf("person-7");
  assert.match(last?.place ?? "", /^\/b\/person-7\//);
  assert.equal(scheduled?.place, last?.place);
});

test("in a bucket, each instance has a prefix of its own", () => {
  for (const to of ["s3://bucket/of/backups", "s3://bucket/of/backups/"]) {
    const { sync } = checkConfiguration({ sync: { backup: { to } } }, "of the test");
    assert.ok(sync !== undefined);
    const { backup } = resolveInstance("ada", { baseUrl: "https://a.example" }, sync, "/d").sync;
    assert.equal(backup?.to, "s3://bucket/of/backups/ada");
  }
});

test("a restart keeps the moments, and several processes make one backup", async (t) => {
  const host = await createHost(t, ["ada", "bob"]);
  await host.start().check();
  const [first, second] = [host.start(), host.start()];
  await Promise.all([first.check(), second.check()]);
  assert.equal(host.made.length, 2);
});

test("an instance that was never used has nothing to save, and one that is gone is left alone", async (t) => {
  const host = await createHost(t, ["ada"]);
  host.names.push("unused");
  const backups = host.start();
  await backups.check();
  assert.deepEqual(
    host.made.map(({ name }) => name),
    ["ada"],
  );
  host.names = [];
  host.now += 2 * DAY_MS;
  await backups.check();
  assert.equal(host.made.length, 1);
});

test("an instance that fails is told once and tried again, and the others go on", async (t) => {
  const host = await createHost(t, ["ada", "bob"]);
  host.result = (job) =>
    job.settings.to.endsWith("ada") ? { kind: "failed", message: "the disk is full" } : made(job);
  const backups = host.start();
  await backups.check();
  await backups.check();
  assert.equal(host.made.filter(({ name }) => name === "ada").length, 1);
  host.now += 61_000;
  await backups.check();
  assert.equal(host.made.filter(({ name }) => name === "ada").length, 2);
  assert.deepEqual(host.notices.sort(), ["ada backup-failed", "bob backup-made"]);
  assert.equal((await host.stateOf("ada")).failure?.attempts, 2);
  host.result = made;
  host.now += HOUR_MS;
  await backups.check();
  assert.deepEqual(host.notices.slice(2).sort(), ["ada backup-made", "ada backup-works-again"]);
});

test("a store that is being restored is no failure, and one that cannot be opened is", async (t) => {
  const host = await createHost(t, ["ada"]);
  host.failOpening = new StoreInUseError("sync", "shared");
  const backups = host.start();
  await backups.check();
  assert.deepEqual([host.made, host.notices], [[], []]);
  host.failOpening = new Error("quotes a row");
  await backups.check();
  assert.deepEqual(host.notices, ["ada backup-failed"]);
  const { failure } = await host.stateOf("ada");
  assert.match(failure?.message ?? "", /unexpected error/);
});

test("a command that changes an instance breaks its backup off, and it is made later", async (t) => {
  const host = await createHost(t, ["ada"]);
  host.result = (_job, signal) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve({ kind: "failed", message: "broken off" }));
      isMaking.resolve();
    });
  const isMaking = Promise.withResolvers<void>();
  const backups = host.start();
  const checked = backups.check();
  await isMaking.promise;
  await backups.pause("ada");
  await checked;
  assert.deepEqual([host.open, host.notices], [0, []]);
  host.result = made;
  host.now += 60_000;
  await backups.check();
  assert.equal(host.made.length, 1);
  host.now += 60_000;
  await backups.check();
  assert.equal(host.made.length, 2);
});

test("a clock that is rolled back delays no backup until it is right again", async (t) => {
  const host = await createHost(t, ["ada"]);
  host.now = MIDNIGHT + 365 * DAY_MS;
  const backups = host.start();
  await backups.check();
  host.now = MIDNIGHT;
  await backups.check();
  assert.deepEqual(
    host.made.map(({ at }) => at),
    [MIDNIGHT + 365 * DAY_MS, MIDNIGHT],
  );
});

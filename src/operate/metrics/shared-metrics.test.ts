import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "../../contract/durations.ts";
import type { BackupState } from "../../backup/backup-state.ts";
import { createSharedMetrics } from "./shared-metrics.ts";

const NOW = Date.parse("2026-02-01T00:00:00Z");

async function readBackupMetrics(changes: Partial<BackupState>) {
  const shared = createSharedMetrics(() => NOW);
  const backups = { last: null, scheduled: null, failure: null, held: null, ...changes };
  shared.watchInstances(async () => [{ name: "ada", isSuspended: false, backups, usage: null }]);
  const snapshots = await shared.snapshot();
  const valueOf = (name: string) =>
    snapshots.find((metric) => metric.name === name)?.samples[0]?.value;
  return {
    age: valueOf("trellis_backup_age_seconds"),
    failing: valueOf("trellis_backup_failing_since_seconds"),
  };
}

const timeAt = (at: number) => new Date(at).toISOString();
const held = (newestAt: number | null, futureAt: number | null) => ({
  newestAt: newestAt === null ? null : timeAt(newestAt),
  futureAt: futureAt === null ? null : timeAt(futureAt),
});

test("a clock that was ahead once does not silence the age of the last backup", async () => {
  const ahead = NOW + 3650 * DAY_MS;
  assert.equal((await readBackupMetrics({ held: held(NOW - 3 * DAY_MS, ahead) })).age, 3 * 86_400);
  assert.equal((await readBackupMetrics({ held: held(null, ahead) })).age, -3650 * 86_400);
  assert.equal((await readBackupMetrics({ held: held(null, null) })).age, undefined);
});

test("a monitor sees for how long scheduled backups have failed", async () => {
  assert.equal((await readBackupMetrics({})).failing, 0);
  const since = timeAt(NOW - DAY_MS);
  const failure = { since, lastAt: since, attempts: 3, message: "the disk is full" };
  assert.equal((await readBackupMetrics({ failure })).failing, 86_400);
});

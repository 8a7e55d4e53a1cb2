import assert from "node:assert/strict";
import { test } from "node:test";
import { newestBackupAt, type BackupState } from "./backup-state.ts";

const NOW = Date.parse("2026-02-01T00:00:00Z");
const AHEAD = "2036-02-01T00:00:00.000Z";

function recordAt(createdAt: string, place: string) {
  return { createdAt, verifiedAt: createdAt, place, bytes: 1, sha256: null, facts: {} };
}

function newest(changes: Partial<BackupState>): string | null {
  const state = { last: null, scheduled: null, failure: null, held: null, ...changes };
  const at = newestBackupAt(state, NOW);
  return at === null ? null : new Date(at).toISOString().slice(0, 10);
}

test("the age of a backup counts from what its destination holds, not from what was noted", () => {
  const scheduled = recordAt("2026-01-31T00:00:00Z", "/backups/a");
  const noted = { last: scheduled, scheduled };
  assert.equal(newest({}), null);
  assert.equal(newest(noted), "2026-01-31");
  assert.equal(newest({ ...noted, held: { newestAt: null, futureAt: null } }), null);
  const held = { newestAt: "2026-01-03T00:00:00Z", futureAt: null };
  assert.equal(newest({ ...noted, held }), "2026-01-03");
  const byHand = recordAt("2026-01-20T00:00:00Z", "/elsewhere/b");
  assert.equal(newest({ last: byHand, scheduled, held }), "2026-01-20");
});

test("a clock that was ahead dates a backup only while there is no other", () => {
  const last = recordAt(AHEAD, "/backups/a");
  const held = { newestAt: null, futureAt: AHEAD };
  assert.equal(newest({ last }), "2036-02-01");
  assert.equal(newest({ last, scheduled: last, held }), "2036-02-01");
  const both = { newestAt: "2026-01-30T00:00:00Z", futureAt: AHEAD };
  assert.equal(newest({ last, scheduled: last, held: both }), "2026-01-30");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseStart, createCursor, readSyncState, stateAfter } from "./sync-state.ts";

const ORIGIN = "https://planner.example.org";
const NOW = Date.UTC(2026, 7, 21);
const DAY = 86_400_000;
const cursor = "2026-08-20T00:00:00.000Z";
const state = { origin: ORIGIN, cursor, fullSyncAt: NOW - DAY, resume: null };
const resume = {
  mode: "full",
  updatedSince: "2026-05-01T00:00:00Z",
  nextCursor: cursor,
  startedAt: NOW - DAY,
} as const;

test("a state survives being stored as JSON", () => {
  const full = { ...state, resume };
  assert.deepEqual(readSyncState(JSON.parse(JSON.stringify(full)), ORIGIN), full);
});

test("what is not a state of this service is the state before the first sync", () => {
  const none = { origin: ORIGIN, cursor: null, fullSyncAt: null, resume: null };
  for (const value of [
    null,
    undefined,
    "state",
    {},
    { ...state, origin: "https://other.example.org" },
    { origin: ORIGIN, cursor: "yesterday", fullSyncAt: "now", resume: [] },
    { origin: ORIGIN, resume: { ...resume, mode: "half" } },
    { origin: ORIGIN, resume: { ...resume, updatedSince: null } },
    { origin: ORIGIN, resume: { ...resume, nextCursor: null } },
    { origin: ORIGIN, resume: { ...resume, startedAt: Number.NaN } },
  ]) {
    assert.deepEqual(readSyncState(value, ORIGIN), none);
  }
});

test("everything is read first, then what changed, and everything again after a week", () => {
  const modeAt = (now: number, value = state) => chooseStart(value, now, false).mode;
  assert.equal(chooseStart({ ...state, cursor: null }, NOW, false).mode, "full");
  assert.equal(chooseStart({ ...state, fullSyncAt: null as never }, NOW, false).mode, "full");
  assert.equal(modeAt(NOW), "incremental");
  assert.equal(modeAt(NOW + 6 * DAY - 1), "incremental");
  assert.equal(modeAt(NOW + 6 * DAY), "full");
  // The device's clock was set back.
  assert.equal(modeAt(NOW - 2 * DAY), "full");
  assert.equal(chooseStart(state, NOW, true).mode, "full");
});

test("a sync that was interrupted goes on, unless it is stale or everything is wanted", () => {
  const interrupted = { ...state, resume };
  assert.equal(chooseStart(interrupted, NOW, false), resume);
  assert.equal(chooseStart(interrupted, NOW + 6 * DAY, false).updatedSince, "1970-01-01T00:00:00Z");
  assert.equal(chooseStart(interrupted, NOW, true).updatedSince, "1970-01-01T00:00:00Z");
});

test("a sync without a clock of the service keeps the cursor, a full one has none", () => {
  const done = { updatedSince: cursor, nextCursor: null, startedAt: NOW };
  assert.deepEqual(stateAfter(state, { ...done, mode: "incremental" }), state);
  assert.deepEqual(stateAfter(state, { ...done, mode: "full" }), {
    ...state,
    cursor: null,
    fullSyncAt: NOW,
  });
});

test("the cursor is the service's clock five minutes ago", () => {
  const header = "Fri, 21 Aug 2026 10:00:00 GMT";
  assert.equal(createCursor(NOW, header), "2026-08-20T23:55:00.000Z");
  assert.equal(createCursor(null, header), "2026-08-21T09:55:00.000Z");
  assert.equal(createCursor(null, null), null);
  assert.equal(createCursor(null, "soon"), null);
  assert.equal(createCursor(1000, null), "1970-01-01T00:00:00.000Z");
});

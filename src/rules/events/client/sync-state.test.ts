import assert from "node:assert/strict";
import { test } from "node:test";
import { extraStep, plainStep, type NextStep } from "./plan-sync.ts";
import {
  chooseStart,
  progressAfter,
  readSyncState,
  stateAfterAll,
  stateAfterFailure,
  stateAfterPart,
  type EventsSyncState,
} from "./sync-state.ts";

const ORIGIN = "https://planner.example.org";
const NOW = Date.UTC(2026, 7, 21);
const DAY = 86_400_000;
const cursor = "2026-08-20T00:00:00.000Z";
const resume = {
  mode: "full",
  updatedSince: "2026-05-01T00:00:00Z",
  nextCursor: cursor,
  startedAt: NOW - DAY,
} as const;
const plain: EventsSyncState = {
  origin: ORIGIN,
  cursor,
  fullSyncAt: NOW - DAY,
  extras: [],
  resume: null,
};
const ours: EventsSyncState = { ...plain, extras: ["deletions", "pages", "server_time"] };
const none = { origin: ORIGIN, cursor: null, fullSyncAt: null, extras: [], resume: null };

test("a state survives being stored as JSON", () => {
  const full = { ...ours, resume: { ...resume, updatedSince: "20260501T020000+0200" } };
  assert.deepEqual(readSyncState(JSON.parse(JSON.stringify(full)), ORIGIN), full);
});

test("what is not a state of this service is the state before the first sync", () => {
  for (const value of [
    null,
    undefined,
    "state",
    {},
    { ...plain, origin: "https://other.example.org" },
    { origin: ORIGIN, cursor: "yesterday", fullSyncAt: "now", extras: "pages", resume: [] },
    { origin: ORIGIN, resume: { ...resume, mode: "half" } },
    { origin: ORIGIN, resume: { ...resume, updatedSince: null } },
    { origin: ORIGIN, resume: { ...resume, nextCursor: null } },
    { origin: ORIGIN, resume: { ...resume, startedAt: Number.NaN } },
  ]) {
    assert.deepEqual(readSyncState(value, ORIGIN), none);
  }
});

test("a state that was stored before services announced extras goes on plainly", () => {
  const { extras: _, ...former } = { ...plain, resume };
  const read = readSyncState(former, ORIGIN);
  assert.deepEqual(read, { ...plain, resume });
  assert.deepEqual(chooseStart(read, NOW, false).first, plainStep(cursor, true));
});

test("everything is read first, then what changed, and everything again after a week", () => {
  const modeAt = (now: number, value = plain) => chooseStart(value, now, false).mode;
  assert.equal(modeAt(NOW, { ...plain, cursor: null }), "full");
  assert.equal(modeAt(NOW, { ...plain, fullSyncAt: null }), "full");
  assert.equal(modeAt(NOW), "incremental");
  assert.equal(modeAt(NOW + 6 * DAY - 1), "incremental");
  assert.equal(modeAt(NOW + 6 * DAY), "full");
  // The device's clock was set back.
  assert.equal(modeAt(NOW - 2 * DAY), "full");
  assert.equal(chooseStart(plain, NOW, true).mode, "full");
});

test("a full sync begins plainly, whatever was announced before", () => {
  for (const state of [none, plain, ours, { ...ours, resume }]) {
    const start = chooseStart(state, NOW, true);
    assert.deepEqual(start.first, plainStep(null, true));
    assert.deepEqual(start.plain, plainStep(null, false));
  }
});

test("an incremental sync asks for deletions only where they were announced", () => {
  const { first, plain: instead } = chooseStart(ours, NOW, false);
  assert.deepEqual(first, extraStep(cursor, true));
  assert.deepEqual(instead, plainStep(cursor, false));
  const pagesOnly = chooseStart({ ...plain, extras: ["pages"] }, NOW, false);
  assert.deepEqual(pagesOnly.first, plainStep(cursor, true));
});

test("a sync that was interrupted goes on, unless it is stale or everything is wanted", () => {
  const interrupted = { ...ours, resume };
  const start = chooseStart(interrupted, NOW, false);
  assert.deepEqual([start.isResumed, start.mode], [true, "full"]);
  assert.deepEqual(start.first, extraStep(resume.updatedSince, true));
  assert.deepEqual(start.plain, plainStep(null, false));
  assert.equal(chooseStart(interrupted, NOW + 6 * DAY, false).isResumed, false);
  assert.equal(chooseStart(interrupted, NOW, true).isResumed, false);
});

test("an interrupted sync does not go on at a service that has no pages any more", () => {
  const start = chooseStart({ ...plain, resume }, NOW, false);
  assert.deepEqual(start.first, plainStep(cursor, true));
});

const page = { extras: ours.extras, serverTime: null, dateHeader: null };
const last: NextStep = { kind: "done" };
const next: NextStep = { kind: "next-page", step: extraStep(cursor, true), from: cursor };

test("the cursor is the time of the first response, or of the start of the sync, less five minutes", () => {
  const dateHeader = "Fri, 21 Aug 2026 10:00:00 GMT";
  const { progress } = chooseStart(none, NOW, false);
  for (const [changes, expected] of [
    [{ serverTime: NOW, dateHeader }, "2026-08-20T23:55:00.000Z"],
    [{ dateHeader }, "2026-08-21T09:55:00.000Z"],
    [{}, "2026-08-20T23:58:20.000Z"],
    [{ dateHeader: "soon" }, "2026-08-20T23:58:20.000Z"],
    [{ dateHeader: "2" }, "2026-08-20T23:58:20.000Z"],
    [{ dateHeader: "Fri Aug 21 10:00:00 2026" }, "2026-08-20T23:58:20.000Z"],
    [{ dateHeader: "Fri, 21 Aug 2026 12:00:00 +0200" }, "2026-08-20T23:58:20.000Z"],
    [{ serverTime: 1000 }, "1970-01-01T00:00:00.000Z"],
  ] as const) {
    const startedAt = NOW + 200_000;
    const first = progressAfter(progress, { ...page, ...changes }, startedAt, last);
    assert.equal(first.nextCursor, expected);
    const second = progressAfter(first, { ...page, serverTime: NOW + DAY }, startedAt, last);
    assert.equal(second.nextCursor, expected);
  }
});

const done = { extras: ours.extras, nextCursor: "2026-08-20T23:00:00.000Z", resumeAt: cursor };

test("a complete sync moves the cursor, and a full one its time", () => {
  const incremental = chooseStart({ ...plain, resume }, NOW, false);
  const after = { ...ours, cursor: done.nextCursor };
  assert.deepEqual(stateAfterAll({ ...plain, resume }, incremental, done), after);
  const full = chooseStart(none, NOW, false);
  assert.deepEqual(stateAfterAll(plain, full, done), { ...after, fullSyncAt: NOW });
});

test("a sync that may have missed something keeps the cursor of the last complete one", () => {
  const part = { ...done, resumeAt: null };
  const full = chooseStart(plain, NOW, true);
  assert.deepEqual(stateAfterPart(plain, full, part), { ...ours, fullSyncAt: NOW });
  const incremental = chooseStart(plain, NOW, false);
  assert.deepEqual(stateAfterPart(plain, incremental, part), ours);
});

test("a sync that fails after a page is resumed there, one that fails at once is not", () => {
  const start = chooseStart(plain, NOW, true);
  assert.deepEqual(stateAfterFailure(plain, start, start.progress), plain);
  const reached = progressAfter(start.progress, { ...page, serverTime: NOW }, NOW, next);
  assert.deepEqual(stateAfterFailure(plain, start, reached), {
    ...ours,
    resume: {
      mode: "full",
      updatedSince: cursor,
      nextCursor: "2026-08-20T23:55:00.000Z",
      startedAt: NOW,
    },
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  FIRST_CHANGE,
  firstStep,
  MAX_LIMIT,
  PAGE_LIMIT,
  stepAfter,
  stepAfterRejection,
  type NextStep,
  type SyncStep,
} from "./plan-sync.ts";

const LATER = "2026-08-21T10:00:00.000Z";

function after(
  step: SyncStep,
  count: number,
  hasMore: boolean | null = null,
  nextUpdatedSince: string | null = null,
): NextStep {
  const entries = Array.from({ length: count }, () => ({ kind: "deleted", id: "e" }) as const);
  return stepAfter(step, { entries, hasMore, nextUpdatedSince, serverTime: null });
}

const full = firstStep("full", FIRST_CHANGE);
const incremental = firstStep("incremental", "2026-08-20T10:00:00Z");

function stepOf(next: NextStep | null): SyncStep {
  assert.ok(next !== null && "step" in next);
  return next.step;
}

test("a service with extensions is paged from the cursor that it returns", () => {
  const next = after(full, PAGE_LIMIT, true, LATER);
  assert.deepEqual(next, { kind: "next-page", step: firstStep("full", LATER), from: LATER });
  assert.deepEqual(after(stepOf(next), 3, false, LATER), { kind: "done" });
});

test("a short page is not the last one when the service says that there is more", () => {
  assert.equal(after(full, 7, true, LATER).kind, "next-page");
});

test("a full sync of a service without extensions asks as the contract says", () => {
  assert.deepEqual(after(full, 3), {
    kind: "retry",
    step: {
      mode: "full",
      query: { limit: PAGE_LIMIT, updatedSince: null, includeDeleted: false },
      smallerCount: null,
    },
  });
});

test("the limit is doubled while the page is full", () => {
  const plain = stepOf(after(full, PAGE_LIMIT));
  const doubled = stepOf(after(plain, PAGE_LIMIT));
  assert.equal(doubled.query.limit, 2 * PAGE_LIMIT);
  assert.equal(doubled.query.updatedSince, null);
  assert.equal(stepOf(after(doubled, 2 * PAGE_LIMIT)).query.limit, 4 * PAGE_LIMIT);
  assert.deepEqual(after(doubled, PAGE_LIMIT + 1), { kind: "done" });
  assert.deepEqual(after(incremental, PAGE_LIMIT - 1), { kind: "done" });
  assert.equal(stepOf(after(incremental, PAGE_LIMIT)).query.limit, 2 * PAGE_LIMIT);
});

test("a doubled limit that brings no more, or is refused, is the service's own limit", () => {
  const doubled = stepOf(after(incremental, PAGE_LIMIT));
  assert.deepEqual(after(doubled, PAGE_LIMIT), { kind: "limited" });
  assert.deepEqual(after(doubled, PAGE_LIMIT - 1), { kind: "limited" });
  assert.deepEqual(stepAfterRejection(doubled), { kind: "limited" });
});

test("no limit is doubled for ever", () => {
  let step = incremental;
  for (;;) {
    const next = after(step, step.query.limit);
    if (next.kind === "limited") break;
    step = stepOf(next);
  }
  assert.equal(step.query.limit, MAX_LIMIT);
});

test("more changes of one moment than a page holds are asked for with a larger page", () => {
  const stuck = after(incremental, PAGE_LIMIT, true, "2026-08-20T10:00:00Z");
  assert.equal(stuck.kind, "retry");
  assert.equal(stepOf(stuck).query.limit, 2 * PAGE_LIMIT);
  const past = after(stepOf(stuck), 2 * PAGE_LIMIT, true, LATER);
  assert.deepEqual(past, { kind: "next-page", step: firstStep("incremental", LATER), from: LATER });
  assert.deepEqual(after(stepOf(stuck), PAGE_LIMIT, true, "2026-08-20T10:00:00Z"), {
    kind: "limited",
  });
});

test("a service that pages backwards or says not from where is not followed", () => {
  for (const next of ["2026-08-19T10:00:00Z", null]) {
    const step = stepOf(after(incremental, PAGE_LIMIT, true, next));
    assert.equal(step.query.updatedSince, incremental.query.updatedSince);
  }
});

test("stamps finer than a millisecond are followed", () => {
  const next = "2026-08-20T10:00:00.000001Z";
  assert.equal(after(incremental, PAGE_LIMIT, true, next).kind, "next-page");
});

test("a rejected query is sent once more without extensions", () => {
  const plainFull = stepOf(stepAfterRejection(full));
  assert.deepEqual(plainFull.query, {
    limit: PAGE_LIMIT,
    updatedSince: null,
    includeDeleted: false,
  });
  const plain = stepOf(stepAfterRejection(incremental));
  assert.deepEqual(plain.query, { ...incremental.query, includeDeleted: false });
  assert.equal(stepAfterRejection(plain), null);
});

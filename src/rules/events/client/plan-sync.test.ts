import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventsExtra } from "../../../contract/events/values.ts";
import { extraStep, PAGE_LIMIT, plainStep, stepAfter, type SyncStep } from "./plan-sync.ts";

const SINCE = "2026-08-20T10:00:00Z";
const LATER = "2026-08-21T10:00:00.000Z";

interface Paging {
  readonly hasMore: boolean | null;
  readonly next?: string | null;
  readonly extras?: readonly EventsExtra[];
}

function after(step: SyncStep, count: number, { hasMore, next = null, extras = [] }: Paging) {
  const entries = Array.from({ length: count }, () => ({ kind: "deleted", id: "e" }) as const);
  return stepAfter(step, { entries, extras, hasMore, nextUpdatedSince: next, serverTime: null });
}

const full = plainStep(null, true);
const incremental = plainStep(SINCE, true);
const paged = { hasMore: true, next: LATER } as const;

test("a page of a service without pages is complete unless it is full", () => {
  for (const step of [full, incremental, extraStep(SINCE, true)]) {
    assert.deepEqual(after(step, PAGE_LIMIT - 1, { hasMore: null }), { kind: "done" });
    for (const count of [PAGE_LIMIT, PAGE_LIMIT + 1]) {
      assert.deepEqual(after(step, count, { hasMore: null }), { kind: "may-have-more" });
    }
  }
});

test("a service that announced pages is followed until it says that there is no more", () => {
  const next = after(full, PAGE_LIMIT, paged);
  assert.deepEqual(next, { kind: "next-page", step: extraStep(LATER, false), from: LATER });
  assert.equal(after(incremental, 7, paged).kind, "next-page");
  assert.deepEqual(after(full, PAGE_LIMIT, { hasMore: false, next: LATER }), { kind: "done" });
});

test("a page is asked for with deletions only if those were announced too", () => {
  const next = after(full, PAGE_LIMIT, { ...paged, extras: ["deletions"] });
  assert.deepEqual(next, { kind: "next-page", step: extraStep(LATER, true), from: LATER });
});

test("after a refusal no page is followed, and what is missing is told", () => {
  for (const since of [null, SINCE]) {
    const step = plainStep(since, false);
    assert.deepEqual(after(step, PAGE_LIMIT, paged), { kind: "may-have-more" });
    assert.deepEqual(after(step, 3, { hasMore: false }), { kind: "done" });
    assert.deepEqual(after(step, 3, { hasMore: null }), { kind: "done" });
  }
});

test("a service that pages in circles, backwards or says not from where is not followed", () => {
  for (const next of [SINCE, "2026-08-19T10:00:00Z", null]) {
    assert.deepEqual(after(incremental, PAGE_LIMIT, { hasMore: true, next }), {
      kind: "may-have-more",
    });
  }
});

test("stamps are compared as moments, in any form of ISO 8601", () => {
  const step = plainStep("2026-08-20T12:00:00+0200", true);
  const kindOf = (next: string) => after(step, 1, { hasMore: true, next }).kind;
  assert.equal(kindOf("2026-08-20T12:00:01+0200"), "next-page");
  assert.equal(kindOf("2026-08-20T11:00:00+0200"), "may-have-more");
});

test("stamps finer than a millisecond are followed", () => {
  const next = "2026-08-20T10:00:00.000001Z";
  assert.equal(after(incremental, PAGE_LIMIT, { hasMore: true, next }).kind, "next-page");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { REFRESH_GRACE_SECONDS } from "../../contract/sync/values.ts";
import { checkRefresh } from "./refresh-token.ts";

const ROTATED_AT = 1_000_000;
const STATE = {
  counter: 5,
  rotatedAt: ROTATED_AT,
  idleExpiresAt: ROTATED_AT + 10_000_000,
  absoluteExpiresAt: ROTATED_AT + 20_000_000,
};
const GRACE_MS = REFRESH_GRACE_SECONDS * 1000;

test("a refresh token is judged by its place in the family", () => {
  const check = (counter: number, afterMs = 0) =>
    checkRefresh({ counter }, STATE, ROTATED_AT + afterMs);
  assert.equal(check(5), "rotate");
  assert.equal(check(4, GRACE_MS), "repeat");
  assert.equal(check(4, GRACE_MS + 1), "reuse");
  assert.equal(check(3), "reuse");
  for (const counter of [6, 7, 2 ** 32 - 1]) assert.equal(check(counter), "ahead");
  for (const counter of [3, 4, 5, 6]) assert.equal(check(counter, 10_000_000), "expired");
});

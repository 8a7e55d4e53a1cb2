import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryRateLimiter } from "./rate-limit.ts";

test("exactly the allowed number passes, and the others get a time to wait", async () => {
  const limiter = createMemoryRateLimiter({ requests: 3, windowSeconds: 60 });
  const results = await Promise.all(Array.from({ length: 5 }, () => limiter.consume("a")));
  assert.equal(results.filter(({ kind }) => kind === "allowed").length, 3);
  for (const result of results) {
    if (result.kind === "allowed") continue;
    assert.ok(Number.isInteger(result.retryAfterSeconds));
    assert.ok(result.retryAfterSeconds >= 1 && result.retryAfterSeconds <= 60);
  }
});

test("one client's requests do not count for another", async () => {
  const limiter = createMemoryRateLimiter({ requests: 1, windowSeconds: 60 });
  assert.deepEqual(await limiter.consume("a"), { kind: "allowed" });
  assert.deepEqual(await limiter.consume("b"), { kind: "allowed" });
  assert.equal((await limiter.consume("a")).kind, "limited");
  assert.deepEqual(await limiter.consume("__proto__"), { kind: "allowed" });
  assert.deepEqual(await limiter.consume(""), { kind: "allowed" });
});

test("a client passes again after the window, and is told whole seconds that last until then", async (t) => {
  t.mock.timers.enable({ apis: ["Date", "setTimeout"] });
  const limiter = createMemoryRateLimiter({ requests: 1, windowSeconds: 2 });
  await limiter.consume("a");
  for (const [passedMs, retryAfterSeconds] of [
    [500, 2],
    [1400, 1],
  ] as const) {
    t.mock.timers.tick(passedMs);
    assert.deepEqual(await limiter.consume("a"), { kind: "limited", retryAfterSeconds });
  }
  t.mock.timers.tick(101);
  assert.deepEqual(await limiter.consume("a"), { kind: "allowed" });
});

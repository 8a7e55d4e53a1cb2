import assert from "node:assert/strict";
import { test } from "node:test";
import { createServerGuard } from "./server-guard.ts";

function createGuarded() {
  const listeners = new Set<() => void>();
  const guard = createServerGuard((onChange) => {
    listeners.add(onChange);
    return () => listeners.delete(onChange);
  });
  return { guard, change: () => listeners.forEach((listener) => listener()), listeners };
}

test("a store is kept until its check has succeeded, and not before another server was found", async () => {
  const { guard, change } = createGuarded();
  const checked = Promise.withResolvers<void>();
  guard.onChange(() => checked.promise);
  assert.equal(guard.pending(), null);
  change();
  const pending = guard.pending();
  assert.notEqual(pending, null);
  checked.resolve();
  await pending;
  assert.equal(guard.pending(), null);
});

test("a server that is found during a check is checked too", async () => {
  const { guard, change } = createGuarded();
  let checks = 0;
  guard.onChange(async () => {
    if (++checks === 1) change();
  });
  change();
  await guard.pending();
  assert.equal(checks, 2);
  assert.equal(guard.pending(), null);
});

test("a server that is found while a store is opened is checked as soon as it can be", async () => {
  const { guard, change } = createGuarded();
  change();
  assert.equal(guard.pending(), null);
  let checks = 0;
  guard.onChange(async () => void checks++);
  await guard.pending();
  assert.equal(checks, 1);
});

test("a check that failed is tried again by the next who asks", async () => {
  const { guard, change } = createGuarded();
  let isAway = true;
  guard.onChange(async () => {
    if (isAway) throw new Error("it is away");
  });
  change();
  await assert.rejects(guard.pending() ?? Promise.resolve(), /it is away/);
  isAway = false;
  await guard.pending();
  assert.equal(guard.pending(), null);
});

test("a closed guard watches no more, and one without checks keeps none", () => {
  const { guard, change, listeners } = createGuarded();
  change();
  assert.equal(guard.pending(), null);
  guard.close();
  assert.equal(listeners.size, 0);
});

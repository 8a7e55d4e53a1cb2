import assert from "node:assert/strict";
import { test } from "node:test";
import { createBoundedCache } from "./bounded-cache.ts";

test("a full cache evicts the entry that was used least recently", () => {
  const cache = createBoundedCache<string, number>(2);
  cache.set("a", 1);
  cache.set("b", 2);
  assert.equal(cache.get("a"), 1);
  cache.set("c", 3);
  assert.equal(cache.get("b"), undefined);
  assert.equal(cache.get("a"), 1);
  assert.equal(cache.get("c"), 3);
});

test("setting a key again replaces its value and evicts nothing", () => {
  const cache = createBoundedCache<string, number>(2);
  cache.set("a", 1);
  cache.set("b", 2);
  cache.set("b", 3);
  assert.equal(cache.get("a"), 1);
  assert.equal(cache.get("b"), 3);
});

test("a value is created for a key that is not there, and kept", () => {
  const cache = createBoundedCache<string, number>(2);
  assert.equal(
    cache.getOrCreate("a", () => 1),
    1,
  );
  assert.equal(
    cache.getOrCreate("a", () => 2),
    1,
  );
  assert.equal(cache.get("a"), 1);
});

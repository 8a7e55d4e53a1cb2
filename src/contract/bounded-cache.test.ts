import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
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

test("a cache holds what was used last, in any order of use", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(9))), (uses) => {
      const cache = createBoundedCache<number, number>(4);
      const lastUsed: number[] = [];
      for (const [index, [isSet, key]] of uses.entries()) {
        const isHeld = lastUsed.slice(-4).includes(key);
        if (isSet) cache.set(key, index);
        else assert.equal(cache.get(key) !== undefined, isHeld);
        if (!isSet && !isHeld) continue;
        if (lastUsed.includes(key)) lastUsed.splice(lastUsed.indexOf(key), 1);
        lastUsed.push(key);
      }
    }),
  );
});

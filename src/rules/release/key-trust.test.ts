import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addRevocations, judgeKeys, revokes, type Revocations } from "./key-trust.ts";

const KEYS = ["a", "b", "c", "d"];

const anyRevocations: fc.Arbitrary<Revocations> = fc.dictionary(
  fc.constantFrom(...KEYS, "unpinned"),
  fc.subarray(KEYS),
);

test("without revocations every key is trusted", () => {
  assert.deepEqual([...judgeKeys(["a", "b"], {}).values()], ["trusted", "trusted"]);
});

test("names of members that every object has revoke nothing", () => {
  assert.equal(revokes({}, "constructor", "a"), false);
  assert.deepEqual([...judgeKeys(["a", "toString"], {}).values()], ["trusted", "trusted"]);
});

test("a standing follows from those of the revokers, and no circle supports itself", () => {
  fc.assert(
    fc.property(anyRevocations, fc.subarray(KEYS, { minLength: 1 }), (revocations, pinned) => {
      const standings = judgeKeys(pinned, revocations);
      for (const key of pinned) {
        const revokers = pinned
          .filter((revoker) => revokes(revocations, revoker, key))
          .map((revoker) => standings.get(revoker));
        const expected = revokers.includes("trusted")
          ? "revoked"
          : revokers.every((standing) => standing === "revoked")
            ? "trusted"
            : "contested";
        assert.equal(standings.get(key), expected);
        for (const other of pinned) {
          const isMutual = revokes(revocations, key, other) && revokes(revocations, other, key);
          // Only a key outside the two can be the reason to trust one of them.
          if (!isMutual || standings.get(key) !== "trusted") continue;
          const outside = pinned.filter(
            (name) => name !== key && revokes(revocations, name, other),
          );
          assert.ok(outside.some((name) => standings.get(name) === "trusted"));
        }
      }
    }),
  );
});

test("revocations only grow, and nothing new is the same object", () => {
  const once = addRevocations({}, "a", ["b", "a", "b"]);
  assert.deepEqual(once, { a: ["b"] });
  assert.equal(addRevocations(once, "a", ["b"]), once);
  assert.deepEqual(addRevocations(once, "a", ["c"]), { a: ["b", "c"] });
});

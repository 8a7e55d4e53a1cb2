import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isOlderVersion } from "../../rules/release/feeds/tauri-feed.ts";
import { olderThan } from "./patterns.ts";

test("the pattern matches exactly the versions that the service calls older", () => {
  const number = fc.oneof(fc.nat(3), fc.integer({ min: 8, max: 12 }), fc.nat(1200)).map(String);
  const version = fc.tuple(number, number, number).map((parts) => parts.join("."));
  const end = fc.constantFrom("", "-0", "-beta.1", "+7", "-rc.1+7");
  fc.assert(
    fc.property(version, version, end, (core, offered, suffix) => {
      const installed = `${core}${suffix}`;
      const matches = new RegExp(`^${olderThan(offered)}$`).test(installed);
      assert.equal(matches, isOlderVersion(installed, offered), `${installed} ${offered}`);
    }),
    { numRuns: 2000 },
  );
});

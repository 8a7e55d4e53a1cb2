import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareAppVersions } from "../../rules/release/app-version.ts";
import { olderThan } from "./patterns.ts";

const number = fc.oneof(fc.nat(3), fc.integer({ min: 8, max: 12 }), fc.nat(1200)).map(String);
const core = fc.tuple(number, number, number).map((parts) => parts.join("."));
const near = fc.constantFrom("1.3.0", "1.3.1");
const identifier = fc.oneof(
  number,
  fc.constantFrom("alpha", "beta", "beta-2", "b", "rc", "B", "-", "0a", "1-"),
);
const preRelease = fc
  .array(identifier, { maxLength: 3 })
  .map((parts) => (parts.length === 0 ? "" : `-${parts.join(".")}`));
const metadata = fc.constantFrom("", "+7", "+build-1.2");
const version = fc.tuple(fc.oneof(core, near), preRelease, metadata).map((parts) => parts.join(""));

test("the pattern matches exactly the versions that the service calls older", () => {
  fc.assert(
    fc.property(version, version, (installed, offered) => {
      const matches = new RegExp(`^${olderThan(offered)}$`).test(installed);
      const isOlder = compareAppVersions(installed, offered) < 0;
      assert.equal(matches, isOlder, `${installed} ${offered}`);
    }),
    { numRuns: 1500 },
  );
});

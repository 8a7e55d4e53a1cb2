import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareVersions, isVersion } from "./version.ts";

const component = fc.bigInt({ min: 0n, max: 10n ** 30n });
const version = fc.tuple(component, component, component);
const text = (parts: readonly bigint[]) => parts.join(".");

test("three numbers without leading zeros are a version", () => {
  fc.assert(fc.property(version, (parts) => assert.equal(isVersion(text(parts)), true)));
});

for (const wrong of [
  "",
  "1",
  "1.2",
  "1.2.3.4",
  "v1.2.3",
  "1.2.3-beta",
  "1.2.3+7",
  "01.2.3",
  "1.02.3",
  "1.2.03",
  "1..3",
  "-1.2.3",
  "1.2.3 ",
  " 1.2.3",
  "1.2.3\n",
  "1.2.x",
  "١.٢.٣",
  "1e1.0.0",
]) {
  test(`${JSON.stringify(wrong)} is no version`, () => assert.equal(isVersion(wrong), false));
}

test("versions are ordered as numbers, however large", () => {
  fc.assert(
    fc.property(version, version, (a, b) => {
      const at = [0, 1, 2].find((index) => a[index] !== b[index]);
      const expected = at === undefined ? 0 : (a[at] ?? 0n) < (b[at] ?? 0n) ? -1 : 1;
      assert.equal(Math.sign(compareVersions(text(a), text(b))), expected);
    }),
  );
});

test("the order is total: antisymmetric, transitive, and zero only for equal versions", () => {
  const small = fc.tuple(...[0, 1, 2].map(() => fc.bigInt({ min: 0n, max: 12n })));
  fc.assert(
    fc.property(fc.array(small, { minLength: 3, maxLength: 3 }), (versions) => {
      const [a = "", b = "", c = ""] = versions.map(text);
      assert.equal(Math.sign(compareVersions(a, b)), -Math.sign(compareVersions(b, a)) || 0);
      assert.equal(compareVersions(a, b) === 0, a === b);
      if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) {
        assert.ok(compareVersions(a, c) <= 0);
      }
    }),
  );
});

test("ten is more than nine", () => {
  assert.ok(compareVersions("1.10.0", "1.9.0") > 0);
  assert.ok(compareVersions("10.0.0", "9.99.99") > 0);
  assert.ok(compareVersions("9007199254740993.0.0", "9007199254740992.0.0") > 0);
});

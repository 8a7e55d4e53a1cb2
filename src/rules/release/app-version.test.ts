import assert from "node:assert/strict";
import { test } from "node:test";
import { appVersionOf, compareAppVersions, isAppVersion } from "./app-version.ts";

/** SemVer 11, and what its rules say beyond the examples there; oldest first. */
const ORDER = [
  "0.0.0-0",
  "1.0.0-0",
  "1.0.0-9",
  "1.0.0-10",
  "1.0.0--",
  "1.0.0-10a",
  "1.0.0-RC",
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.1.0",
  "1.0.0-alpha.beta",
  "1.0.0-beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-beta-2",
  "1.0.0-rc.1",
  "1.0.0",
  "1.0.1-beta.1",
  "1.9.0",
  "1.10.0",
  "9007199254740993.0.0-99999999999999999999",
  "9007199254740993.0.0-100000000000000000000",
];

test("versions of apps are ordered by SemVer, pre-releases included", () => {
  for (const [i, a] of ORDER.entries()) {
    for (const [j, b] of ORDER.entries()) {
      assert.equal(Math.sign(compareAppVersions(a, b)), Math.sign(i - j), `${a} and ${b}`);
    }
  }
});

test("build metadata does not count", () => {
  assert.equal(compareAppVersions("1.3.0-beta.3+7", "1.3.0-beta.3+a-b.8"), 0);
  assert.ok(compareAppVersions("1.3.0-beta.3+9", "1.3.0+1") < 0);
});

test("any SemVer 2 is the version of an app, and nothing else is", () => {
  for (const version of [...ORDER, "1.2.3+45", "1.2.3-a.b-c+d.e"]) {
    assert.ok(isAppVersion(version), version);
  }
  for (const text of [
    "",
    "1.2",
    "v1.2.3",
    "1.2.3-",
    "1.2.3-01",
    "1.2.3-a..b",
    "1.2.3+",
    "1.2.3\n",
  ]) {
    assert.ok(!isAppVersion(text), JSON.stringify(text));
  }
});

test("a release without a name of its own is called by the contract's version", () => {
  assert.equal(appVersionOf({ version: "1.2.90" }), "1.2.90");
  assert.equal(appVersionOf({ version: "1.2.90", appVersion: "1.3.0-beta.3" }), "1.3.0-beta.3");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Detected, DraftRelease, SourceRelease } from "../../contract/release/catalog.ts";
import { checkOwnFiles, findFileOwners } from "./check-own-files.ts";

const SHA256 = "a".repeat(64);

function check(draft: DraftRelease, releases: readonly SourceRelease[], allowsMismatch: boolean) {
  return checkOwnFiles(draft, findFileOwners({ releases }, [draft]), allowsMismatch);
}

function draftWith(detected: Detected | undefined, names: Partial<DraftRelease> = {}) {
  const artifact = {
    platform: "linux",
    architecture: "x64",
    fileName: "habits.bin",
    signed: false,
  };
  return {
    version: "1.4.0",
    buildNumber: 57,
    channel: "stable",
    status: "draft",
    artifacts: [{ ...artifact, sha256: SHA256, ...(detected !== undefined && { detected }) }],
    ...names,
  } as unknown as DraftRelease;
}

function isRight(format: Detected["format"], version: string, names?: Partial<DraftRelease>) {
  return check(draftWith({ format, version }, names), [], false).errors.length === 0;
}

const ALL = ["exe", "msi", "plist", "deb", "rpm", "appimage", "apk"] as const;

test("the version of the release is right in every format, with zeros at its end or without", () => {
  for (const format of ALL) {
    for (const version of ["1.4.0", "1.4", "1.4.0.0", "v1.4.0", "01.04.000", "1.4.0+g1a2b3c"]) {
      assert.equal(isRight(format, version), true, `${format} ${version}`);
    }
    for (const version of ["1.3.0", "1.4.1", "1.40", "1", "14", "1.4.0.1", "1.4.0-beta.3", "dev"]) {
      assert.equal(isRight(format, version), false, `${format} ${version}`);
    }
  }
});

test("a zero inside the numbers counts", () => {
  assert.equal(isRight("deb", "1.0.4", { version: "1.4.0" }), false);
  assert.equal(isRight("deb", "1.10", { version: "1.1.0" }), false);
  assert.equal(isRight("deb", "10", { version: "1.0.0" }), false);
});

test("epoch and revision of a Debian package do not count", () => {
  for (const version of ["1.4.0-1", "2:1.4.0-1ubuntu2", "1.4-0.1"]) {
    assert.equal(isRight("deb", version), true, version);
    assert.equal(isRight("rpm", version), false, version);
  }
  assert.equal(isRight("deb", "1.3.0-4"), false);
  assert.equal(isRight("deb", "1.4.0-beta.3"), false);
});

test("what the app calls itself is right, and so is the version of three numbers", () => {
  const beta = { version: "1.2.90", appVersion: "1.3.0-beta.3" };
  for (const [format, version] of [
    ["deb", "1.3.0-beta.3"],
    ["deb", "1.3.0~beta.3-1"],
    ["rpm", "1.3.0_beta.3"],
    ["rpm", "1.3.0~beta.3"],
    ["exe", "1.3.0.0"],
    ["exe", "1.3.0-beta.3"],
    ["msi", "1.3.0.3"],
    ["plist", "1.3.0"],
    ["appimage", "1.2.90"],
  ] as const) {
    assert.equal(isRight(format, version, beta), true, `${format} ${version}`);
  }
  for (const [format, version] of [
    ["deb", "1.3.0"],
    ["rpm", "1.3.0~beta.4"],
    ["apk", "1.3.0"],
    ["exe", "1.3.1.0"],
    ["plist", "1.2.9"],
    ["exe", "1.3.0-beta.4"],
  ] as const) {
    assert.equal(isRight(format, version, beta), false, `${format} ${version}`);
  }
});

test("a pre-release may look like a revision, and have characters that a package may not", () => {
  assert.equal(isRight("deb", "1.3.0-3", { version: "1.2.90", appVersion: "1.3.0-3" }), true);
  const named = { version: "1.2.90", appVersion: "1.3.0-beta-3" };
  assert.equal(isRight("rpm", "1.3.0_beta_3", named), true);
  assert.equal(isRight("rpm", "1.3.0_beta_4", named), false);
});

test("the fourth number of a program for Windows may be the build", () => {
  assert.equal(isRight("exe", "1.4.0.57"), true);
  assert.equal(isRight("exe", "1.4.0.58"), false);
  assert.equal(isRight("deb", "1.4.0.57"), false);
});

test("another build is an error that names both, and the right one is none", () => {
  const errorsOf = (build: number) =>
    check(draftWith({ format: "apk", version: "1.4.0", build }), [], false).errors;
  assert.deepEqual(errorsOf(57), []);
  assert.equal(errorsOf(58).length, 1);
  assert.deepEqual(errorsOf(56), [
    {
      file: "releases/1.4.0.json",
      path: "artifacts[0]",
      problem: "(habits.bin) says build 56, and the release has build 57",
      remedy:
        "add the file of this release, or give `check` and `publish` --allow-version-mismatch",
    },
  ]);
});

test("a mismatch that is allowed is a warning, and a file that says nothing is no mismatch", () => {
  const wrong = draftWith({ format: "deb", version: "1.3.0", build: 3 });
  const allowed = check(wrong, [], true);
  assert.equal(allowed.errors.length, 0);
  assert.match(allowed.warnings.join("\n"), /says version 1\.3\.0.*\n.*says build 3/);
  assert.deepEqual(check(draftWith(undefined), [], false), { errors: [], warnings: [] });
});

test("the bytes of a withdrawn release are an error that nothing lifts, of a published one a warning", () => {
  const draft = draftWith(undefined);
  const other = (status: string, sha256: string, version = "1.3.0") =>
    ({ version, status, artifacts: [{ sha256 }] }) as unknown as SourceRelease;
  for (const allows of [false, true]) {
    const { errors, warnings } = check(draft, [other("withdrawn", SHA256)], allows);
    assert.match(
      errors[0]?.problem ?? "",
      /\(habits\.bin\) is a file of 1\.3\.0, which is withdrawn/,
    );
    assert.deepEqual(warnings, []);
  }
  const live = check(
    draft,
    [other("published", SHA256), other("published", SHA256, "1.2.0")],
    false,
  );
  assert.deepEqual(live.errors, []);
  assert.match(live.warnings.join(), /is a file of 1\.3\.0, which is published/);
  const unrelated = [draft, other("draft", SHA256), other("withdrawn", "b".repeat(64))];
  assert.deepEqual(check(draft, unrelated, false), { errors: [], warnings: [] });
});

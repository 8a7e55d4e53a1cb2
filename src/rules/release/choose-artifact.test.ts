import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReleaseArtifact } from "../../contract/release/schemas.ts";
import { chooseArtifact } from "./choose-artifact.ts";

const artifact = (
  platform: ReleaseArtifact["platform"],
  architecture: string,
  fileName: string,
): ReleaseArtifact => ({
  platform,
  architecture,
  fileName,
  signed: true,
  url: `https://downloads.example.com/${fileName}`,
  sha256: "0".repeat(64),
  size: 1,
});

const artifacts = [
  artifact("android", "universal", "app.apk"),
  artifact("android", "universal", "app.aab"),
  artifact("windows", "x64", "setup-x64.exe"),
  artifact("windows", "arm64", "setup-arm64.exe"),
  artifact("linux", "x64", "app.AppImage"),
  artifact("macos", "universal", "app.dmg"),
];

const chosen = (...args: [Parameters<typeof chooseArtifact>[1], string?]) =>
  chooseArtifact(artifacts, ...args)?.fileName;

test("the default architecture is universal on android and macos, x64 on windows and linux", () => {
  assert.equal(chosen("android"), "app.apk");
  assert.equal(chosen("macos"), "app.dmg");
  assert.equal(chosen("windows"), "setup-x64.exe");
  assert.equal(chosen("linux"), "app.AppImage");
});

test("the first of several matching artifacts is chosen", () => {
  assert.equal(chosen("android", "universal"), "app.apk");
});

test("a named architecture must match exactly", () => {
  assert.equal(chosen("windows", "arm64"), "setup-arm64.exe");
  assert.equal(chosen("windows", "ARM64"), undefined);
  assert.equal(chosen("windows", "universal"), undefined);
  assert.equal(chosen("windows", ""), undefined);
});

test("another platform's artifact of the same architecture is never chosen", () => {
  assert.equal(chooseArtifact([artifact("ios", "universal", "app.ipa")], "macos"), undefined);
  assert.equal(chooseArtifact([], "linux"), undefined);
});

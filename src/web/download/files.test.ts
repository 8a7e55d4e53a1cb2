import assert from "node:assert/strict";
import { test } from "node:test";
import type { Release, ReleaseArtifact } from "../../contract/release/schemas.ts";
import { stableRelease } from "../../../test/fixtures/release-catalog.ts";
import { fileList, mainArtifact, platformLinks } from "./files.ts";

const withArtifacts = (...artifacts: Partial<ReleaseArtifact>[]): Release => ({
  ...stableRelease,
  artifacts: artifacts.map((part) => ({ ...stableRelease.artifacts[2]!, ...part })),
});

test("every artifact is listed with its size and its checksum", () => {
  const { markup } = fileList(stableRelease, "en", 3);
  for (const artifact of stableRelease.artifacts) {
    assert.ok(markup.includes(`href="${artifact.url}"`), artifact.fileName);
    assert.ok(markup.includes(artifact.sha256), artifact.fileName);
  }
  assert.match(markup, /61\.4 MB/);
  assert.match(fileList(stableRelease, "de", 3).markup, /61,4 MB/);
});

test("a platform gets the file of the download route", () => {
  assert.equal(mainArtifact(stableRelease, "android")?.fileName, "habits-2.4.0.apk");
  assert.equal(mainArtifact(stableRelease, "windows")?.fileName, "habits-2.4.0-x64.exe");
});

test("a store bundle alone is not offered as a file to install", () => {
  const release = withArtifacts({
    platform: "android",
    architecture: "arm64",
    distribution: "play",
  });
  assert.equal(mainArtifact(release, "android"), undefined);
});

test("a file for a less common processor is labelled, and not offered by the button", () => {
  const release = withArtifacts({ architecture: "arm64" });
  const { markup } = platformLinks(release, "en");
  assert.match(markup, /64-bit ARM \(arm64\), 61\.4 MB/);
  assert.doesNotMatch(markup, /data-platform/);
});

test("platforms without a distribution route are linked too", () => {
  assert.match(platformLinks(withArtifacts({ platform: "ios" }), "en").markup, /iOS/);
});

test("an address that is not https is shown as a name only", () => {
  const release = withArtifacts({ url: "javascript:alert(1)" });
  assert.doesNotMatch(fileList(release, "en", 3).markup, /href|javascript/);
  assert.doesNotMatch(platformLinks(release, "en").markup, /href|javascript/);
});

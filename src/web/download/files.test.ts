import assert from "node:assert/strict";
import { test } from "node:test";
import type { Release, ReleaseArtifact } from "../../contract/release/schemas.ts";
import { storyRelease } from "../../../test/fixtures/story-release.ts";
import { fileList, mainArtifact } from "./files.ts";
import { platformLinks } from "./platform-links.ts";

const withArtifacts = (...artifacts: Partial<ReleaseArtifact>[]): Release => ({
  ...storyRelease,
  artifacts: artifacts.map((part) => ({ ...storyRelease.artifacts[2]!, ...part })),
});

test("every artifact is listed with its size and its checksum", () => {
  const { markup } = fileList(storyRelease, "en", 3);
  for (const artifact of storyRelease.artifacts) {
    assert.ok(markup.includes(`href="${artifact.url}"`), artifact.fileName);
    assert.ok(markup.includes(artifact.sha256), artifact.fileName);
  }
  assert.match(markup, /61\.4 MB/);
  assert.match(fileList(storyRelease, "de", 3).markup, /61,4 MB/);
});

test("a platform gets the file the download route would answer", () => {
  assert.equal(mainArtifact(storyRelease, "android")?.fileName, "habits-2.4.0.apk");
  assert.equal(mainArtifact(storyRelease, "windows")?.fileName, "habits-2.4.0-x64.exe");
});

test("a store bundle alone is not offered as a file to install", () => {
  const release = withArtifacts({
    platform: "android",
    architecture: "arm64",
    distribution: "play",
  });
  assert.equal(mainArtifact(release, "android"), undefined);
});

test("a file for a rarer processor says so and gives the button nothing to promise", () => {
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

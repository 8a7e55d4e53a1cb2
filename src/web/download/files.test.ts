import assert from "node:assert/strict";
import { test } from "node:test";
import type { PublishedSource, SourceArtifact } from "../../contract/release/catalog.ts";
import { stableRelease } from "../../../test/fixtures/release-catalog.ts";
import { fileList, platformLinks } from "./files.ts";
import { savedName } from "./verify-files.ts";

const withArtifacts = (...artifacts: Partial<SourceArtifact>[]): PublishedSource => ({
  ...stableRelease,
  artifacts: artifacts.map((part) => ({ ...stableRelease.artifacts[2]!, ...part })),
});
const linksOf = (release: PublishedSource) => platformLinks(release, "en")?.markup ?? "";
const listOf = (release: PublishedSource) => fileList(release, "en", 3, true).markup;

test("every file is listed with its size and its checksum, which can be copied", () => {
  const markup = listOf(stableRelease);
  for (const artifact of stableRelease.artifacts) {
    if (artifact.distribution === "play") continue;
    assert.ok(markup.includes(`href="${artifact.url}"`), artifact.fileName);
    assert.ok(markup.includes(`<code>${artifact.sha256}</code>`), artifact.fileName);
    assert.ok(markup.includes(`data-copy="${artifact.sha256}"`), artifact.fileName);
  }
  assert.match(markup, /61\.4 MB/);
  assert.match(fileList(stableRelease, "de", 3).markup, /61,4 MB/);
});

test("a platform links to the file of the download route", () => {
  const markup = linksOf(stableRelease);
  assert.match(markup, /2\.4\.0\/habits-2\.4\.0\.apk"[^>]+data-platform="android"/);
  assert.match(markup, /2\.4\.0\/habits-2\.4\.0-x64\.exe"[^>]+data-platform="windows"/);
});

test("a bundle for a store is not offered, even when it is the only file", () => {
  assert.doesNotMatch(listOf(stableRelease), /\.aab/);
  assert.doesNotMatch(linksOf(stableRelease), /\.aab/);
  for (const architecture of ["universal", "arm64"]) {
    const bundle = { platform: "android", architecture, distribution: "play" } as const;
    const release = withArtifacts(bundle);
    assert.equal(platformLinks(release, "en"), null);
    assert.doesNotMatch(listOf(release), /href/);
  }
});

test("a file that only updaters install is not shown, and the one for people is", () => {
  const mac = { platform: "macos", architecture: "universal" } as const;
  const named = (fileName: string) => ({
    ...mac,
    fileName,
    url: `https://downloads.example.com/${fileName}`,
  });
  const release = withArtifacts(
    ...["Habits.app.tar.gz", "Habits.dmg", "Habits.app.tar.gz.sig", "Habits-mac.zip.blockmap"].map(
      named,
    ),
  );
  assert.deepEqual(
    [...listOf(release).matchAll(/href="[^"]+\/([^"/]+)"/g)].map(([, name]) => name),
    ["Habits.dmg"],
  );
  assert.match(linksOf(release), /Habits\.dmg"[^>]+data-platform="macos"/);
  assert.doesNotMatch(linksOf(release), /tar\.gz|blockmap/);
});

test("files for single processors are each linked, and not offered by the button", () => {
  const release = withArtifacts(
    { platform: "macos", architecture: "arm64" },
    { platform: "macos", architecture: "x64" },
  );
  const markup = linksOf(release);
  assert.match(markup, /macOS<\/span> <span class="size">Apple silicon, 61\.4 MB/);
  assert.match(markup, /macOS<\/span> <span class="size">Intel, 61\.4 MB/);
  assert.doesNotMatch(markup, /data-platform/);
});

test("platforms without a distribution route are linked too", () => {
  assert.match(linksOf(withArtifacts({ platform: "ios" })), /iOS/);
});

test("the minimum version of the system is a fact of the file", () => {
  assert.match(listOf(withArtifacts({ minimumOs: "10.0" })), /<span>Windows 10 or later<\/span>/);
  const german = fileList(withArtifacts({ platform: "macos", minimumOs: "12.0" }), "de", 3).markup;
  assert.match(german, /<span>macOS 12 oder neuer<\/span>/);
});

test("only Windows and macOS know programs that are not code-signed", () => {
  for (const platform of ["windows", "macos"] as const) {
    assert.match(listOf(withArtifacts({ platform, signed: false })), /not code-signed/);
  }
  for (const platform of ["linux", "android", "ios", "web"] as const) {
    assert.doesNotMatch(listOf(withArtifacts({ platform, signed: false })), /signed/);
    assert.match(listOf(withArtifacts({ platform, signed: true })), />code-signed</);
  }
});

test("each system has the command that it brings along", () => {
  const markup = listOf(stableRelease);
  assert.match(markup, /<code>certutil -hashfile habits-2\.4\.0-x64\.exe SHA256<\/code>/);
  assert.match(markup, /<code>shasum -a 256 habits-2\.4\.0\.dmg<\/code>/);
  assert.match(markup, /<code>sha256sum habits-2\.4\.0-x64\.AppImage<\/code>/);
  assert.doesNotMatch(fileList(stableRelease, "en", 3).markup, /certutil/);
});

test("a file has the name that the browser saves it under", () => {
  const url = "https://downloads.example.com/My%20Habits%20Setup%201.5.0+7.exe";
  const artifact = { fileName: "My-Habits-Setup-1.5.0-7.exe", url };
  const name = "My Habits Setup 1.5.0+7.exe";
  assert.equal(savedName(artifact), name);
  const markup = listOf(withArtifacts(artifact));
  assert.ok(markup.includes(`<code>certutil -hashfile &quot;${name}&quot; SHA256</code>`));
});

test("an address that hides a command, or another kind of file, does not name it", () => {
  for (const path of [
    "a%22%20%26%20calc%20%22.exe",
    "$(reboot).exe",
    "%60reboot%60.exe",
    "-x.exe",
    "habits.exe.txt",
    "download",
    "",
    "%ff.exe",
  ]) {
    const artifact = { fileName: "habits.exe", url: `https://downloads.example.com/${path}` };
    assert.equal(savedName(artifact), "habits.exe", path);
  }
});

test("an address that is not https is shown as a name only", () => {
  const release = withArtifacts({ url: "javascript:alert(1)" });
  assert.doesNotMatch(listOf(release), /href|javascript/);
  assert.equal(platformLinks(release, "en"), null);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { FIXTURE_SETTINGS } from "../../../../test/fixtures/catalog.ts";
import { feedArtifact, feedRelease } from "../../../../test/fixtures/feed-release.ts";
import { ALL_FEEDS } from "../../../contract/release/feed-values.ts";
import type { SourceArtifact } from "../../../contract/release/catalog.ts";
import { findFeedPresence, formatFeedPresence, isIncomplete } from "./feed-presence.ts";

const bare = (artifact: SourceArtifact) => {
  const { sha512: _sha512, signatures: _signatures, ...rest } = artifact;
  return rest;
};

function lines(artifacts: readonly SourceArtifact[], percent?: number): string[] {
  const { percent: _percent, ...release } = feedRelease("1.5.0", 15, { artifacts: [...artifacts] });
  const rollouts = percent === undefined ? [] : [{ version: "1.5.0", percent }];
  const catalog = { settings: { ...FIXTURE_SETTINGS, rollouts }, releases: [release] };
  return findFeedPresence(catalog, ALL_FEEDS).map(formatFeedPresence);
}

const complete = [
  feedArtifact("windows", "x64", "a.exe"),
  feedArtifact("macos", "universal", "b.zip"),
  feedArtifact("macos", "universal", "b.app.tar.gz"),
  feedArtifact("linux", "x64", "c.AppImage"),
];

test("a complete release is offered to every system that it has a file for", () => {
  assert.deepEqual(lines(complete), [
    "electron: windows, mac, linux",
    "tauri: windows-x86_64, darwin-x86_64, darwin-aarch64, linux-x86_64",
    "sparkle: macos, windows, linux",
    "squirrel: darwin x64, darwin arm64",
  ]);
});

test("what is missing is named with its reason, files of one reason together", () => {
  const [electron = "", tauri = "", sparkle = ""] = lines(complete.map(bare));
  assert.equal(
    electron,
    "electron: none, no file can be checked; without a.exe, b.zip, c.AppImage: it has no SHA-512; add it to a new release",
  );
  assert.match(tauri, /^tauri: none, no file can be checked; without a\.exe, .*--signature-file$/);
  assert.match(sparkle, /without a\.exe, b\.zip, b\.app\.tar\.gz, c\.AppImage: .*--ed-signature$/);
  assert.match(
    lines([feedArtifact("windows", "arm64", "a-arm64.exe")])[0] ?? "",
    /^electron: none, no file can be checked; without a-arm64\.exe: machines without a file/,
  );
  assert.equal(
    lines([feedArtifact("android", "universal", "a.apk", { distribution: "direct" })])[3],
    "squirrel: none, no file that it installs (.zip on macOS)",
  );
});

test("a rollout keeps a release out of the feeds that cannot stage, and a stop out of all", () => {
  const [electron, tauri, sparkle, squirrel] = lines(complete, 25);
  assert.equal(electron, "electron: windows, mac, linux");
  assert.equal(
    sparkle,
    "sparkle: macos; without a.exe, c.AppImage: only Sparkle on macOS can be offered it at 25 percent",
  );
  assert.match(
    lines([feedArtifact("windows", "x64", "a.exe")], 25)[2] ?? "",
    /^sparkle: none, it is out for 25 percent, and the format has no word for that$/,
  );
  assert.match(tauri ?? "", /^tauri: none, it is out for 25 percent/);
  assert.match(squirrel ?? "", /^squirrel: none, it is out for 25 percent/);
  for (const line of lines(complete, 0)) assert.match(line, /: none, its rollout is stopped$/);
});

test("a Mac file that Sparkle cannot choose is named, unless there is a universal one", () => {
  const arm64 = feedArtifact("macos", "arm64", "arm64.dmg");
  const x64 = feedArtifact("macos", "x64", "x64.dmg");
  const universal = feedArtifact("macos", "universal", "all.dmg");
  assert.equal(
    lines([arm64, x64])[2],
    "sparkle: macos; without arm64.dmg: Sparkle offers the x64 file to every Mac; build a universal one",
  );
  assert.equal(lines([arm64, x64, universal])[2], "sparkle: macos");
  assert.equal(lines([arm64])[2], "sparkle: macos");
});

test("a kind of Linux package that the newest release lacks is named", () => {
  const sources = [
    feedRelease("1.6.0", 16, { artifacts: [feedArtifact("linux", "x64", "a.deb")] }),
    feedRelease("1.5.0", 15, {
      artifacts: [
        feedArtifact("linux", "x64", "a.AppImage"),
        feedArtifact("linux", "x64", "a.deb"),
        feedArtifact("linux", "arm64", "b.rpm"),
      ],
    }),
  ];
  const [electron] = findFeedPresence(
    { settings: FIXTURE_SETTINGS, releases: sources.map(({ percent: _percent, ...rest }) => rest) },
    ALL_FEEDS,
  ).map(formatFeedPresence);
  assert.equal(
    electron,
    "electron: linux; without .appimage for linux: an earlier release had one, and installations of it find no update",
  );
});

test("a feed that is turned off is not described, and an unused one needs no attention", () => {
  const { percent: _percent, ...release } = feedRelease("1.5.0", 15, {
    artifacts: complete.map(bare),
  });
  const feeds = { electron: false, tauri: true, sparkle: false, squirrel: false };
  const catalog = { settings: FIXTURE_SETTINGS, releases: [release] };
  const [tauri, ...others] = findFeedPresence(catalog, feeds);
  assert.ok(tauri !== undefined);
  assert.deepEqual(others, []);
  assert.equal(isIncomplete(tauri, FIXTURE_SETTINGS), false);
  const updaterKeys = { minisign: { keyId: "tauri-1", publicKey: "x" } };
  assert.equal(isIncomplete(tauri, { ...FIXTURE_SETTINGS, updaterKeys }), true);
});

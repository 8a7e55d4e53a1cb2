import assert from "node:assert/strict";
import { test } from "node:test";
import { parseUpdateInfo } from "electron-updater/out/providers/Provider.js";
import { feedArtifact, feedRelease, SHA512 } from "../../../../test/fixtures/feed-release.ts";
import type { ElectronTarget } from "../../../contract/release/feed-values.ts";
import type { FeedRelease } from "./feed-release.ts";
import { electronFeed, explainElectronFile } from "./electron-feed.ts";

/** Reads a feed as electron-updater parses it. */
function read(
  releases: readonly FeedRelease[],
  channel: "stable" | "beta" = "stable",
  target: ElectronTarget = "windows",
) {
  const text = electronFeed(releases, channel, target);
  return text === null ? null : parseUpdateInfo(text, "latest.yml", new URL("https://example.com"));
}

test("a feed names the version, its files, their digests and the notes", () => {
  const url = "https://downloads.example.com/Habits%20Setup%201.5.0.exe";
  assert.deepEqual(read([feedRelease("1.5.0", 15)]), {
    version: "1.5.0",
    files: [{ url, sha512: SHA512, size: 1000 }],
    path: url,
    sha512: SHA512,
    releaseDate: "2026-08-21T09:30:00+02:00",
    releaseNotes: 'Added\n- Sync\n\nFixed\n- A <b>bold</b> & "quoted" fix',
  });
});

test("the file with a block map of its own says how long that is", () => {
  const name = "habits.AppImage";
  const artifacts = [feedArtifact("linux", "x64", name, { blockMapSize: 812 })];
  const feed = read([feedRelease("1.5.0", 15, { artifacts })], "stable", "linux");
  assert.deepEqual(feed?.files, [
    { url: `https://downloads.example.com/${name}`, sha512: SHA512, size: 1000, blockMapSize: 812 },
  ]);
});

test("every text stays what it is, whatever YAML would read in it", () => {
  for (const note of [
    "yes",
    "null",
    ": #",
    "- x\n...\n---\n",
    "\u0000\u0007\u0085\u009f\u007f\u2028\ufeff\uffff",
    "\ud800",
    "\\u0041 \\",
    "💧 ü",
  ]) {
    const notes = { added: [note], changed: [], fixed: [], security: [] };
    assert.equal(
      read([feedRelease("1.5.0", 15, { notes })])?.releaseNotes,
      `Added\n- ${note}`,
      JSON.stringify(note),
    );
  }
});

test("a release without notes has no member for them", () => {
  const notes = { added: [], changed: [], fixed: [], security: [] };
  assert.equal("releaseNotes" in (read([feedRelease("1.5.0", 15, { notes })]) ?? {}), false);
});

test("beta sees a stable release that is newer, and stable sees no beta", () => {
  const beta = feedRelease("1.6.0", 16, { channel: "beta" });
  const stable = feedRelease("1.5.0", 15);
  assert.equal(read([beta, stable])?.version, "1.5.0");
  assert.equal(read([beta, stable], "beta")?.version, "1.6.0");
  const newer = feedRelease("1.7.0", 17);
  assert.equal(read([newer, beta, stable], "beta")?.version, "1.7.0");
  // electron-updater would install 1.5.1 over the beta, because a channel allows downgrades.
  const patch = feedRelease("1.5.1", 17);
  assert.equal(read([patch, beta, stable], "beta")?.version, "1.6.0");
});

test("a rollout is a staging percentage, and a stopped one is in no feed", () => {
  const older = feedRelease("1.5.0", 15);
  const staged = read([feedRelease("1.6.0", 16, { percent: 25 }), older]);
  assert.deepEqual([staged?.version, staged?.stagingPercentage], ["1.6.0", 25]);
  const stopped = read([feedRelease("1.6.0", 16, { percent: 0 }), older]);
  assert.equal(stopped?.version, "1.5.0");
  assert.equal("stagingPercentage" in (stopped ?? {}), false);
});

test("a platform is offered the newest release that has a file for it", () => {
  const onlyWindows = feedRelease("1.6.0", 16, {
    artifacts: [feedArtifact("windows", "x64", "habits.exe")],
  });
  const releases = [onlyWindows, feedRelease("1.5.0", 15)];
  assert.equal(read(releases)?.version, "1.6.0");
  assert.equal(read(releases, "stable", "mac")?.version, "1.5.0");
  assert.equal(read(releases, "stable", "linux")?.version, "1.5.0");
  assert.equal(read(releases, "stable", "linux-arm64"), null);
});

test("Linux has a file for each architecture", () => {
  const release = feedRelease("1.5.0", 15, {
    artifacts: [
      feedArtifact("linux", "arm64", "habits-arm64.AppImage"),
      feedArtifact("linux", "x64", "habits.AppImage"),
      feedArtifact("linux", "amd64", "habits.deb"),
      feedArtifact("linux", "x64", "habits.tar.gz"),
    ],
  });
  const names = (target: ElectronTarget) =>
    read([release], "stable", target)?.files.map(({ url }) => url.split("/").at(-1));
  assert.deepEqual(names("linux"), ["habits.AppImage", "habits.deb"]);
  assert.deepEqual(names("linux-arm64"), ["habits-arm64.AppImage"]);
});

test("a file that electron-updater would choose on the wrong machine is not listed", () => {
  const x64 = feedArtifact("windows", "x64", "habits.exe");
  const named = feedArtifact("windows", "arm64", "habits-arm64.exe");
  const unnamed = feedArtifact("windows", "arm64", "habits-mobile.exe");
  const misnamed = feedArtifact("windows", "x64", "habits-ia32.exe");
  const files = (...artifacts: FeedRelease["artifacts"]) =>
    read([feedRelease("1.5.0", 15, { artifacts })])?.files.map(({ url }) => url);
  assert.deepEqual(files(named, x64), [x64.url, named.url]);
  assert.deepEqual(files(unnamed, x64), [x64.url]);
  assert.match(explainElectronFile(unnamed, "windows") ?? "", /must contain "arm64"/);
  assert.match(explainElectronFile(misnamed, "windows") ?? "", /contains "ia32"/);
  // A machine of another architecture would take the file for arm64 as the first one.
  assert.equal(files(named), undefined);
});

test("the whole address counts, as electron-updater reads it", () => {
  const at = (architecture: string, url: string) =>
    explainElectronFile(feedArtifact("windows", architecture, "a.exe", { url }), "windows");
  assert.match(at("x64", "https://arm64.example.com/a.exe") ?? "", /contains "arm64"/);
  assert.match(at("x64", "https://example.com/a.exe?for=ia32") ?? "", /contains "ia32"/);
  assert.equal(at("arm64", "https://example.com/a.exe?for=arm64"), null);
  assert.match(at("arm64", "https://x64.example.com/a-arm64.exe") ?? "", /contains "x64"/);
  assert.match(at("x86", "https://example.com/x64/a-ia32.exe") ?? "", /contains "x64"/);
  assert.equal(at("x64", "https://example.com/a-x64.exe"), null);
  assert.equal(at("universal", "https://example.com/a-x64.exe"), null);
  const x64 = feedArtifact("windows", "x64", "a.exe");
  const arm64 = feedArtifact("windows", "arm64", "b.exe", {
    url: "https://x64.example.com/b-arm64.exe",
  });
  const listed = read([feedRelease("1.5.0", 15, { artifacts: [x64, arm64] })])?.files ?? [];
  assert.deepEqual(
    listed.map(({ url }) => url),
    [x64.url],
  );
});

test("an artifact without a SHA-512 is not listed, and nothing of a store is", () => {
  const { sha512: _sha512, ...old } = feedArtifact("windows", "x64", "habits.exe");
  assert.equal(read([feedRelease("1.5.0", 15, { artifacts: [old] })]), null);
  assert.match(explainElectronFile(old, "windows") ?? "", /SHA-512/);
  const bundle = feedArtifact("windows", "x64", "habits.exe", { distribution: "play" });
  assert.equal(read([feedRelease("1.5.0", 15, { artifacts: [bundle] })]), null);
});

test("the system version is that of the kernel, the highest of all files", () => {
  const minimum = (
    platform: "windows" | "macos" | "linux",
    name: string,
    target: ElectronTarget,
    ...versions: string[]
  ) => {
    const artifacts = versions.map((minimumOs, index) =>
      feedArtifact(platform, "x64", `${index}${name}`, { minimumOs }),
    );
    return read([feedRelease("1.5.0", 15, { artifacts })], "stable", target)?.minimumSystemVersion;
  };
  assert.equal(minimum("windows", ".exe", "windows", "10.0.17763", "10.0.9999"), "10.0.17763");
  assert.equal(minimum("windows", ".exe", "windows", "10.0.22000.1"), "10.0.22000");
  assert.equal(minimum("windows", ".exe", "windows", "10"), "10.0.0");
  assert.equal(minimum("macos", ".zip", "mac", "10.15"), "19.0.0");
  assert.equal(minimum("macos", ".zip", "mac", "11"), "20.0.0");
  assert.equal(minimum("macos", ".zip", "mac", "12"), "21.0.0");
  assert.equal(minimum("macos", ".zip", "mac", "12.3"), "21.4.0");
  assert.equal(minimum("macos", ".zip", "mac", "12.6"), "21.6.0");
  assert.equal(minimum("macos", ".zip", "mac", "14.7"), "23.6.0");
  assert.equal(minimum("macos", ".zip", "mac", "14.2"), "23.2.0");
  assert.equal(minimum("macos", ".zip", "mac", "26.1"), "25.1.0");
  assert.equal(minimum("linux", ".deb", "linux", "6.1"), undefined);
});

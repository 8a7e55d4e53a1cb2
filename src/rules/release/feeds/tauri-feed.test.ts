import assert from "node:assert/strict";
import { test } from "node:test";
import { feedArtifact, feedRelease, MINISIGN } from "../../../../test/fixtures/feed-release.ts";
import type { FeedRelease } from "./feed-release.ts";
import { explainTauriFile, tauriStaticFeed, tauriUpdate } from "./tauri-feed.ts";

interface StaticFeed {
  readonly version: string;
  readonly platforms: Record<string, { readonly url: string; readonly signature: string }>;
}

function read(releases: readonly FeedRelease[], channel: "stable" | "beta" = "stable") {
  const text = tauriStaticFeed(releases, channel);
  return text === null ? null : (JSON.parse(text) as StaticFeed);
}

test("platforms are named by system, architecture and installer", () => {
  const release = feedRelease("1.5.0", 15, {
    artifacts: [
      feedArtifact("windows", "x64", "habits.msi"),
      feedArtifact("windows", "x64", "habits-setup.exe"),
      feedArtifact("windows", "arm64", "habits-arm64.exe"),
      feedArtifact("windows", "x86", "habits-x86.exe"),
      feedArtifact("macos", "universal", "Habits.app.tar.gz"),
      feedArtifact("macos", "universal", "Habits.dmg"),
      feedArtifact("macos", "arm64", "Habits_arm64.app.tar.gz"),
      feedArtifact("linux", "x64", "habits.rpm"),
      feedArtifact("linux", "x64", "habits.deb"),
      feedArtifact("linux", "x64", "Habits.AppImage"),
      feedArtifact("linux", "armv7", "habits_armhf.deb"),
      feedArtifact("android", "universal", "habits.apk", { distribution: "direct" }),
    ],
  });
  const names = Object.entries(read([release])?.platforms ?? {}).map(([key, { url }]) => [
    key,
    url.split("/").at(-1),
  ]);
  assert.deepEqual(Object.fromEntries(names), {
    "windows-x86_64": "habits-setup.exe",
    "windows-x86_64-nsis": "habits-setup.exe",
    "windows-x86_64-msi": "habits.msi",
    "windows-aarch64": "habits-arm64.exe",
    "windows-aarch64-nsis": "habits-arm64.exe",
    "windows-i686": "habits-x86.exe",
    "windows-i686-nsis": "habits-x86.exe",
    "darwin-x86_64": "Habits.app.tar.gz",
    "darwin-x86_64-app": "Habits.app.tar.gz",
    "darwin-aarch64": "Habits_arm64.app.tar.gz",
    "darwin-aarch64-app": "Habits_arm64.app.tar.gz",
    "linux-x86_64": "Habits.AppImage",
    "linux-x86_64-appimage": "Habits.AppImage",
    "linux-x86_64-deb": "habits.deb",
    "linux-x86_64-rpm": "habits.rpm",
    "linux-armv7": "habits_armhf.deb",
    "linux-armv7-deb": "habits_armhf.deb",
  });
});

test("the document for one machine has its file and no platforms", () => {
  const releases = [feedRelease("1.5.0", 15)];
  assert.deepEqual(JSON.parse(tauriUpdate(releases, "stable", "windows", "x86_64")?.text ?? ""), {
    version: "1.5.0",
    notes: 'Added\n- Sync\n\nFixed\n- A <b>bold</b> & "quoted" fix',
    pub_date: "2026-08-21T09:30:00+02:00",
    url: "https://downloads.example.com/Habits%20Setup%201.5.0.exe",
    signature: MINISIGN,
  });
  assert.equal(tauriUpdate(releases, "stable", "windows", "aarch64"), null);
});

test("an installation is offered a file of its own kind, of an older release if need be, or nothing", () => {
  const older = feedRelease("1.4.0", 14, {
    artifacts: [
      feedArtifact("linux", "x64", "old.AppImage"),
      feedArtifact("linux", "x64", "old.deb"),
      feedArtifact("windows", "x64", "old.msi"),
    ],
  });
  const newer = feedRelease("1.5.0", 15, {
    artifacts: [
      feedArtifact("linux", "x64", "new.AppImage"),
      feedArtifact("windows", "x64", "new.exe"),
      feedArtifact("macos", "universal", "new.app.tar.gz"),
    ],
  });
  for (const [target, bundleType, expected] of [
    ["linux", "appimage", "new.AppImage"],
    ["linux", "deb", "old.deb"],
    ["linux", "rpm", undefined],
    ["windows", "nsis", "new.exe"],
    ["windows", "msi", "old.msi"],
    ["windows", undefined, "new.exe"],
    ["darwin", "app", "new.app.tar.gz"],
    ["darwin", "deb", undefined],
  ] as const) {
    const update = tauriUpdate([newer, older], "stable", target, "x86_64", bundleType);
    const url = update === null ? "" : (JSON.parse(update.text) as { url: string }).url;
    assert.equal(url.split("/").at(-1) || undefined, expected, `${target} ${bundleType}`);
  }
});

test("Tauri cannot stage, so it is offered what is out for everybody", () => {
  const older = feedRelease("1.5.0", 15);
  for (const percent of [0, 1, 99]) {
    const releases = [feedRelease("1.6.0", 16, { percent }), older];
    assert.equal(read(releases)?.version, "1.5.0");
    assert.equal(tauriUpdate(releases, "stable", "linux", "x86_64")?.version, "1.5.0");
  }
});

test("an unsigned file is in no feed", () => {
  const unsigned = feedArtifact("windows", "x64", "habits.exe", { signatures: {} });
  const release = feedRelease("1.6.0", 16, { artifacts: [unsigned] });
  assert.equal(read([release]), null);
  assert.equal(read([release, feedRelease("1.5.0", 15)])?.version, "1.5.0");
  assert.match(explainTauriFile(unsigned) ?? "", /--minisign/);
});

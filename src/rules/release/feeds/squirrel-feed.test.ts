import assert from "node:assert/strict";
import { test } from "node:test";
import { feedArtifact, feedRelease } from "../../../../test/fixtures/feed-release.ts";
import { squirrelMacFeed } from "./squirrel-feed.ts";

test("the file names the release and its archive", () => {
  const [release, older] = [feedRelease("1.6.0", 16, { percent: 25 }), feedRelease("1.5.0", 15)];
  assert.deepEqual(JSON.parse(squirrelMacFeed([release, older], "stable", "arm64") ?? ""), {
    currentRelease: "1.5.0",
    releases: [
      {
        version: "1.5.0",
        updateTo: {
          version: "1.5.0",
          pub_date: "2026-08-21T09:30:00+02:00",
          notes: 'Added\n- Sync\n\nFixed\n- A <b>bold</b> & "quoted" fix',
          name: "1.5.0",
          url: "https://downloads.example.com/habits-1.5.0.zip",
        },
      },
    ],
  });
});

test("a build for the machine goes before a universal one, and a disk image is no archive", () => {
  const artifacts = [
    feedArtifact("macos", "universal", "u.zip"),
    feedArtifact("macos", "arm64", "a.zip"),
    feedArtifact("macos", "x64", "x.dmg"),
  ];
  const release = feedRelease("1.5.0", 15, { artifacts });
  assert.match(squirrelMacFeed([release], "stable", "arm64") ?? "", /\/a\.zip/);
  assert.match(squirrelMacFeed([release], "stable", "x64") ?? "", /\/u\.zip/);
  assert.equal(
    squirrelMacFeed([feedRelease("1.5.0", 15, { artifacts: artifacts.slice(2) })], "stable", "x64"),
    null,
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { feedArtifact, feedRelease } from "../../../../test/fixtures/feed-release.ts";
import { electronFeed } from "./electron-feed.ts";
import { MAX_FEED_RELEASES, selectFeedReleases } from "./select-feed-releases.ts";

test("a bounded number of each channel is kept, newest build first", () => {
  const published = Array.from({ length: 40 }, (_, index) => {
    const build = 40 - index;
    return feedRelease(`1.${build}.0`, build, { channel: build <= 3 ? "beta" : "stable" });
  });
  const kept = selectFeedReleases(published, []).map(({ buildNumber }) => buildNumber);
  const newest = Array.from({ length: MAX_FEED_RELEASES }, (_, index) => 40 - index);
  assert.deepEqual(kept, [...newest, 3, 2, 1]);
});

test("a platform keeps its feed, however many releases have no file for it", () => {
  const artifacts = [feedArtifact("windows", "x64", "habits.exe")];
  const published = Array.from({ length: 40 }, (_, index) => {
    const build = 40 - index;
    return feedRelease(`1.${build}.0`, build, build > 20 ? { artifacts } : {});
  });
  // The newest with a file for the others is not out for everybody.
  const kept = selectFeedReleases(published, [{ version: "1.20.0", percent: 0 }]);
  assert.equal(kept.length, MAX_FEED_RELEASES + 1);
  assert.match(electronFeed(kept, "stable", "mac") ?? "", /^version: "?1\.19\.0"?$/m);
  assert.match(electronFeed(kept, "stable", "windows") ?? "", /^version: "?1\.40\.0"?$/m);
});

test("a staged release that a newer one has overtaken is in no feed, and not counted", () => {
  const published = Array.from({ length: 30 }, (_, index) =>
    feedRelease(`1.${30 - index}.0`, 30 - index),
  );
  const rollouts = Array.from({ length: 15 }, (_, index) => ({
    version: `1.${30 - index}.0`,
    percent: index === 0 ? 25 : 50,
  }));
  assert.deepEqual(
    selectFeedReleases(published, rollouts).map(({ buildNumber, percent }) => [
      buildNumber,
      percent,
    ]),
    [[30, 25], ...Array.from({ length: MAX_FEED_RELEASES }, (_, index) => [15 - index, 100])],
  );
});

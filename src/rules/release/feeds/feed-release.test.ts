import assert from "node:assert/strict";
import { test } from "node:test";
import { feedRelease } from "../../../../test/fixtures/feed-release.ts";
import { MAX_FEED_RELEASES, selectFeedReleases } from "./feed-release.ts";

test("a bounded number of each channel is kept, newest build first", () => {
  const published = Array.from({ length: 40 }, (_, index) => {
    const build = 40 - index;
    return feedRelease(`1.${build}.0`, build, { channel: build <= 3 ? "beta" : "stable" });
  });
  const kept = selectFeedReleases(published, []).map(({ buildNumber }) => buildNumber);
  const newest = Array.from({ length: MAX_FEED_RELEASES }, (_, index) => 40 - index);
  assert.deepEqual(kept, [...newest, 3, 2, 1]);
});

test("a staged release that a newer one has overtaken is in no feed", () => {
  const published = [feedRelease("1.7.0", 17), feedRelease("1.6.0", 16), feedRelease("1.5.0", 15)];
  const rollouts = [
    { version: "1.7.0", percent: 25 },
    { version: "1.6.0", percent: 50 },
  ];
  assert.deepEqual(
    selectFeedReleases(published, rollouts).map(({ percent }) => percent),
    [25, 0, 100],
  );
});

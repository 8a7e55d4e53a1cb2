import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Rollout } from "../../contract/release/schemas.ts";
import type { ReleaseChannel } from "../../contract/release/values.ts";
import {
  chooseOffer,
  findOffers,
  mayFollow,
  percentOf,
  rolloutsToSign,
  withRollout,
} from "./rollouts.ts";

interface Entry {
  readonly version: string;
  readonly buildNumber: number;
  readonly channel: ReleaseChannel;
  readonly status: "published" | "withdrawn" | "draft";
}

const entry = (buildNumber: number, changes: Partial<Entry> = {}): Entry => ({
  version: `1.${buildNumber}.0`,
  buildNumber,
  channel: "stable",
  status: "published",
  ...changes,
});
const rollout = (buildNumber: number, percent: number): Rollout => ({
  version: `1.${buildNumber}.0`,
  percent,
});
const OLD = { version: "1.0.0", buildNumber: 1 };

function offeredBuild(
  releases: readonly Entry[],
  rollouts: readonly Rollout[],
  bucket: number,
  current = OLD,
) {
  const { release, rule } = chooseOffer(findOffers(releases, rollouts, "stable"), bucket, current);
  return [release?.buildNumber ?? null, rule];
}

test("a release is offered up to its percent, and the others get the newest that is out for everybody", () => {
  const releases = [entry(5), entry(4), entry(3)];
  const at = (bucket: number, percent: number) =>
    offeredBuild(releases, [rollout(5, percent)], bucket);
  assert.deepEqual(at(25, 25), [5, "in-share"]);
  assert.deepEqual(at(26, 25), [4, "outside-share"]);
  assert.deepEqual(at(1, 0), [4, "stopped"]);
  assert.deepEqual(at(100, 99), [4, "outside-share"]);
  assert.deepEqual(at(100, 100), [5, "everybody"]);
  assert.deepEqual(offeredBuild(releases, [], 100), [5, "everybody"]);
});

test("outside of the share a staged release that was overtaken is not offered", () => {
  const releases = [entry(5), entry(4), entry(3)];
  for (const percent of [0, 90]) {
    assert.deepEqual(offeredBuild(releases, [rollout(5, 25), rollout(4, percent)], 50), [
      3,
      "outside-share",
    ]);
  }
});

test("nothing is offered where nothing is out for everybody", () => {
  assert.deepEqual(offeredBuild([entry(5)], [rollout(5, 25)], 26), [null, "outside-share"]);
  assert.deepEqual(offeredBuild([], [rollout(5, 25)], 1), [null, "everybody"]);
});

test("an installation that has the staged release stays with it, also after a stop", () => {
  const current = { version: "1.5.0", buildNumber: 5 };
  for (const percent of [0, 25]) {
    assert.deepEqual(offeredBuild([entry(5), entry(4)], [rollout(5, percent)], 100, current), [
      5,
      "installed",
    ]);
  }
});

test("the rollout of one channel says nothing about the other", () => {
  const releases = [entry(5, { channel: "beta" }), entry(4)];
  assert.deepEqual(offeredBuild(releases, [rollout(5, 0)], 100), [4, "everybody"]);
});

/** A channel's history and the rollouts of some of it. */
const histories = fc
  .array(fc.option(fc.integer({ min: 0, max: 100 })), { minLength: 1, maxLength: 6 })
  .map((percents) => ({
    releases: percents.map((_, index) => entry(index + 1)).toReversed(),
    rollouts: percents.flatMap((percent, index) =>
      percent === null ? [] : [rollout(index + 1, percent)],
    ),
  }));
const buckets = fc.integer({ min: 1, max: 100 });

test("a lower bucket is never offered an older release than a higher one", () => {
  fc.assert(
    fc.property(histories, buckets, buckets, ({ releases, rollouts }, a, b) => {
      const [low] = offeredBuild(releases, rollouts, Math.min(a, b));
      const [high] = offeredBuild(releases, rollouts, Math.max(a, b));
      assert.ok(Number(low) >= Number(high));
    }),
  );
});

test("a higher percent never takes an offer away, and the same request has the same response", () => {
  fc.assert(
    fc.property(histories, buckets, fc.nat(100), fc.nat(100), (history, bucket, a, b) => {
      const { releases, rollouts } = history;
      const [{ version }] = releases as [Entry];
      const others = rollouts.filter((item) => item.version !== version);
      const at = (percent: number) =>
        offeredBuild(releases, [...others, { version, percent }], bucket);
      assert.ok(Number(at(Math.max(a, b))[0]) >= Number(at(Math.min(a, b))[0]));
      assert.deepEqual(at(a), at(a));
    }),
  );
});

test("exactly so many buckets as percent are offered the staged release", () => {
  fc.assert(
    fc.property(fc.nat(100), (percent) => {
      const offered = Array.from({ length: 100 }, (_, index) =>
        offeredBuild([entry(5), entry(4)], [rollout(5, percent)], index + 1),
      ).filter(([build]) => build === 5);
      assert.equal(offered.length, percent);
    }),
  );
});

test("what is signed makes the same offers as all that is known", () => {
  fc.assert(
    fc.property(histories, buckets, ({ releases, rollouts }, bucket) => {
      const signed = rolloutsToSign(releases, rollouts);
      assert.deepEqual(
        offeredBuild(releases, signed, bucket),
        offeredBuild(releases, rollouts, bucket),
      );
      assert.ok(signed.every(({ percent }) => percent < 100));
    }),
  );
});

test("only what can matter is signed, newest build first", () => {
  const releases = [
    entry(9, { status: "draft" }),
    entry(8),
    entry(7, { channel: "beta" }),
    entry(6, { status: "withdrawn" }),
    entry(5),
    entry(4),
    entry(3),
    entry(2, { channel: "beta" }),
  ];
  const all = [2, 3, 5, 6, 7, 8].map((build) => rollout(build, 20));
  assert.deepEqual(rolloutsToSign(releases, all), [
    rollout(8, 20),
    rollout(7, 20),
    rollout(5, 20),
    rollout(2, 20),
  ]);
  assert.deepEqual(rolloutsToSign(releases, [...all.slice(0, -1), rollout(8, 100)]), [
    rollout(7, 20),
    rollout(2, 20),
  ]);
});

test("a rollout rises, stops at any percent, and rises again after a stop", () => {
  assert.ok(mayFollow(undefined, 1));
  assert.ok(mayFollow(25, 25));
  assert.ok(mayFollow(25, 26));
  assert.ok(mayFollow(100, 0));
  assert.ok(mayFollow(0, 1));
  assert.equal(mayFollow(25, 24), false);
  assert.equal(mayFollow(100, 99), false);
});

test("setting a rollout drops the entries that can never matter again", () => {
  const releases = [
    entry(5),
    entry(4),
    entry(3),
    entry(2, { status: "withdrawn" }),
    entry(1, { channel: "beta" }),
  ];
  const before = [rollout(1, 100), rollout(2, 50), rollout(3, 100), rollout(4, 0), rollout(5, 10)];
  assert.deepEqual(withRollout(releases, before, rollout(5, 100)), [
    rollout(5, 100),
    // Release 1.4.0 would be the newest again if 1.5.0 were withdrawn.
    rollout(4, 0),
    rollout(1, 100),
  ]);
});

test("a version without an entry is out for everybody", () => {
  assert.equal(percentOf([rollout(5, 25)], "1.4.0"), 100);
  assert.equal(percentOf([rollout(5, 25)], "1.5.0"), 25);
});

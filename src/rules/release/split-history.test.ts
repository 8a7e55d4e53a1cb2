import assert from "node:assert/strict";
import { test } from "node:test";
import { createRelease } from "../../../test/fixtures/catalog.ts";
import type { SourceRelease } from "../../contract/release/catalog.ts";
import type { Rollout } from "../../contract/release/schemas.ts";
import { DAY_MS } from "../../contract/durations.ts";
import { splitHistory } from "./split-history.ts";

const START = Date.UTC(2026, 0, 1);

/** Builds `count` to 1, newest first; every tenth is a beta unless told otherwise. */
function history(count: number, betaEvery = 0): SourceRelease[] {
  return Array.from({ length: count }, (_, index) =>
    createRelease(count - index, betaEvery, START),
  );
}

function withdraw(releases: SourceRelease[], builds: readonly number[], day = 0): SourceRelease[] {
  return releases.map((release) =>
    release.status === "published" && builds.includes(release.buildNumber)
      ? {
          ...release,
          status: "withdrawn",
          withdrawal: {
            at: new Date(
              START + (day + builds.indexOf(release.buildNumber)) * DAY_MS,
            ).toISOString(),
            reason: "Bad",
          },
        }
      : release,
  );
}

const buildsOf = (releases: readonly { buildNumber: number }[]) =>
  releases.map(({ buildNumber }) => buildNumber);
const range = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index);

function split(releases: readonly SourceRelease[], rollouts: readonly Rollout[] = []) {
  const { current, archived } = splitHistory(releases, rollouts);
  return {
    current: buildsOf(current.published),
    archived: buildsOf(archived.published),
    withdrawn: buildsOf(current.withdrawn),
    archivedWithdrawn: buildsOf(archived.withdrawn),
  };
}

const versionOf = (build: number) => createRelease(build, 0, START).version;

test("twenty releases are the whole history, and of twenty-one the oldest is archived", () => {
  assert.deepEqual(split(history(20)).archived, []);
  const { current, archived } = split(history(21));
  assert.deepEqual(current, range(21, 2));
  assert.deepEqual(archived, [1]);
});

test("drafts are in neither part, and take no place", () => {
  const [newest, ...rest] = history(21);
  const draft = { ...newest, status: "draft", publishedAt: null } as SourceRelease;
  const { current, archived } = split([draft, ...rest]);
  assert.deepEqual(current, range(20, 1));
  assert.deepEqual(archived, []);
});

test("the newest release of a channel stays, however old, and takes the place of another", () => {
  const releases = history(40).map((release) =>
    release.buildNumber === 3 || release.buildNumber === 2
      ? ({ ...release, channel: "beta" } as SourceRelease)
      : release,
  );
  const { current, archived } = split(releases);
  assert.deepEqual(current, [...range(40, 22), 3]);
  assert.ok(archived.includes(21) && archived.includes(2));
});

test("what a staged release leaves to everyone else stays, with the staged ones above it", () => {
  const rollouts = [...range(30, 6)].map((build) => ({ version: versionOf(build), percent: 5 }));
  const { current, archived } = split(history(30), rollouts);
  assert.deepEqual(current, range(30, 5));
  assert.deepEqual(archived, range(4, 1));
});

test("a staged release that a newer one for everyone has overtaken is archived like any other", () => {
  const rollouts = [{ version: versionOf(4), percent: 10 }];
  assert.deepEqual(split(history(30), rollouts).archived, range(10, 1));
  const stopped = [{ version: versionOf(30), percent: 0 }];
  assert.deepEqual(split(history(30), stopped).current, range(30, 11));
});

test("when no release of a channel is out for everyone, each of it may be offered", () => {
  const rollouts = range(25, 1).map((build) => ({ version: versionOf(build), percent: 50 }));
  assert.deepEqual(split(history(25), rollouts).archived, []);
});

test("the last twenty withdrawals stay by their time, not by their build", () => {
  const early = withdraw(history(60), [50, 49], 0);
  const { withdrawn, archivedWithdrawn } = split(withdraw(early, range(30, 11), 10));
  assert.deepEqual(withdrawn, range(30, 11));
  assert.deepEqual(archivedWithdrawn, [50, 49]);
});

test("a withdrawn release that nothing newer replaces stays, however long ago that was", () => {
  const early = withdraw(history(60), [60, 59], 0);
  const { withdrawn, archivedWithdrawn } = split(withdraw(early, range(30, 11), 10));
  assert.deepEqual(withdrawn, [60, 59, ...range(30, 11)]);
  assert.deepEqual(archivedWithdrawn, []);
});

test("a withdrawn beta is compared with the newest beta, not with a newer stable release", () => {
  const betas = history(60).map((release) =>
    release.buildNumber === 6 || release.buildNumber === 5
      ? ({ ...release, channel: "beta" } as SourceRelease)
      : release,
  );
  const early = withdraw(betas, [6], 0);
  const { current, withdrawn } = split(withdraw(early, range(40, 21), 10));
  assert.ok(current.includes(5));
  assert.deepEqual(withdrawn, [...range(40, 21), 6]);
});

test("when all of a channel is withdrawn, all of it stays", () => {
  const { current, withdrawn } = split(withdraw(history(25), range(25, 1)));
  assert.deepEqual(current, []);
  assert.deepEqual(withdrawn, range(25, 1));
});

test("a release returns from the archive when a newer one is withdrawn", () => {
  const { current } = split(withdraw(history(21), [20]));
  assert.deepEqual(current, [21, ...range(19, 1)]);
});

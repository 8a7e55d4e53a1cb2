import assert from "node:assert/strict";
import { test } from "node:test";
import type { SourceRelease, WithdrawnSource } from "../../contract/release/catalog.ts";
import { createRelease, FIXTURE_SETTINGS } from "../../../test/fixtures/catalog.ts";
import {
  latestOf,
  missingTargets,
  publishedReleases,
  withdrawnReleases,
  type Catalog,
} from "./catalog.ts";

function catalogOf(...releases: SourceRelease[]): Catalog {
  return { settings: FIXTURE_SETTINGS, keys: {}, releases };
}

function withdrawn(build: number, replacedBy?: string): WithdrawnSource {
  const withdrawal = { at: "2026-06-01T00:00:00Z", reason: "Loses data" };
  return {
    ...createRelease(build, 0, 0),
    status: "withdrawn",
    withdrawal: replacedBy === undefined ? withdrawal : { ...withdrawal, replacedBy },
  };
}

test("only published releases are public", () => {
  const { publishedAt: _, ...rest } = createRelease(3, 0, 0);
  const draft: SourceRelease = { ...rest, status: "draft" };
  const releases = publishedReleases(catalogOf(draft, withdrawn(2), createRelease(1, 0, 0)));
  assert.deepEqual(
    releases.map(({ version }) => version),
    ["1.0.1"],
  );
});

test("a release is shown with its members in the contract's order, whatever the file's", () => {
  const source = createRelease(1, 0, 0);
  const reversed = Object.fromEntries(Object.entries(source).toReversed()) as typeof source;
  assert.equal(
    JSON.stringify(publishedReleases(catalogOf(reversed))),
    JSON.stringify(publishedReleases(catalogOf(source))),
  );
});

test("what other updaters check a file by is not public", () => {
  const source = createRelease(1, 0, 0);
  const updater = { sha512: `${"a".repeat(86)}==`, signatures: {}, minimumOs: "12.0" };
  const artifacts = source.artifacts.map((artifact) => ({ ...artifact, ...updater }));
  assert.deepEqual(
    publishedReleases(catalogOf({ ...source, artifacts })),
    publishedReleases(catalogOf(source)),
  );
});

test("a withdrawn release is listed with its reason, and its successor if it has one", () => {
  assert.deepEqual(withdrawnReleases([withdrawn(2, "1.0.1"), withdrawn(3)]), [
    { version: "1.0.2", buildNumber: 2, reason: "Loses data", replacedBy: "1.0.1" },
    { version: "1.0.3", buildNumber: 3, reason: "Loses data" },
  ]);
});

test("the latest of a channel is its first, and a channel may be empty", () => {
  const releases = [createRelease(4, 4, 0), createRelease(3, 4, 0)];
  assert.equal(latestOf(releases, "beta")?.version, "1.0.4");
  assert.equal(latestOf(releases, "stable")?.version, "1.0.3");
  assert.equal(latestOf([], "stable"), undefined);
});

test("a target is missing until platform and architecture are both there", () => {
  const release = createRelease(1, 0, 0);
  assert.deepEqual(missingTargets(FIXTURE_SETTINGS.targets, release), []);
  const arm = { platform: "windows", architecture: "arm64" } as const;
  assert.deepEqual(missingTargets([...FIXTURE_SETTINGS.targets, arm], release), [
    { ...arm, isInStore: false },
  ]);
  const [android] = FIXTURE_SETTINGS.targets;
  const inStoreOnly = release.artifacts.filter(({ distribution }) => distribution !== "direct");
  assert.deepEqual(
    missingTargets(FIXTURE_SETTINGS.targets, { ...release, artifacts: inStoreOnly }),
    [{ ...android, isInStore: true }],
  );
});

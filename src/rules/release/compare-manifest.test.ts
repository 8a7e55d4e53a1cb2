import assert from "node:assert/strict";
import { test } from "node:test";
import type { SourceRelease, WithdrawnSource } from "../../contract/release/catalog.ts";
import { createRelease, FIXTURE_SETTINGS } from "../../../test/fixtures/catalog.ts";
import { publishedReleases, withdrawnReleases, type Catalog } from "./catalog.ts";
import { compareWithManifest } from "./compare-manifest.ts";
import { rolloutsToSign } from "./rollouts.ts";

function catalogOf(...releases: SourceRelease[]): Catalog {
  return { settings: FIXTURE_SETTINGS, keys: {}, releases };
}

function staged(percent: number, ...releases: SourceRelease[]): Catalog {
  const rollouts = [{ version: "1.0.3", percent }];
  return { ...catalogOf(...releases), settings: { ...FIXTURE_SETTINGS, rollouts } };
}

function signedFrom(catalog: Catalog) {
  return structuredClone({
    releases: publishedReleases(catalog),
    withdrawn: withdrawnReleases(catalog.releases),
    rollouts: rolloutsToSign(catalog.releases, catalog.settings.rollouts ?? []),
  });
}

function withdraw(build: number, reason = "Loses data"): WithdrawnSource {
  return {
    ...createRelease(build, 0, 0),
    status: "withdrawn",
    withdrawal: { at: "2026-06-01T00:00:00Z", reason },
  };
}

const [first, second, third] = [1, 2, 3].map((build) => createRelease(build, 0, 0)) as [
  ReturnType<typeof createRelease>,
  ReturnType<typeof createRelease>,
  ReturnType<typeof createRelease>,
];
const before = catalogOf(third, withdraw(2), first);
const signed = signedFrom(before);

function placesIn(catalog: Catalog): string[] {
  return compareWithManifest(catalog, signed).errors.map(({ file, path }) => `${file} ${path}`);
}

test("a catalogue that is as it was signed has neither errors nor unsigned changes", () => {
  assert.deepEqual(compareWithManifest(before, signed), {
    errors: [],
    neverSigned: [],
    unsigned: [],
  });
});

test("the order of members in a file is no difference", () => {
  const reversed = Object.fromEntries(Object.entries(first).toReversed()) as typeof first;
  assert.deepEqual(compareWithManifest(catalogOf(third, withdraw(2), reversed), signed), {
    errors: [],
    neverSigned: [],
    unsigned: [],
  });
});

test("a changed published release is found, with the place of the change", () => {
  const changed = structuredClone(first);
  (changed.artifacts[1] as { sha256: string }).sha256 = "0".repeat(64);
  assert.deepEqual(placesIn(catalogOf(third, withdraw(2), changed)), [
    "releases/1.0.1.json artifacts[1].sha256",
  ]);
});

test("an added or removed member is a change, too", () => {
  const { presentation: _, ...without } = first;
  assert.deepEqual(placesIn(catalogOf(third, withdraw(2), without)), [
    "releases/1.0.1.json presentation",
  ]);
});

test("a published or withdrawn release that became a draft or disappeared is found", () => {
  const { publishedAt: _, ...rest } = first;
  const draft: SourceRelease = { ...rest, status: "draft" };
  assert.deepEqual(placesIn(catalogOf(third, withdraw(2), draft)), ["releases/1.0.1.json "]);
  assert.deepEqual(placesIn(catalogOf(third, first)), ["releases/1.0.2.json "]);
});

test("a withdrawn release does not return, nor under another build", () => {
  assert.deepEqual(placesIn(catalogOf(third, second, first)), ["releases/1.0.2.json status"]);
  assert.deepEqual(placesIn(catalogOf(third, { ...withdraw(2), buildNumber: 9 }, first)), [
    "releases/1.0.2.json buildNumber",
  ]);
});

test("a withdrawn release must still have its signed content", () => {
  assert.deepEqual(placesIn(catalogOf(withdraw(3), withdraw(2), first)), []);
  const changed = { ...withdraw(3), publishedAt: "2020-01-01T00:00:00Z" };
  assert.deepEqual(placesIn(catalogOf(changed, withdraw(2), first)), [
    "releases/1.0.3.json publishedAt",
  ]);
});

test("what is newly published was never signed; a new withdrawal or reason is unsigned", () => {
  const now = catalogOf(createRelease(4, 0, 0), withdraw(3), withdraw(2, "It leaks"), first);
  assert.deepEqual(compareWithManifest(now, signed), {
    errors: [],
    neverSigned: ["1.0.4"],
    unsigned: ["1.0.3", "1.0.2"],
  });
});

test("a rollout that rose, stopped or began is unsigned, and one that fell is an error", () => {
  const compare = (now: number, before: number) =>
    compareWithManifest(staged(now, third, first), signedFrom(staged(before, third, first)));
  const unsigned = ["the rollout of 1.0.3"];
  assert.deepEqual(compare(25, 25), { errors: [], neverSigned: [], unsigned: [] });
  for (const [now, before] of [
    [50, 25],
    [100, 25],
    [0, 25],
    [10, 0],
    [25, 100],
  ] as const) {
    assert.deepEqual(
      compare(now, before),
      { errors: [], neverSigned: [], unsigned },
      `${before} to ${now}`,
    );
  }
  const { errors } = compare(10, 25);
  assert.deepEqual(errors, [
    {
      file: "catalog.json",
      path: "rollouts",
      problem: "says 10 percent for 1.0.3, although 25 percent was signed",
      remedy: "a rollout only rises, except to 0: write 25 or more, or 0 to stop it",
    },
  ]);
});

test("the rollout of a release that was withdrawn since then no longer matters", () => {
  const before = signedFrom(staged(25, third, first));
  assert.deepEqual(compareWithManifest(staged(10, withdraw(3), first), before), {
    errors: [],
    neverSigned: [],
    unsigned: ["1.0.3"],
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SourceRelease, WithdrawnSource } from "../../contract/release/types.ts";
import { createRelease, FIXTURE_SETTINGS } from "../../../test/fixtures/catalog.ts";
import { publishedReleases, withdrawnReleases, type Catalog } from "./catalog.ts";
import { compareWithManifest } from "./compare-manifest.ts";

function catalogOf(...releases: SourceRelease[]): Catalog {
  return { settings: FIXTURE_SETTINGS, keys: {}, releases };
}

function signedFrom(catalog: Catalog) {
  return structuredClone({
    releases: publishedReleases(catalog),
    withdrawn: withdrawnReleases(catalog.releases),
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

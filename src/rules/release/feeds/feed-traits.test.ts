import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addUpdaterMembers, createRelease } from "../../../../test/fixtures/catalog.ts";
import type { SourceArtifact } from "../../../contract/release/types.ts";
import { feedPlaces } from "./feed-places.ts";
import { feedTraits } from "./feed-traits.ts";

const name = fc.tuple(
  fc.constantFrom("habits", "Habits-arm64", "1.5.0/arm64", "max64.0.0", "5.0.0"),
  fc.constantFrom(".exe", ".EXE", ".zip", ".AppImage", "", "-2.7z"),
  fc.constantFrom("", ".tar.gz", "?a=b.exe"),
);
const has = fc.boolean();
const artifact = fc
  .record({
    platform: fc.constantFrom("windows", "macos", "linux"),
    architecture: fc.constantFrom("x64", "arm64", "universal", "riscv"),
    distribution: fc.constantFrom("play", undefined),
    name,
    sha512: has,
    minisign: has,
    sparkle: has,
  })
  .map(({ name: parts, sha512, minisign, sparkle, ...rest }) => ({
    ...rest,
    url: `https://downloads.example.com/${parts.join("")}`,
    ...(sha512 && { sha512: "s" }),
    signatures: { ...(minisign && { minisign: "m" }), ...(sparkle && { sparkle: "e" }) },
  }))
  .map((members) => members as SourceArtifact);

test("releases with the same traits are offered to the same systems", () => {
  const placesByTraits = new Map<string, string[]>();
  let compared = 0;
  const check = (artifacts: readonly SourceArtifact[]) => {
    const [traits, places] = [feedTraits(artifacts), feedPlaces(artifacts)];
    const before = placesByTraits.get(traits);
    if (before !== undefined) {
      compared++;
      assert.deepEqual(places, before, traits);
    }
    placesByTraits.set(traits, places);
  };
  fc.assert(fc.property(fc.array(artifact, { minLength: 1, maxLength: 1 }), check), {
    numRuns: 4000,
  });
  fc.assert(fc.property(fc.array(artifact, { maxLength: 4 }), check));
  assert.ok(compared > 500, `${compared} pairs`);
});

test("releases of one kind have one text, whatever their version", () => {
  const texts = Array.from({ length: 200 }, (_, build) =>
    feedTraits(addUpdaterMembers(createRelease(build + 1, 4, 0)).artifacts),
  );
  assert.equal(new Set(texts).size, 1);
});

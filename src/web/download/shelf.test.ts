import assert from "node:assert/strict";
import { test } from "node:test";
import type { SourceRelease } from "../../contract/release/catalog.ts";
import { betaRelease, pastReleases, storyRelease } from "../../../test/fixtures/story-release.ts";
import { arrangeReleases } from "./shelf.ts";

const versions = (releases: readonly { version: string }[]) => releases.map((r) => r.version);

test("the newest stable build comes first whatever the order of the catalogue", () => {
  const shelf = arrangeReleases([...pastReleases, betaRelease, storyRelease].toReversed());
  assert.equal(shelf.newest?.version, "2.4.0");
  assert.deepEqual(versions(shelf.earlier), ["2.3.0", "2.2.0", "1.9.2"]);
});

test("a beta never becomes the newest release", () => {
  const shelf = arrangeReleases([betaRelease]);
  assert.equal(shelf.newest, undefined);
  assert.equal(shelf.beta?.version, "2.5.0");
});

test("a beta that a stable release has overtaken is offered no more, but kept", () => {
  const shelf = arrangeReleases([{ ...betaRelease, buildNumber: 235 }, storyRelease]);
  assert.equal(shelf.beta, undefined);
  assert.deepEqual(versions(shelf.earlierBetas), ["2.5.0"]);
});

test("drafts and withdrawn releases are left out", () => {
  const { publishedAt: _, ...rest } = storyRelease;
  const draft: SourceRelease = { ...rest, status: "draft", version: "9.0.0", buildNumber: 900 };
  const withdrawn: SourceRelease = {
    ...storyRelease,
    status: "withdrawn",
    version: "8.0.0",
    buildNumber: 800,
    withdrawal: { at: "2026-09-01T00:00:00Z", reason: "It lost data" },
  };
  assert.deepEqual(arrangeReleases([draft, withdrawn]), {
    newest: undefined,
    earlier: [],
    beta: undefined,
    earlierBetas: [],
  });
  assert.equal(arrangeReleases([withdrawn, storyRelease, draft]).newest?.version, "2.4.0");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SourceRelease } from "../../contract/release/catalog.ts";
import {
  betaRelease,
  pastReleases,
  stableRelease,
} from "../../../test/fixtures/release-catalog.ts";
import { groupReleases } from "./group-releases.ts";

const versions = (releases: readonly { version: string }[]) => releases.map((r) => r.version);

test("the newest stable build comes first in any order of the catalogue", () => {
  const groups = groupReleases([...pastReleases, betaRelease, stableRelease].toReversed());
  assert.equal(groups.newest?.version, "2.4.0");
  assert.deepEqual(versions(groups.earlier), ["2.3.0", "2.2.0", "1.9.2"]);
});

test("a beta never becomes the newest release", () => {
  const groups = groupReleases([betaRelease]);
  assert.equal(groups.newest, undefined);
  assert.equal(groups.beta?.version, "2.5.0");
});

test("a beta older than the newest stable release is listed as an earlier beta", () => {
  const groups = groupReleases([{ ...betaRelease, buildNumber: 235 }, stableRelease]);
  assert.equal(groups.beta, undefined);
  assert.deepEqual(versions(groups.earlierBetas), ["2.5.0"]);
});

test("drafts are left out, and withdrawn releases are a group of their own", () => {
  const { publishedAt: _, ...rest } = stableRelease;
  const draft: SourceRelease = { ...rest, status: "draft", version: "9.0.0", buildNumber: 900 };
  const withdrawn: SourceRelease = {
    ...stableRelease,
    status: "withdrawn",
    version: "8.0.0",
    buildNumber: 800,
    withdrawal: { at: "2026-09-01T00:00:00Z", reason: "It lost data" },
  };
  assert.deepEqual(groupReleases([draft, withdrawn]), {
    newest: undefined,
    earlier: [],
    beta: undefined,
    earlierBetas: [],
    withdrawn: [withdrawn],
  });
  assert.equal(groupReleases([withdrawn, stableRelease, draft]).newest?.version, "2.4.0");
});

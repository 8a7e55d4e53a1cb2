import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { checkRelease, reportToText } from "../../conformance/index.ts";
import { RELEASE_CASES } from "../../conformance/release/check-release.ts";
import { BREAKS_OF_ADDRESSES } from "./breaks/release-addresses.ts";
import { BREAKS_OF_THE_ARCHIVE } from "./breaks/release-archive.ts";
import { BREAKS_OF_CACHING, BREAKS_OF_ENCODINGS } from "./breaks/release-caching.ts";
import { BREAKS_OF_DOWNLOADS } from "./breaks/release-downloads.ts";
import { BREAKS_OF_EVERY_RESPONSE } from "./breaks/release-every-response.ts";
import { BREAKS_OF_FEEDS } from "./breaks/release-feeds.ts";
import { BREAKS_OF_FILES } from "./breaks/release-files.ts";
import { BREAKS_OF_THE_MANIFEST } from "./breaks/release-manifest.ts";
import { BREAKS_OF_RELEASES } from "./breaks/release-releases.ts";
import { BREAKS_OF_UPDATES } from "./breaks/release-update.ts";
import { createBrokenServers, type BrokenServers } from "./broken-release-server.ts";

const BREAKS = [
  ...BREAKS_OF_EVERY_RESPONSE,
  ...BREAKS_OF_ADDRESSES,
  ...BREAKS_OF_CACHING,
  ...BREAKS_OF_ENCODINGS,
  ...BREAKS_OF_THE_MANIFEST,
  ...BREAKS_OF_RELEASES,
  ...BREAKS_OF_UPDATES,
  ...BREAKS_OF_DOWNLOADS,
  ...BREAKS_OF_FEEDS,
  ...BREAKS_OF_FILES,
  ...BREAKS_OF_THE_ARCHIVE,
];

let servers: BrokenServers;
before(async () => {
  servers = await createBrokenServers();
});
after(() => servers.close());

test("the unbroken server passes every case", async () => {
  const report = await servers.serve(null, (input) => checkRelease(input));
  assert.equal(report.passed, RELEASE_CASES.length, reportToText(report));
});

describe("a broken server is caught when it", () => {
  for (const broken of BREAKS) {
    test(broken.name, async () => {
      const report = await servers.serve(broken, (input) =>
        checkRelease(input, { only: broken.caughtBy }),
      );
      const failed = report.results.filter(({ outcome }) => outcome.kind === "failed");
      assert.deepEqual(
        failed.map(({ id }) => id).toSorted(),
        broken.caughtBy.toSorted(),
        reportToText(report),
      );
    });
  }
});

test("every case has a broken server that it catches", () => {
  const proved = new Set(BREAKS.flatMap(({ caughtBy }) => caughtBy));
  const unproved = RELEASE_CASES.filter(({ id }) => !proved.has(id)).map(({ id }) => id);
  assert.deepEqual(unproved, []);
});

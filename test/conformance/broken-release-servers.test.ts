import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { checkRelease, RELEASE_CASES, reportToText } from "../../src/conformance/index.ts";
import { BREAKS_OF_ADDRESSES } from "./breaks/addresses.ts";
import { BREAKS_OF_CACHING } from "./breaks/caching.ts";
import { BREAKS_OF_DOWNLOADS } from "./breaks/downloads.ts";
import { BREAKS_OF_EVERY_ANSWER } from "./breaks/every-answer.ts";
import { BREAKS_OF_THE_MANIFEST } from "./breaks/manifest.ts";
import { BREAKS_OF_RELEASES } from "./breaks/releases.ts";
import { BREAKS_OF_UPDATES } from "./breaks/update.ts";
import { createBrokenServers, type BrokenServers } from "./broken-release-server.ts";

const BREAKS = [
  ...BREAKS_OF_EVERY_ANSWER,
  ...BREAKS_OF_ADDRESSES,
  ...BREAKS_OF_CACHING,
  ...BREAKS_OF_THE_MANIFEST,
  ...BREAKS_OF_RELEASES,
  ...BREAKS_OF_UPDATES,
  ...BREAKS_OF_DOWNLOADS,
];

let servers: BrokenServers;
before(async () => {
  servers = await createBrokenServers();
});
after(() => servers.close());

test("the server that nothing was broken in passes every case", async () => {
  const report = await servers.serve(null, (input) => checkRelease(input));
  assert.equal(report.passed, RELEASE_CASES.length, reportToText(report));
});

describe("a broken server is caught when it", () => {
  for (const fault of BREAKS) {
    test(fault.name, async () => {
      const report = await servers.serve(fault, (input) =>
        checkRelease(input, { only: fault.caughtBy }),
      );
      const failed = report.results.filter(({ outcome }) => outcome.kind === "failed");
      assert.deepEqual(
        failed.map(({ id }) => id).toSorted(),
        fault.caughtBy.toSorted(),
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

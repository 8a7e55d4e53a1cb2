import { withHttpClient, type CheckOptions } from "../check.ts";
import { createReport, type ConformanceReport } from "../report.ts";
import { runCases } from "../run-cases.ts";
import { ADDRESS_CASES } from "./cases/addresses.ts";
import { ARCHIVE_CASES } from "./cases/archive.ts";
import { CACHING_CASES } from "./cases/caching.ts";
import { DOWNLOAD_CASES } from "./cases/download.ts";
import { ENCODING_CASES } from "./cases/encodings.ts";
import { EVERY_RESPONSE_CASES } from "./cases/every-response.ts";
import { FEED_DEADLINE_CASES } from "./cases/feed-deadlines.ts";
import { FEED_ROLLOUT_CASES } from "./cases/feed-rollouts.ts";
import { FEED_CASES } from "./cases/feeds.ts";
import { FILES_CASES } from "./cases/files.ts";
import { LIST_CASES } from "./cases/list.ts";
import { MANIFEST_CASES } from "./cases/manifest.ts";
import { RELEASES_CASES } from "./cases/releases.ts";
import { SELECTOR_CASES } from "./cases/selector.ts";
import { UPDATE_CASES } from "./cases/update.ts";
import { createReleaseServerUnderTest } from "./create-server-under-test.ts";
import type { ReleaseInput } from "./input.ts";
import type { ReleaseCase } from "./server-under-test.ts";

/** All cases of the release service, in the order of the report. */
export const RELEASE_CASES: readonly ReleaseCase[] = [
  ...EVERY_RESPONSE_CASES,
  ...ADDRESS_CASES,
  ...CACHING_CASES,
  ...ENCODING_CASES,
  ...MANIFEST_CASES,
  ...LIST_CASES,
  ...RELEASES_CASES,
  ...UPDATE_CASES,
  ...DOWNLOAD_CASES,
  ...SELECTOR_CASES,
  ...FEED_CASES,
  ...FEED_ROLLOUT_CASES,
  ...FEED_DEADLINE_CASES,
  ...FILES_CASES,
  ...ARCHIVE_CASES,
];

/**
 * Tests whether a server fulfils the release contract.
 * @returns the report, with a result for each case
 * @example
 * ```ts
 * import { checkEvents, checkRelease, checkSync, checkSyncClient } from "trellis/conformance";
 * import { isConforming, reportToText, type ConformanceReport } from "trellis/conformance";
 *
 * const account = { username: "anna", password: "only for this test" };
 * const reports: ConformanceReport[] = [
 *   await checkRelease({ baseUrl: "http://127.0.0.1:4801", fixtures: { drafts: ["2.2.0"] } }),
 *   await checkSync({ baseUrl: "http://127.0.0.1:4811", ...account }),
 *   await checkSyncClient({ baseUrl: "http://127.0.0.1:4811", ...account }),
 *   await checkEvents({ baseUrl: "http://127.0.0.1:4821", clientId: "my-app", account }),
 * ];
 * for (const report of reports) if (!isConforming(report)) throw new Error(reportToText(report));
 * ```
 */
export function checkRelease(
  input: ReleaseInput,
  options: CheckOptions = {},
): Promise<ConformanceReport> {
  return withHttpClient(options.limits, async (http) => {
    const server = createReleaseServerUnderTest(input, http);
    const results = await runCases(RELEASE_CASES, server, options);
    return createReport("release", input.baseUrl, results);
  });
}

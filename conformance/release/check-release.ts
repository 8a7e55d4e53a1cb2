import { withHttpClient, type CheckOptions } from "../check.ts";
import { createReport, type ConformanceReport } from "../report.ts";
import { runCases } from "../run-cases.ts";
import { RELEASE_CASES } from "./cases.ts";
import { createReleaseServerUnderTest } from "./create-server-under-test.ts";
import type { ReleaseInput } from "./input.ts";

/** Tests whether a server fulfils the release contract. */
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

/** Runs the release cases against a server and reports. */
import type { CheckOptions } from "./check-options.ts";
import { findSilent } from "./find-silent.ts";
import { createHttpClient } from "./http.ts";
import { RELEASE_CASES } from "./release-cases.ts";
import type { ReleaseInput } from "./release/input.ts";
import { createReleaseTarget } from "./release/target.ts";
import { createReport, type ConformanceReport } from "./report.ts";
import { runCases } from "./run-cases.ts";

export async function checkRelease(
  input: ReleaseInput,
  options: CheckOptions = {},
): Promise<ConformanceReport> {
  const { only } = options;
  const cases = RELEASE_CASES.filter(({ id }) => only === undefined || only.includes(id));
  const http = createHttpClient(options.limits);
  try {
    const results = await runCases(cases, createReleaseTarget(input, http), options);
    return createReport("release", input.baseUrl, results);
  } finally {
    http.close();
  }
}

/** The addresses of the input at which nobody answers. */
export function findUnreachable(input: ReleaseInput): Promise<string[]> {
  const urls = [input.baseUrl, input.smartDownloadUrl, input.emptyUrl];
  return findSilent(
    urls.filter((url) => url !== undefined),
    "/health",
  );
}

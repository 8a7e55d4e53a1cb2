/** Runs the release cases against a server and reports. */
import { createHttpClient, NoAnswer, type HttpLimits } from "./http.ts";
import { RELEASE_CASES } from "./release-cases.ts";
import type { ReleaseInput } from "./release/input.ts";
import { createReleaseTarget } from "./release/target.ts";
import { createReport, type ConformanceReport } from "./report.ts";
import { runCases, type RunOptions } from "./run-cases.ts";

export interface CheckOptions extends RunOptions {
  /** The ids of the cases to run; all when absent. */
  readonly only?: readonly string[];
  readonly limits?: HttpLimits;
}

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

/** The addresses of the input at which nobody answers: nothing can be said of such a server. */
export async function findUnreachable(input: ReleaseInput): Promise<string[]> {
  const urls = [input.baseUrl, input.smartDownloadUrl, input.emptyUrl];
  const http = createHttpClient();
  try {
    const found = await Promise.all(
      urls
        .filter((url) => url !== undefined)
        .map((url) =>
          http
            .origin(url)
            .get("/health")
            .then(
              () => [],
              (error: unknown) => (error instanceof NoAnswer ? [url] : []),
            ),
        ),
    );
    return found.flat();
  } finally {
    http.close();
  }
}

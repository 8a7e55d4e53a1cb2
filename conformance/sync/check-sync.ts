import { ignoreConformanceErrors, withHttpClient, type CheckOptions } from "../check.ts";
import { createReport, type ConformanceReport } from "../report.ts";
import { RATE_LIMITED_CASE_TIMEOUT_MS } from "../retry-rate-limited.ts";
import { runCases } from "../run-cases.ts";
import { CONCURRENT_SYNC_CASES } from "./cases.ts";
import { REVOCATION_CASES, THROTTLE_CASES } from "./cases/disruptive.ts";
import { createSyncServerUnderTest } from "./create-server-under-test.ts";
import type { SyncInput } from "./input.ts";
import { postCompletion, proveNewChallenge } from "./sign-in.ts";

const LIMITS = {
  // About three times what all cases need; a long log has more pages.
  maxRequests: 6_000,
  // A snapshot contains every entity of the account.
  maxBodyBytes: 256 * 1024 * 1024,
};

export function checkSync(
  input: SyncInput,
  options: CheckOptions = {},
): Promise<ConformanceReport> {
  return withHttpClient({ ...LIMITS, ...options.limits }, async (http) => {
    const server = createSyncServerUnderTest(input, http);
    const runOptions = { caseTimeoutMs: RATE_LIMITED_CASE_TIMEOUT_MS, ...options };
    const results = await runCases(CONCURRENT_SYNC_CASES, server, runOptions);
    const oneByOne = { ...runOptions, concurrency: 1 };
    results.push(...(await runCases(REVOCATION_CASES, server, oneByOne)));
    // The throttle would refuse the sign-in of the clean-up.
    await ignoreConformanceErrors(server.cleanUp);
    results.push(...(await runCases(THROTTLE_CASES, server, oneByOne)));
    return createReport("sync", input.baseUrl, results);
  });
}

/** Whether the server rejects this username and password, so that every case would fail alike. */
export function isSyncSignInRejected(input: SyncInput): Promise<boolean> {
  return withHttpClient({}, async (http) => {
    const server = createSyncServerUnderTest(input, http);
    const response = await ignoreConformanceErrors(async () =>
      postCompletion(server, await proveNewChallenge(server)),
    );
    return response?.status === 401;
  });
}

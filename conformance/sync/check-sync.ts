import { ignoreConformanceErrors, withHttpClient, type CheckOptions } from "../check.ts";
import { createReport, type ConformanceReport } from "../report.ts";
import { RATE_LIMITED_CASE_TIMEOUT_MS } from "../retry-rate-limited.ts";
import { runCases } from "../run-cases.ts";
import { ADDRESS_CASES } from "./cases/addresses.ts";
import { CHANGES_CASES } from "./cases/changes.ts";
import { CORS_CASES } from "./cases/cors.ts";
import { REVOCATION_CASES, THROTTLE_CASES } from "./cases/disruptive.ts";
import { EVERY_RESPONSE_CASES } from "./cases/every-response.ts";
import { LOGIN_PAGE_CASES } from "./cases/login-page.ts";
import { MERGE_CASES } from "./cases/merge.ts";
import { OPERATION_CASES } from "./cases/operations.ts";
import { SYNC_PASSKEY_CASES } from "./cases/passkeys.ts";
import { PULL_CASES } from "./cases/pull.ts";
import { PUSH_CASES } from "./cases/push.ts";
import { REQUEST_BODY_CASES } from "./cases/request-bodies.ts";
import { KEY_CASES } from "./cases/keys.ts";
import { SEALED_CASES } from "./cases/sealed.ts";
import { SESSION_CASES } from "./cases/sessions.ts";
import { SIGN_IN_CASES } from "./cases/sign-in.ts";
import { TOKEN_CASES } from "./cases/tokens.ts";
import { createSyncServerUnderTest, openSyncServerUnderTest } from "./create-server-under-test.ts";
import type { SyncInput } from "./input.ts";
import type { SyncCase } from "./server-under-test.ts";
import { postCompletion, proveNewChallenge } from "./sign-in.ts";

/** The cases that do not disturb each other. */
export const CONCURRENT_SYNC_CASES: readonly SyncCase[] = [
  ...EVERY_RESPONSE_CASES,
  ...ADDRESS_CASES,
  ...CORS_CASES,
  ...LOGIN_PAGE_CASES,
  ...SIGN_IN_CASES,
  ...TOKEN_CASES,
  ...SESSION_CASES,
  ...REQUEST_BODY_CASES,
  ...PUSH_CASES,
  ...OPERATION_CASES,
  ...PULL_CASES,
  ...MERGE_CASES,
  ...SEALED_CASES,
  ...KEY_CASES,
  ...CHANGES_CASES,
  ...SYNC_PASSKEY_CASES,
];

/** All cases of the sync service, in the order of the report. */
export const SYNC_CASES: readonly SyncCase[] = [
  ...CONCURRENT_SYNC_CASES,
  ...REVOCATION_CASES,
  ...THROTTLE_CASES,
];

const LIMITS = {
  // About three times what all cases need; a long log has more pages.
  maxRequests: 6_000,
  // A snapshot contains every entity of the account.
  maxBodyBytes: 256 * 1024 * 1024,
};

/**
 * Tests whether a server fulfils the sync contract.
 * @returns the report, with a result for each case
 */
export function checkSync(
  input: SyncInput,
  options: CheckOptions = {},
): Promise<ConformanceReport> {
  return withHttpClient({ ...LIMITS, ...options.limits }, async (http) => {
    const server = await openSyncServerUnderTest(input, http);
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

import { withHttpClient, type CheckOptions } from "../../check.ts";
import { createReport, type ConformanceReport } from "../../report.ts";
import { RATE_LIMITED_CASE_TIMEOUT_MS } from "../../retry-rate-limited.ts";
import { runCases } from "../../run-cases.ts";
import { openSyncServerUnderTest } from "../create-server-under-test.ts";
import type { SyncInput } from "../input.ts";
import { CLIENT_EXTENSION_CASES } from "./cases/extensions.ts";
import { CLIENT_RECOVERY_CASES } from "./cases/recovery.ts";
import { CLIENT_SESSION_CASES } from "./cases/sessions.ts";
import { CLIENT_SYNC_CASES } from "./cases/sync.ts";
import { createClientRun, type SyncClientCase } from "./client-run.ts";

/** All cases of the sync client, in the order of the report. */
export const SYNC_CLIENT_CASES: readonly SyncClientCase[] = [
  ...CLIENT_SESSION_CASES,
  ...CLIENT_SYNC_CASES,
  ...CLIENT_RECOVERY_CASES,
  ...CLIENT_EXTENSION_CASES,
];

/**
 * Tests whether the sync client of Trellis works with the server, and which of its extensions the server
 * has.
 * @returns the report, with a result for each case
 */
export function checkSyncClient(
  input: SyncInput,
  options: CheckOptions = {},
): Promise<ConformanceReport> {
  return withHttpClient(options.limits ?? {}, async (http) => {
    const run = createClientRun(await openSyncServerUnderTest(input, http));
    const runOptions = { caseTimeoutMs: RATE_LIMITED_CASE_TIMEOUT_MS, ...options };
    const results = await runCases(SYNC_CLIENT_CASES, run, runOptions);
    await run.cleanUp();
    return createReport("sync", input.baseUrl, results, "client");
  });
}

/** Runs the sync cases against a server and reports. */
import { ViolationError } from "./case.ts";
import type { CheckOptions } from "./check-options.ts";
import { createHttpClient } from "./http.ts";
import { createReport, type ConformanceReport } from "./report.ts";
import { runCases } from "./run-cases.ts";
import { LAST_SYNC_CASES, SYNC_CASES } from "./sync-cases.ts";
import type { SyncInput } from "./sync/input.ts";
import { challenge, complete, completion } from "./sync/sign-in.ts";
import { createSyncTarget, type SyncCase } from "./sync/target.ts";

const LIMITS = {
  // About three times what all cases need; a long log has more pages.
  maxRequests: 6_000,
  // A snapshot holds everything that an account has.
  maxBodyBytes: 256 * 1024 * 1024,
};

export async function checkSync(
  input: SyncInput,
  options: CheckOptions = {},
): Promise<ConformanceReport> {
  const { only } = options;
  const isWanted = ({ id }: { readonly id: string }) => only === undefined || only.includes(id);
  const [revocation, throttle] = LAST_SYNC_CASES;
  const endings = new Set<SyncCase>(LAST_SYNC_CASES);
  const http = createHttpClient({ ...LIMITS, ...options.limits });
  try {
    const target = createSyncTarget(input, http);
    const run = (cases: typeof SYNC_CASES) => runCases(cases.filter(isWanted), target, options);
    const results = await run(SYNC_CASES.filter((item) => !endings.has(item)));
    results.push(...(await run([revocation])));
    // Nobody can sign in to tidy up once the throttle holds.
    await target.cleanUp().catch(ignoreViolations);
    results.push(...(await run([throttle])));
    return createReport("sync", input.baseUrl, results);
  } finally {
    http.close();
  }
}

/** Whether the server refuses this very name and password: then every case would only fail alike. */
export async function isSignInRefused(input: SyncInput): Promise<boolean> {
  const http = createHttpClient();
  try {
    const target = createSyncTarget(input, http);
    const answer = await complete(target, await completion(target, await challenge(target)));
    return answer.status === 401;
  } catch (error) {
    ignoreViolations(error);
    return false;
  } finally {
    http.close();
  }
}

/** What is wrong with a server is for the cases to say. */
function ignoreViolations(error: unknown): void {
  if (!(error instanceof ViolationError)) throw error;
}

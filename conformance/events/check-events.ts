import { ignoreConformanceErrors, withHttpClient, type CheckOptions } from "../check.ts";
import { createReport, type ConformanceReport } from "../report.ts";
import { RATE_LIMITED_CASE_TIMEOUT_MS } from "../retry-rate-limited.ts";
import { runCases } from "../run-cases.ts";
import { casesOfLevel } from "./cases.ts";
import { createEventsServerUnderTest } from "./create-server-under-test.ts";
import type { EventsInput } from "./input.ts";

// Events contract, Limits: a client does not wait longer.
const LIMITS = { requestTimeoutMs: 15_000 };

export function checkEvents(
  input: EventsInput,
  options: CheckOptions = {},
): Promise<ConformanceReport> {
  const { level = "contract" } = input;
  return withHttpClient({ ...LIMITS, ...options.limits }, async (http) => {
    const server = createEventsServerUnderTest(input, http);
    const runOptions = { caseTimeoutMs: RATE_LIMITED_CASE_TIMEOUT_MS, ...options };
    const results = await runCases(casesOfLevel(level), server, runOptions);
    await ignoreConformanceErrors(server.cleanUp);
    return createReport("events", input.baseUrl, results, level);
  });
}

/** Whether the service rejects this username and password, so that every case would fail alike. */
export async function isEventsSignInRejected(input: EventsInput): Promise<boolean> {
  const { account } = input;
  if (account === undefined) return false;
  return withHttpClient({}, async (http) => {
    const browser = createEventsServerUnderTest(input, http).newBrowser();
    const result = await ignoreConformanceErrors(async () => {
      const signIn = await browser.beginSignIn("/sign-in", account.username);
      return signIn.complete(account.password);
    });
    return result?.response.status === 401;
  });
}

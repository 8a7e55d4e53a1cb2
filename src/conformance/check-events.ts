/** Runs the events cases against a service and reports. */
import { ViolationError } from "./case.ts";
import type { CheckOptions } from "./check-options.ts";
import { EVENTS_CASES } from "./events-cases.ts";
import type { EventsInput, EventsLevel } from "./events/input.ts";
import { createEventsTarget, type EventsCase } from "./events/target.ts";
import { createHttpClient } from "./http.ts";
import { createReport, type ConformanceReport } from "./report.ts";
import { runCases } from "./run-cases.ts";

const LIMITS = {
  // Events contract, Limits: what comes later, a client does not wait for.
  requestTimeoutMs: 15_000,
};
/** Rate limits are waited for, and a person looks for their password. */
const CASE_TIMEOUT_MS = 15 * 60_000;

export async function checkEvents(
  input: EventsInput,
  options: CheckOptions = {},
): Promise<ConformanceReport> {
  const { only } = options;
  const level = input.level ?? "contract";
  const cases = casesOfLevel(level).filter(({ id }) => only === undefined || only.includes(id));
  const http = createHttpClient({ ...LIMITS, ...options.limits });
  try {
    const target = createEventsTarget(input, http);
    const results = await runCases(cases, target, { caseTimeoutMs: CASE_TIMEOUT_MS, ...options });
    await target.cleanUp().catch(ignoreViolations);
    return createReport("events", input.baseUrl, results, level);
  } finally {
    http.close();
  }
}

/** The cases of the level `trellis` are those of the contract and more. */
export function casesOfLevel(level: EventsLevel): readonly EventsCase[] {
  return EVENTS_CASES.filter((item) => level === "trellis" || item.level === "contract");
}

/** Whether the service refuses this very name and password: then every case would only fail alike. */
export async function isSignInRefused(input: EventsInput): Promise<boolean> {
  if (input.account === undefined) return false;
  const { username, password } = input.account;
  const http = createHttpClient();
  try {
    const browser = createEventsTarget(input, http).newBrowser();
    const begun = await browser.beginSignIn("/sign-in", username);
    return (await begun.complete(password)).answer.status === 401;
  } catch (error) {
    ignoreViolations(error);
    return false;
  } finally {
    http.close();
  }
}

/** What is wrong with a service is for the cases to say. */
function ignoreViolations(error: unknown): void {
  if (!(error instanceof ViolationError)) throw error;
}

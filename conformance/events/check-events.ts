import { ignoreConformanceErrors, withHttpClient, type CheckOptions } from "../check.ts";
import { createReport, type ConformanceReport } from "../report.ts";
import { RATE_LIMITED_CASE_TIMEOUT_MS } from "../retry-rate-limited.ts";
import { runCases } from "../run-cases.ts";
import { CONTRACT_AUTHORIZATION_CASES } from "./cases/contract/authorization.ts";
import { CONTRACT_EVENTS_CASES } from "./cases/contract/events.ts";
import { CONTRACT_TOKEN_CASES } from "./cases/contract/tokens.ts";
import { AUTHORIZATION_CASES } from "./cases/trellis/authorization.ts";
import { CONSENT_CASES } from "./cases/trellis/consent.ts";
import { EVERY_RESPONSE_CASES } from "./cases/trellis/every-response.ts";
import { LIST_REQUEST_CASES } from "./cases/trellis/list-requests.ts";
import { LIST_CASES } from "./cases/trellis/list.ts";
import { PASSKEY_PAGE_CASES } from "./cases/trellis/passkeys.ts";
import { TOKEN_CASES } from "./cases/trellis/tokens.ts";
import { createEventsServerUnderTest } from "./create-server-under-test.ts";
import type { EventsInput, EventsLevel } from "./input.ts";
import type { EventsCase, EventsRequirement } from "./server-under-test.ts";

/** All cases of the events service, in the order of the report. */
export const EVENTS_CASES: readonly EventsCase[] = [
  ...withLevel("contract", [
    ...CONTRACT_AUTHORIZATION_CASES,
    ...CONTRACT_TOKEN_CASES,
    ...CONTRACT_EVENTS_CASES,
  ]),
  ...withLevel("trellis", [
    ...AUTHORIZATION_CASES,
    ...CONSENT_CASES,
    ...PASSKEY_PAGE_CASES,
    ...TOKEN_CASES,
    ...LIST_REQUEST_CASES,
    ...LIST_CASES,
    ...EVERY_RESPONSE_CASES,
  ]),
];

function withLevel(level: EventsLevel, cases: readonly EventsRequirement[]): EventsCase[] {
  return cases.map((item) => ({ ...item, level }));
}

/** The level `trellis` includes the cases of the contract. */
export function casesOfLevel(level: EventsLevel): readonly EventsCase[] {
  return EVENTS_CASES.filter((item) => level === "trellis" || item.level === "contract");
}

// Events contract, Limits: a client does not wait longer.
const LIMITS = { requestTimeoutMs: 15_000 };

/**
 * Tests whether a server fulfils the events contract.
 * @returns the report, with a result for each case
 */
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

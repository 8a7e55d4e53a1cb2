import { CONTRACT_AUTHORIZATION_CASES } from "./cases/contract/authorization.ts";
import { CONTRACT_EVENTS_CASES } from "./cases/contract/events.ts";
import { CONTRACT_TOKEN_CASES } from "./cases/contract/tokens.ts";
import { AUTHORIZATION_CASES } from "./cases/trellis/authorization.ts";
import { CONSENT_CASES } from "./cases/trellis/consent.ts";
import { EVERY_RESPONSE_CASES } from "./cases/trellis/every-response.ts";
import { LIST_REQUEST_CASES } from "./cases/trellis/list-requests.ts";
import { LIST_CASES } from "./cases/trellis/list.ts";
import { TOKEN_CASES } from "./cases/trellis/tokens.ts";
import type { EventsLevel } from "./input.ts";
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

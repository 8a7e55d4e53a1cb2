import { createChecker } from "../../src/contract/check.ts";
import { EVENTS_ERRORS } from "../../src/contract/events/errors.ts";
import {
  DeletedEvent,
  EventList,
  EventsError,
  EventsHealth,
  EventsTokenResponse,
  ServerMetadata,
  WireEvent,
} from "../../src/contract/events/schemas.ts";
import { isObject, type Members } from "../../src/contract/is-object.ts";
import { PasskeyCreation, PasskeyRequest } from "../../src/contract/passkey.ts";
import { NextPage } from "../../src/contract/passkey-pages.ts";
import { ProofAccepted, ProofChallenge } from "../../src/contract/password-proof.ts";
import {
  createBodyExpectation,
  createErrorExpectations,
  describeResponse,
  describeValue,
  expectBody,
  expectJson,
  expectStatus,
  fail,
} from "../expect.ts";
import { hideSecrets } from "../hide-secrets.ts";
import type { ReceivedResponse } from "../http.ts";

const listBody = createChecker(EventList);
const wireEvent = createChecker(WireEvent);
const deletedEvent = createChecker(DeletedEvent);

export const { expectAnyError, expectError, expectErrors, expectErrorAt } = createErrorExpectations(
  EVENTS_ERRORS,
  createChecker(EventsError),
  ({ error }) => error,
);
export const expectTokenResponse = createBodyExpectation(createChecker(EventsTokenResponse));
export const expectMetadata = createBodyExpectation(createChecker(ServerMetadata));
export const expectHealth = createBodyExpectation(createChecker(EventsHealth));
export const expectChallenge = createBodyExpectation(createChecker(ProofChallenge));
export const expectProofAccepted = createBodyExpectation(createChecker(ProofAccepted));
export const expectPasskeyChallenge = createBodyExpectation(createChecker(PasskeyRequest));
export const expectPasskeyCreation = createBodyExpectation(createChecker(PasskeyCreation));
export const expectNextPage = createBodyExpectation(createChecker(NextPage));

/** Checks each event by its kind first: the schema of the whole list would report both kinds. */
export function expectList(response: ReceivedResponse): EventList {
  for (const event of expectAnyEvents(response)) {
    const [error] = (event["deleted"] === undefined ? wireEvent : deletedEvent).errors(event);
    if (error === undefined) continue;
    const place = `${error.path} of ${describeValue(event["id"])}`;
    fail(response, "events of the declared shape", `one in which ${place} ${error.problem}`);
  }
  return expectBody(response, listBody);
}

/** Events contract, Errors: any status but 200 fails the operation. */
export function expectFailure(response: ReceivedResponse): void {
  if (response.status !== 200) return;
  fail(response, "a status other than 200", describeResponse(response));
}

/** Expects status 200 and a JSON object with any members. */
export function expectObject(response: ReceivedResponse): Members {
  expectStatus(response, 200);
  const body = expectJson(response);
  if (isObject(body)) return body;
  return fail(response, "a JSON object", describeValue(body));
}

/** The events of any compatible service; an absent list is an empty one. */
export function expectAnyEvents(response: ReceivedResponse): Members[] {
  const { events = [] } = expectObject(response);
  if (!Array.isArray(events)) {
    return fail(response, "events as an array", describeValue(events));
  }
  const other: unknown = events.find((event) => !isObject(event));
  if (other !== undefined) fail(response, "events that are objects", describeValue(other));
  return events;
}

/** The access token of any compatible service. */
export function expectAnyToken(response: ReceivedResponse): string {
  const { access_token: token } = expectObject(response);
  if (typeof token === "string" && token !== "") return token;
  return fail(response, "access_token as text", describeValue(token));
}

export function expectJsonType(response: ReceivedResponse): void {
  const type = response.header("Content-Type") ?? "none";
  if (/^application\/json\s*(?:;|$)/i.test(type)) return;
  fail(response, "Content-Type: application/json", type);
}

export function isRedirect({ status }: ReceivedResponse): boolean {
  return status >= 300 && status <= 399;
}

export function describeRedirect(response: ReceivedResponse): string {
  const location = response.header("Location");
  return location === undefined
    ? describeResponse(response)
    : `status ${response.status} to ${hideSecrets(location)}`;
}

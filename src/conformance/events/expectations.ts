import { createChecker } from "../../contract/check.ts";
import { EVENTS_ERRORS, type EventsErrorCode } from "../../contract/events/errors.ts";
import {
  DeletedEvent,
  EventList,
  EventsError,
  EventsHealth,
  EventsTokenResponse,
  ServerMetadata,
  WireEvent,
} from "../../contract/events/schemas.ts";
import { isObject } from "../../contract/is-object.ts";
import { ProofAccepted, ProofChallenge } from "../../contract/password-proof.ts";
import {
  createBodyExpectation,
  createErrorAtExpectation,
  describeResponse,
  describeValue,
  expectBody,
  expectStatus,
  fail,
  expectJson,
  type Members,
} from "../expect.ts";
import { hideSecrets } from "../hide-secrets.ts";
import type { HttpResponse } from "../http.ts";

const errorBody = createChecker(EventsError);
const listBody = createChecker(EventList);
const wireEvent = createChecker(WireEvent);
const deletedEvent = createChecker(DeletedEvent);

export const expectTokenResponse = createBodyExpectation(createChecker(EventsTokenResponse));
export const expectMetadata = createBodyExpectation(createChecker(ServerMetadata));
export const expectHealth = createBodyExpectation(createChecker(EventsHealth));
export const expectChallenge = createBodyExpectation(createChecker(ProofChallenge));
export const expectProofAccepted = createBodyExpectation(createChecker(ProofAccepted));

/** Checks each event by its kind first: the schema of the whole list would report both kinds. */
export function expectList(response: HttpResponse): EventList {
  for (const event of expectAnyEvents(response)) {
    const [error] = (event["deleted"] === undefined ? wireEvent : deletedEvent).errors(event);
    if (error === undefined) continue;
    const place = `${error.path} of ${describeValue(event["id"])}`;
    fail(response.asked, "events of the declared shape", `one in which ${place} ${error.problem}`);
  }
  return expectBody(response, listBody);
}

/** An error response with this code, and the status of the contract or the given one. */
export function expectError(
  response: HttpResponse,
  code: EventsErrorCode,
  status: number = EVENTS_ERRORS[code].status,
): EventsError {
  const expected = `status ${status} ${code}`;
  if (response.status !== status) fail(response.asked, expected, describeResponse(response));
  const body = expectBody(response, errorBody);
  return body.error === code
    ? body
    : fail(response.asked, expected, `status ${status} ${body.error}`);
}

/** Every path responds to GET with this error. */
export const expectErrorAt = createErrorAtExpectation(expectError);

export function expectAnyError(response: HttpResponse): EventsError {
  return expectBody(response, errorBody);
}

/** Events contract, Errors: any status but 200 fails the operation. */
export function expectFailure(response: HttpResponse): void {
  if (response.status !== 200) return;
  fail(response.asked, "a status other than 200", describeResponse(response));
}

/** Status 200 and a JSON object with any members. */
export function expectObject(response: HttpResponse): Members {
  expectStatus(response, 200);
  const body = expectJson(response);
  if (isObject(body)) return body;
  return fail(response.asked, "a JSON object", describeValue(body));
}

/** The events of any compatible service; an absent list is an empty one. */
export function expectAnyEvents(response: HttpResponse): Members[] {
  const { events = [] } = expectObject(response);
  if (!Array.isArray(events)) {
    return fail(response.asked, "events as an array", describeValue(events));
  }
  const other: unknown = events.find((event) => !isObject(event));
  if (other !== undefined) fail(response.asked, "events that are objects", describeValue(other));
  return events;
}

/** The access token of any compatible service. */
export function expectAnyToken(response: HttpResponse): string {
  const { access_token: token } = expectObject(response);
  if (typeof token === "string" && token !== "") return token;
  return fail(response.asked, "access_token as text", describeValue(token));
}

export function expectJsonType(response: HttpResponse): void {
  const type = response.header("Content-Type") ?? "none";
  if (/^application\/json\s*(?:;|$)/i.test(type)) return;
  fail(response.asked, "Content-Type: application/json", type);
}

export function isRedirect({ status }: HttpResponse): boolean {
  return status >= 300 && status <= 399;
}

export function describeRedirect(response: HttpResponse): string {
  const location = response.header("Location");
  return location === undefined
    ? describeResponse(response)
    : `status ${response.status} to ${hideSecrets(location)}`;
}

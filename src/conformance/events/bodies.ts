/** The bodies of the events service, as expectations: strictly for Trellis, leniently for anybody. */
import { createChecker, type Checker } from "../../contract/check.ts";
import { EVENTS_ERRORS, type EventsErrorCode } from "../../contract/events/errors.ts";
import {
  DeletedEvent,
  EventList,
  EventsError,
  EventsHealth,
  EventsTokenResponse,
  ProofAccepted,
  ProofChallenge,
  ServerMetadata,
  WireEvent,
} from "../../contract/events/schemas.ts";
import {
  describeAnswer,
  describeValue,
  expectBody,
  expectStatus,
  readJson,
  violate,
} from "../expect.ts";
import type { HttpResponse } from "../http.ts";

const errorBody = createChecker(EventsError);

const listBody = createChecker(EventList);
const wireEvent = createChecker(WireEvent);
const deletedEvent = createChecker(DeletedEvent);

export const expectTokenResponse = expectOk(createChecker(EventsTokenResponse));
export const expectMetadata = expectOk(createChecker(ServerMetadata));
export const expectHealth = expectOk(createChecker(EventsHealth));
export const expectChallenge = expectOk(createChecker(ProofChallenge));
export const expectProofAccepted = expectOk(createChecker(ProofAccepted));

function expectOk<T>(checker: Checker<T>): (answer: HttpResponse) => T {
  return (answer) => {
    expectStatus(answer, 200);
    return expectBody(answer, checker);
  };
}

/** A list in which each event is one of the two kinds, whichever it says that it is. */
export function expectList(answer: HttpResponse): EventList {
  for (const event of expectAnyEvents(answer)) {
    const [fault] = (event["deleted"] === undefined ? wireEvent : deletedEvent).faults(event);
    if (fault === undefined) continue;
    const place = `${fault.path} of ${describeValue(event["id"])}`;
    violate(answer.asked, "events of the declared shape", `one in which ${place} ${fault.problem}`);
  }
  return expectBody(answer, listBody);
}

/** An error answer with this code, and with its usual status or the one given. */
export function expectError(
  answer: HttpResponse,
  code: EventsErrorCode,
  status: number = EVENTS_ERRORS[code].status,
): EventsError {
  const expected = `status ${status} ${code}`;
  if (answer.status !== status) violate(answer.asked, expected, describeAnswer(answer));
  const body = expectBody(answer, errorBody);
  return body.error === code
    ? body
    : violate(answer.asked, expected, `status ${status} ${body.error}`);
}

export function expectAnyError(answer: HttpResponse): EventsError {
  return expectBody(answer, errorBody);
}

/** Events contract, Errors: any status but 200 fails the operation. */
export function expectFailure(answer: HttpResponse): void {
  if (answer.status !== 200) return;
  violate(answer.asked, "a status other than 200", describeAnswer(answer));
}

export type Members = Readonly<Record<string, unknown>>;

/** A JSON object of whatever members, with status 200. */
export function expectObject(answer: HttpResponse): Members {
  expectStatus(answer, 200);
  const body = readJson(answer);
  if (isObject(body)) return body;
  return violate(answer.asked, "a JSON object", describeValue(body));
}

/** The events of an answer of any compatible service; an absent list is an empty one. */
export function expectAnyEvents(answer: HttpResponse): Members[] {
  const { events = [] } = expectObject(answer);
  if (!Array.isArray(events)) {
    return violate(answer.asked, "events as an array", describeValue(events));
  }
  const odd: unknown = events.find((event) => !isObject(event));
  if (odd !== undefined) violate(answer.asked, "events that are objects", describeValue(odd));
  return events;
}

/** The access token of an answer of any compatible service. */
export function expectAnyToken(answer: HttpResponse): string {
  const { access_token: token } = expectObject(answer);
  if (typeof token === "string" && token !== "") return token;
  return violate(answer.asked, "access_token as text", describeValue(token));
}

export function expectJsonType(answer: HttpResponse): void {
  const type = answer.header("Content-Type") ?? "none";
  if (/^application\/json\s*(?:;|$)/i.test(type)) return;
  violate(answer.asked, "Content-Type: application/json", type);
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

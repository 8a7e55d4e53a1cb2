import type { EventsInput } from "../../../conformance/index.ts";
import type { EventsErrorCode } from "../../../src/contract/events/errors.ts";
import type { EventList } from "../../../src/contract/events/schemas.ts";
import { errorResponse } from "../../../src/events/responses/error-response.ts";
import type { EventsStore } from "../../../src/events/store.ts";
import type { HttpResponse } from "../../../src/http/response.ts";
import type { RawRequest } from "../../../src/http/request.ts";
import {
  changeResponse,
  changeOk,
  changeQuery,
  isPost,
  pathOf,
  queryOf,
  readText,
  withHeader,
  withTarget,
  withText,
  type BrokenResponder,
  type ServiceBreak,
} from "./break.ts";

export const ACCOUNT = { username: "ada", password: "correct horse battery" };
export const APP = {
  id: "conformance",
  name: "Conformance",
  redirectUris: ["http://localhost:43823/callback"],
};

export interface EventsBreak extends ServiceBreak {
  /** In place of `respond`, for a service that keeps state between requests. */
  createResponder?(): BrokenResponder;
  store?(real: EventsStore): EventsStore;
  readonly input?: Partial<EventsInput>;
}

export const AUTHORIZE = "/api/oauth/authorize";
export const TOKEN = "/api/oauth/token";
export const REVOKE = "/api/oauth/revoke";
export const EVENTS = "/api/events";
export const CONSENT = "/consent";
export const CALLBACK = "http://localhost:43823/callback";

type Predicate = (response: HttpResponse, request: RawRequest) => boolean;

/** Picks the responses of a path, all or those with this status. */
export function at(path: string, status?: number): Predicate {
  return (response, request) =>
    pathOf(request) === path && (status === undefined || response.status === status);
}

/** Reads the query of a path otherwise than it was sent. */
export function misreadQuery(
  path: string,
  edit: (query: URLSearchParams) => void,
): BrokenResponder {
  return (request, { real }) =>
    real(pathOf(request) === path ? changeQuery(request, edit) : request);
}

/** The same for a query as text. */
export function misreadSearch(path: string, edit: (search: string) => string): BrokenResponder {
  return (request, { real }) =>
    real(
      pathOf(request) === path ? withTarget(request, `${path}?${edit(queryOf(request))}`) : request,
    );
}

/** Reads a form otherwise than it was sent. */
export function misreadForm(path: string, edit: (form: URLSearchParams) => void): BrokenResponder {
  return respondToForm(path, (form, ask) => {
    edit(form);
    return ask(form);
  });
}

/** Responds to a form; `ask` gets the real response to it. */
export function respondToForm(
  path: string,
  handle: (
    form: URLSearchParams,
    ask: (form: URLSearchParams | string) => Promise<HttpResponse>,
    text: string,
  ) => Promise<HttpResponse>,
): BrokenResponder {
  return async (request, { real }) => {
    if (!isPost(request, path)) return real(request);
    const text = await readText(request);
    const ask = (form: URLSearchParams | string) => real(withText(request, form.toString()));
    return handle(new URLSearchParams(text), ask, text);
  };
}

/** Sends the browser elsewhere, or with something else. */
export function changeLocation(
  picks: (location: string, request: RawRequest) => boolean,
  edit: (location: string, request: RawRequest) => string,
): BrokenResponder {
  return changeResponse(
    ({ headers }, request) => picks(headers["Location"] ?? "", request),
    (response, request) =>
      withHeader(response, "Location", edit(response.headers["Location"] ?? "", request)),
  );
}

export const isSuccess = (location: string) => location.includes("?code=");
export const isErrorRedirect = (location: string) => location.includes("?error=");

/** Edits the parameters of an address. */
export function editAddress(edit: (query: URLSearchParams) => void): (location: string) => string {
  return (location) => {
    const [address = "", search = ""] = location.split("?");
    const query = new URLSearchParams(search);
    edit(query);
    return `${address}?${query.toString()}`;
  };
}

type WireList = Omit<EventList, "events"> & { events: Record<string, unknown>[] };

/** Edits the list of events. */
export function changeList(edit: (list: WireList) => object | void): BrokenResponder {
  return changeOk<WireList>(EVENTS, edit);
}

/** Edits each event of a list. */
export function changeEvents(
  edit: (event: Record<string, unknown>, index: number) => Record<string, unknown>,
): BrokenResponder {
  return changeList((list) => ({ ...list, events: list.events.map(edit) }));
}

/** An error of the contract with the headers of the given response. */
export function errorLike(
  response: HttpResponse,
  code: EventsErrorCode,
  status?: number,
): HttpResponse {
  const error = errorResponse(code, status === undefined ? {} : { status });
  return { ...error, headers: { ...response.headers, ...error.headers } };
}

/** Refuses what the real service takes. */
export function refuseWhen(
  picks: (request: RawRequest) => boolean,
  code: EventsErrorCode = "invalid_request",
): BrokenResponder {
  return changeResponse(
    (_response, request) => picks(request),
    (response) => errorLike(response, code),
  );
}

/** Keeps only the first of each parameter. */
export function keepFirst(query: URLSearchParams): void {
  for (const name of new Set(query.keys())) query.set(name, query.get(name) ?? "");
}

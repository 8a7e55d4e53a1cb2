/** A deliberately broken events service: the real one with one thing changed. */
import type { EventsInput } from "../../../src/conformance/index.ts";
import type { EventsErrorCode } from "../../../src/contract/events/errors.ts";
import type { EventList } from "../../../src/contract/events/schemas.ts";
import { errorResponse } from "../../../src/events/error-response.ts";
import type { EventsStore } from "../../../src/events/store.ts";
import type { HttpResponse } from "../../../src/http/response.ts";
import type { RawRequest } from "../../../src/http/request-context.ts";
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
  type BrokenResponse,
  type ServiceBreak,
} from "./break.ts";

export interface EventsBreak extends ServiceBreak {
  /** In place of `answer`, for a server that remembers what it saw. */
  createAnswer?(): BrokenResponse;
  store?(honest: EventsStore): EventsStore;
  readonly input?: Partial<EventsInput>;
}

export const AUTHORIZE = "/api/oauth/authorize";
export const TOKEN = "/api/oauth/token";
export const REVOKE = "/api/oauth/revoke";
export const EVENTS = "/api/events";
export const CONSENT = "/consent";
export const CALLBACK = "http://localhost:43823/callback";

type Picks = (answer: HttpResponse, exchange: RawRequest) => boolean;

/** Answers of a path, all or those with this status. */
export function at(path: string, status?: number): Picks {
  return (answer, exchange) =>
    pathOf(exchange) === path && (status === undefined || answer.status === status);
}

/** Reads the query of a path otherwise than it was sent. */
export function misreadQuery(path: string, edit: (query: URLSearchParams) => void): BrokenResponse {
  return (exchange, { honest }) =>
    honest(pathOf(exchange) === path ? changeQuery(exchange, edit) : exchange);
}

/** The same for a query as text. */
export function misreadSearch(path: string, edit: (search: string) => string): BrokenResponse {
  return (exchange, { honest }) =>
    honest(
      pathOf(exchange) === path
        ? withTarget(exchange, `${path}?${edit(queryOf(exchange))}`)
        : exchange,
    );
}

/** Reads a form otherwise than it was sent. */
export function misreadForm(path: string, edit: (form: URLSearchParams) => void): BrokenResponse {
  return answerForm(path, (form, ask) => {
    edit(form);
    return ask(form);
  });
}

/** Answers a form; the real answer is a call away. */
export function answerForm(
  path: string,
  handle: (
    form: URLSearchParams,
    ask: (form: URLSearchParams | string) => Promise<HttpResponse>,
    text: string,
  ) => Promise<HttpResponse>,
): BrokenResponse {
  return async (exchange, { honest }) => {
    if (!isPost(exchange, path)) return honest(exchange);
    const text = await readText(exchange);
    const ask = (form: URLSearchParams | string) => honest(withText(exchange, form.toString()));
    return handle(new URLSearchParams(text), ask, text);
  };
}

/** Sends the browser elsewhere, or with something else. */
export function changeLocation(
  picks: (location: string, exchange: RawRequest) => boolean,
  edit: (location: string, exchange: RawRequest) => string,
): BrokenResponse {
  return changeResponse(
    ({ headers }, exchange) => picks(headers["Location"] ?? "", exchange),
    (answer, exchange) =>
      withHeader(answer, "Location", edit(answer.headers["Location"] ?? "", exchange)),
  );
}

export const isSuccess = (location: string) => location.includes("?code=");
export const isRefusal = (location: string) => location.includes("?error=");

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
export function changeList(edit: (list: WireList) => object | void): BrokenResponse {
  return changeOk<WireList>(EVENTS, edit);
}

/** Edits each event of a list. */
export function changeEvents(
  edit: (event: Record<string, unknown>, index: number) => Record<string, unknown>,
): BrokenResponse {
  return changeList((list) => ({ ...list, events: list.events.map(edit) }));
}

/** An error of the contract with the headers that this answer has. */
export function errorLike(
  answer: HttpResponse,
  code: EventsErrorCode,
  status?: number,
): HttpResponse {
  const error = errorResponse(code, status === undefined ? {} : { status });
  return { ...error, headers: { ...answer.headers, ...error.headers } };
}

/** Refuses what the real service takes. */
export function refuseWhen(
  picks: (exchange: RawRequest) => boolean,
  code: EventsErrorCode = "invalid_request",
): BrokenResponse {
  return changeResponse(
    (_answer, exchange) => picks(exchange),
    (answer) => errorLike(answer, code),
  );
}

/** Keeps only the first of each parameter. */
export function keepFirst(query: URLSearchParams): void {
  for (const name of new Set(query.keys())) query.set(name, query.get(name) ?? "");
}

/** A deliberately broken sync server: the real service with one thing changed. */
import type { SyncErrorCode } from "../../../src/contract/sync/errors.ts";
import type { SyncError } from "../../../src/contract/sync/schemas.ts";
import type { HttpResponse } from "../../../src/http/response.ts";
import type { RawRequest } from "../../../src/http/raw-request.ts";
import type { SyncServiceOptions } from "../../../src/server/sync.ts";
import { errorResponse } from "../../../src/sync/error-response.ts";
import type { SyncRecords, SyncStore } from "../../../src/sync/store.ts";
import {
  pathOf,
  withBody,
  type BrokenResponse,
  type ServiceBreak,
  type Body,
  readText,
  withText,
  isPost,
  readAnswer,
} from "./break.ts";

export interface SyncBreak extends ServiceBreak {
  /** In place of `answer`, for a server that remembers what it saw. */
  createAnswer?(): BrokenResponse;
  store?(honest: SyncStore): SyncStore;
  readonly options?: Partial<SyncServiceOptions>;
}

export function parseBody(text: string): Body | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Body)
      : null;
  } catch {
    return null;
  }
}

/** Reads another body than the one that came, on one route or (null) on all that take one. */
export function changeBody(path: string | null, edit: (body: Body) => Body): BrokenResponse {
  return async (exchange, { honest }) => {
    if (exchange.method !== "POST" || (path !== null && pathOf(exchange) !== path)) {
      return honest(exchange);
    }
    const text = await readText(exchange);
    const body = parseBody(text);
    return honest(withText(exchange, body === null ? text : JSON.stringify(edit(body))));
  };
}

/** Answers a POST from its body; the real answer is a call away and may be asked for repeatedly. */
export function handlePost(
  path: string,
  handle: (
    body: Body,
    ask: (body: Body) => Promise<HttpResponse>,
    exchange: RawRequest,
    honest: (exchange: RawRequest) => Promise<HttpResponse>,
  ) => Promise<HttpResponse>,
): BrokenResponse {
  return async (exchange, { honest }) => {
    if (!isPost(exchange, path)) return honest(exchange);
    const text = await readText(exchange);
    const body = parseBody(text);
    if (body === null) return honest(withText(exchange, text));
    const ask = (changed: Body) => honest(withText(exchange, JSON.stringify(changed)));
    return handle(body, ask, exchange, honest);
  };
}

/** Edits the envelopes of errors that a test picks. */
export function changeError(
  picks: (error: SyncError, exchange: RawRequest) => boolean,
  change: (
    error: SyncError,
    exchange: RawRequest,
    answer: HttpResponse,
  ) => HttpResponse | Partial<SyncError>,
): BrokenResponse {
  return async (exchange, { honest }) => {
    const answer = await honest(exchange);
    const isJson = answer.headers["Content-Type"]?.startsWith("application/json") === true;
    if (answer.status < 400 || answer.body === null || !isJson) return answer;
    const error = JSON.parse(await readAnswer(answer)) as SyncError;
    if (!picks(error, exchange)) return answer;
    const changed = change(error, exchange, answer);
    return "status" in changed
      ? changed
      : withBody(answer, JSON.stringify({ ...error, ...changed }));
  };
}

/** An error of the contract with the headers that this answer has. */
export function errorLike(
  answer: HttpResponse,
  code: SyncErrorCode,
  details: { readonly status?: number; readonly message?: string } = {},
): HttpResponse {
  const requestId = answer.headers["X-Request-Id"] ?? "";
  const error = errorResponse(code, requestId, details);
  return { ...error, headers: { ...answer.headers, ...error.headers } };
}

export function okLike(answer: HttpResponse, body: unknown): HttpResponse {
  return withBody({ ...answer, status: 200 }, JSON.stringify(body));
}

/** A store whose records of sign-in and sessions are changed. */
export function changeRecords(
  honest: SyncStore,
  change: (records: SyncRecords) => SyncRecords,
): SyncStore {
  return {
    ...honest,
    transaction: (work) => honest.transaction((records) => work(change(records))),
  };
}

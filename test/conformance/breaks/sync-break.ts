import type { SoftwarePasskey } from "../../../conformance/authenticator.ts";
import type { SyncErrorCode } from "../../../src/contract/sync/errors.ts";
import type { SyncError } from "../../../src/contract/sync/schemas.ts";
import type { HttpResponse } from "../../../src/http/response.ts";
import type { RawRequest } from "../../../src/http/request.ts";
import type { SyncServiceOptions } from "../../../src/sync/setup/options.ts";
import { errorResponse } from "../../../src/sync/responses/error-response.ts";
import type { SyncRecords, SyncStore } from "../../../src/sync/store.ts";
import {
  pathOf,
  withBody,
  type BrokenResponder,
  type ServiceBreak,
  type Body,
  readText,
  withText,
  isPost,
  readResponseBody,
} from "./break.ts";

export const ACCOUNT = { username: "ada", password: "correct horse battery" };

export interface SyncBreak extends ServiceBreak {
  /** In place of `respond`, for a service that keeps state, or has the account's passkey. */
  createResponder?(passkey: SoftwarePasskey): BrokenResponder;
  store?(real: SyncStore): SyncStore;
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
export function changeBody(path: string | null, edit: (body: Body) => Body): BrokenResponder {
  return async (request, { real }) => {
    if (request.method !== "POST" || (path !== null && pathOf(request) !== path)) {
      return real(request);
    }
    const text = await readText(request);
    const body = parseBody(text);
    return real(withText(request, body === null ? text : JSON.stringify(edit(body))));
  };
}

/** Responds to a POST; `ask` gets the real response to a body, also repeatedly. */
export function handlePost(
  path: string,
  handle: (
    body: Body,
    ask: (body: Body) => Promise<HttpResponse>,
    request: RawRequest,
    real: (request: RawRequest) => Promise<HttpResponse>,
  ) => Promise<HttpResponse>,
): BrokenResponder {
  return async (request, { real }) => {
    if (!isPost(request, path)) return real(request);
    const text = await readText(request);
    const body = parseBody(text);
    if (body === null) return real(withText(request, text));
    const ask = (changed: Body) => real(withText(request, JSON.stringify(changed)));
    return handle(body, ask, request, real);
  };
}

/** Edits the envelopes of errors that a test picks. */
export function changeError(
  picks: (error: SyncError, request: RawRequest) => boolean,
  change: (
    error: SyncError,
    request: RawRequest,
    response: HttpResponse,
  ) => HttpResponse | Partial<SyncError>,
): BrokenResponder {
  return async (request, { real }) => {
    const response = await real(request);
    const isJson = response.headers["Content-Type"]?.startsWith("application/json") === true;
    if (response.status < 400 || response.body === null || !isJson) return response;
    const error = JSON.parse(await readResponseBody(response)) as SyncError;
    if (!picks(error, request)) return response;
    const changed = change(error, request, response);
    return "status" in changed
      ? changed
      : withBody(response, JSON.stringify({ ...error, ...changed }));
  };
}

/** An error of the contract with the headers of the given response. */
export function errorLike(
  response: HttpResponse,
  code: SyncErrorCode,
  details: { readonly status?: number; readonly message?: string } = {},
): HttpResponse {
  const requestId = response.headers["X-Request-Id"] ?? "";
  const error = errorResponse(code, requestId, details);
  return { ...error, headers: { ...response.headers, ...error.headers } };
}

export function okLike(response: HttpResponse, body: unknown): HttpResponse {
  return withBody({ ...response, status: 200 }, JSON.stringify(body));
}

/** A store that is changed in one kind of its records, in every transaction. */
export function changeRecords<Kind extends keyof SyncRecords>(
  kind: Kind,
  change: (real: SyncRecords[Kind]) => Partial<SyncRecords[Kind]>,
): Pick<SyncBreak, "store"> {
  return {
    store: (store) => ({
      ...store,
      transaction: (work) =>
        store.transaction((records) => {
          const real = records[kind];
          return work({ ...records, [kind]: { ...real, ...change(real) } });
        }),
    }),
  };
}

/** A store that is changed in what it does with operations. */
export function changeOperations(
  change: (real: SyncStore["operations"]) => Partial<SyncStore["operations"]>,
): Pick<SyncBreak, "store"> {
  return {
    store: ({ operations, ...store }) => ({
      ...store,
      operations: { ...operations, ...change(operations) },
    }),
  };
}

/** What every answer of the sync service carries, and who may ask from where. */
import { SYNC_ROUTES } from "../contract/sync/routes.ts";
import type { SyncErrorCode } from "../contract/sync/errors.ts";
import { REQUEST_ID_PATTERN } from "../contract/sync/values.ts";
import { StorageUnavailableError } from "../database/database.ts";
import type { HttpResponse } from "../http/response.ts";
import type { HttpError } from "../http/http-error.ts";
import type { ServicePolicy } from "../http/create-http-service.ts";
import { createRequestId } from "../http/create-request-id.ts";
import type { RawRequest } from "../http/raw-request.ts";
import { createSecurityHeaders } from "../http/security-headers.ts";
import { splitTarget } from "../http/target.ts";
import { toErrorResponse, codeOf, STORAGE_ERROR } from "./error-response.ts";
import type { LoginPages } from "./login-pages.ts";

export interface PolicySettings {
  readonly baseUrl: string;
  /** Exact origins; there is no wildcard. */
  readonly corsOrigins: readonly string[];
  /** The name of the CSRF header. */
  readonly csrfHeader: string;
  readonly pages: LoginPages;
}

type ServiceHookOverrides = Pick<
  ServicePolicy<never>,
  | "headers"
  | "headersFor"
  | "checkOrigin"
  | "createRequestId"
  | "toErrorResponse"
  | "handlePreflight"
  | "explainError"
>;

/** Sync contract, Authentication 7 to 9. */
export function createServiceHooks(settings: PolicySettings): ServiceHookOverrides {
  const own = new URL(settings.baseUrl).origin;
  const trusted = new Set(settings.corsOrigins);
  const allowedHeaders = ["authorization", "content-type", settings.csrfHeader, "x-request-id"];
  const isTrusted = (origin: string | null): origin is string =>
    origin !== null && trusted.has(origin);

  return {
    headers: createSecurityHeaders(settings.baseUrl.startsWith("https:")),
    headersFor(exchange): Readonly<Record<string, string>> {
      const origin = exchange.header("origin");
      // Caches are forbidden, but a proxy that keeps answers anyway must not mix origins up.
      return isTrusted(origin)
        ? {
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Expose-Headers": "Retry-After, X-Request-Id",
            Vary: "Origin",
          }
        : { Vary: "Origin" };
    },
    checkOrigin(exchange): HttpError | null {
      const origin = exchange.header("origin");
      return origin === null || origin === own || isTrusted(origin)
        ? null
        : { kind: "origin-denied" };
    },
    createRequestId(exchange) {
      const given = exchange?.header("x-request-id") ?? null;
      return given !== null && REQUEST_ID.test(given) ? given : createRequestId();
    },
    toErrorResponse(problem, requestId, exchange): HttpResponse {
      const answer = toErrorResponse(problem, requestId);
      return exchange !== null && isPersonAtAuthorize(exchange)
        ? answerPerson(settings.pages, codeOf(problem), answer, requestId, exchange)
        : answer;
    },
    handlePreflight(exchange, methods, requestId): HttpResponse {
      const problem = judgePreflight(exchange, methods, allowedHeaders, isTrusted);
      return problem === null
        ? preflightResponse(methods, allowedHeaders)
        : toErrorResponse(problem, requestId);
    },
    explainError: (error) => (error instanceof StorageUnavailableError ? STORAGE_ERROR : null),
  };
}

/** Somebody's browser, sent to the sign-in page. */
function isPersonAtAuthorize(exchange: RawRequest): boolean {
  return (
    exchange.method === "GET" &&
    splitTarget(exchange.target).path === SYNC_ROUTES.getAuthorizePage.path &&
    (exchange.header("accept") ?? "").includes("text/html")
  );
}

/** The same failure, readable. */
function answerPerson(
  pages: LoginPages,
  code: SyncErrorCode,
  { status, headers }: HttpResponse,
  requestId: string,
  exchange: RawRequest,
): HttpResponse {
  const page = pages.error({ status, code, requestId }, exchange);
  const { "Content-Length": _length, "Content-Type": _type, ...own } = headers;
  return { ...page, headers: { ...own, ...page.headers } };
}

const REQUEST_ID = new RegExp(REQUEST_ID_PATTERN);

/** Only what the contract documents may be asked for. */
function judgePreflight(
  exchange: RawRequest,
  methods: readonly string[],
  allowedHeaders: readonly string[],
  isTrusted: (origin: string | null) => boolean,
): HttpError | null {
  const method = exchange.header("access-control-request-method");
  if (exchange.header("origin") === null || method === null) {
    return { kind: "method-not-allowed", allow: methods };
  }
  const headers = (exchange.header("access-control-request-headers") ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
  const isAllowed =
    isTrusted(exchange.header("origin")) &&
    methods.includes(method) &&
    headers.every((name) => allowedHeaders.includes(name));
  return isAllowed ? null : { kind: "origin-denied" };
}

function preflightResponse(methods: readonly string[], headers: readonly string[]): HttpResponse {
  return {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": methods.join(", "),
      "Access-Control-Allow-Headers": headers.join(", "),
      "Access-Control-Max-Age": "600",
    },
    body: null,
  };
}

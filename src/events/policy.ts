/** What every answer of the events service carries, and how failures look to programs and people. */
import { EVENTS_PAGE_ROUTES } from "../contract/events/page-routes.ts";
import { EVENTS_ROUTES } from "../contract/events/routes.ts";
import { StorageUnavailableError } from "../database/database.ts";
import type { HttpResponse } from "../http/response.ts";
import type { ServicePolicy } from "../http/create-http-service.ts";
import { createRequestId } from "../http/create-request-id.ts";
import type { RawRequest } from "../http/raw-request.ts";
import type { HttpError } from "../http/http-error.ts";
import { createSecurityHeaders } from "../http/security-headers.ts";
import { decodeSegments, splitTarget } from "../http/target.ts";
import { toErrorResponse, explainProblem, STORAGE_ERROR } from "./error-response.ts";
import type { EventsPages } from "./pages.ts";
import type { PageSessions } from "./visits.ts";

export interface PolicySettings {
  readonly isHttps: boolean;
  readonly pages: EventsPages;
  readonly visits: PageSessions;
}

type ServiceHookOverrides = Pick<
  ServicePolicy,
  | "headers"
  | "headersFor"
  | "createRequestId"
  | "toErrorResponse"
  | "handlePreflight"
  | "explainError"
>;

const { getAuthorizePage, redeemCode, revokeToken, listEvents, getServerMetadata } = EVENTS_ROUTES;

/**
 * Apps that run in a page ask these from any origin. No cookie is accepted there, so a foreign page
 * gets nothing that it could not get from its own server.
 */
const SHARED_PATHS = new Set<string>(
  [redeemCode, revokeToken, listEvents, getServerMetadata].map(({ path }) => path),
);
/** RFC 6749 5.1 */
const TOKEN_PATHS = new Set<string>([redeemCode.path, revokeToken.path]);
const PAGE_PATHS = new Set<string>(Object.values(EVENTS_PAGE_ROUTES).map(({ path }) => path));

const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Link, Retry-After, WWW-Authenticate, X-Request-Id",
};
const NOTHING = {};
const CORS_OF_TOKENS = { ...CORS, Pragma: "no-cache" };

export function createServiceHooks(settings: PolicySettings): ServiceHookOverrides {
  return {
    headers: createSecurityHeaders(settings.isHttps),
    headersFor(exchange): Readonly<Record<string, string>> {
      const path = pathOf(exchange);
      if (TOKEN_PATHS.has(path)) return CORS_OF_TOKENS;
      return SHARED_PATHS.has(path) ? CORS : NOTHING;
    },
    createRequestId,
    toErrorResponse(problem, requestId, exchange): HttpResponse {
      return exchange !== null && isForPerson(exchange)
        ? answerPerson(settings, problem, requestId, exchange)
        : toErrorResponse(problem);
    },
    handlePreflight(exchange, methods): HttpResponse {
      const isPreflight = exchange.header("access-control-request-method") !== null;
      return isPreflight && SHARED_PATHS.has(pathOf(exchange))
        ? preflightResponse(methods)
        : toErrorResponse({ kind: "method-not-allowed", allow: methods });
    },
    explainError: (error) => (error instanceof StorageUnavailableError ? STORAGE_ERROR : null),
  };
}

/** As the router reads it: an escape may hide a letter. */
function pathOf(exchange: RawRequest): string {
  const { path } = splitTarget(exchange.target);
  if (!path.includes("%")) return path;
  const segments = decodeSegments(path);
  return segments === null || segments === "malformed" ? path : `/${segments.join("/")}`;
}

/** Somebody's browser, and not the script of a page. */
function isForPerson(exchange: RawRequest): boolean {
  const path = pathOf(exchange);
  if (path === getAuthorizePage.path) return true;
  const accepts = exchange.header("accept") ?? "";
  if (!PAGE_PATHS.has(path)) return !path.startsWith("/api/") && accepts.includes("text/html");
  const sends = exchange.header("content-type") ?? "";
  return !sends.includes("application/json") && !accepts.includes("application/json");
}

/** The same failure, readable. */
function answerPerson(
  { pages, visits }: PolicySettings,
  problem: HttpError,
  requestId: string,
  exchange: RawRequest,
): HttpResponse {
  const { status, page: code, headers } = explainProblem(problem);
  const { path, search } = splitTarget(exchange.target);
  const retryAfterSeconds = "retryAfterSeconds" in problem ? problem.retryAfterSeconds : null;
  const page = pages.error(
    { status, code, retryAfterSeconds, requestId },
    visits.frameOfError(exchange, path, search),
  );
  return { ...page, headers: { ...headers, ...page.headers } };
}

const ALLOWED_HEADERS = ["authorization", "content-type"];

function preflightResponse(methods: readonly string[]): HttpResponse {
  return {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": methods.join(", "),
      "Access-Control-Allow-Headers": ALLOWED_HEADERS.join(", "),
      "Access-Control-Max-Age": "600",
    },
    body: null,
  };
}

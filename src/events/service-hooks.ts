/** Headers, preflights and error responses of the events service. */
import { EVENTS_PAGE_ROUTES } from "../contract/events/page-routes.ts";
import { EVENTS_ROUTES } from "../contract/events/routes.ts";
import { StorageUnavailableError } from "../database/database.ts";
import type { ServicePolicy } from "../http/create-http-service.ts";
import { createRequestId } from "../http/create-request-id.ts";
import type { HttpError } from "../http/http-error.ts";
import type { RawRequest } from "../http/raw-request.ts";
import type { HttpResponse } from "../http/response.ts";
import { createSecurityHeaders } from "../http/security-headers.ts";
import { decodeSegments, splitTarget } from "../http/target.ts";
import type { EventsDependencies } from "./dependencies.ts";
import { explainProblem, STORAGE_ERROR, toErrorResponse } from "./error-response.ts";

const { getAuthorizePage, redeemCode, revokeToken, listEvents, getServerMetadata } = EVENTS_ROUTES;

/** Open to apps in pages of any origin. No cookie counts here, so other origins gain nothing by it. */
const CORS_PATHS = new Set<string>(
  [redeemCode, revokeToken, listEvents, getServerMetadata].map(({ path }) => path),
);
/** RFC 6749 5.1 */
const TOKEN_PATHS = new Set<string>([redeemCode.path, revokeToken.path]);
const PAGE_PATHS = new Set<string>(Object.values(EVENTS_PAGE_ROUTES).map(({ path }) => path));

const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Link, Retry-After, WWW-Authenticate, X-Request-Id",
};
const NO_HEADERS = {};
const TOKEN_CORS = { ...CORS, Pragma: "no-cache" };

export function createServiceHooks(
  dependencies: Pick<EventsDependencies, "pages" | "pageSessions">,
  isHttps: boolean,
) {
  return {
    headers: createSecurityHeaders(isHttps),
    headersFor(request): Readonly<Record<string, string>> {
      const path = pathOf(request);
      if (TOKEN_PATHS.has(path)) return TOKEN_CORS;
      return CORS_PATHS.has(path) ? CORS : NO_HEADERS;
    },
    createRequestId,
    toErrorResponse(error, requestId, request): HttpResponse {
      return request !== null && wantsPage(request)
        ? toErrorPage(dependencies, error, requestId, request)
        : toErrorResponse(error);
    },
    handlePreflight(request, methods): HttpResponse {
      const isPreflight = request.header("access-control-request-method") !== null;
      return isPreflight && CORS_PATHS.has(pathOf(request))
        ? preflightResponse(methods)
        : toErrorResponse({ kind: "method-not-allowed", allow: methods });
    },
    explainError: (error) => (error instanceof StorageUnavailableError ? STORAGE_ERROR : null),
  } satisfies Partial<ServicePolicy>;
}

/** Decoded like in the router. */
function pathOf(request: RawRequest): string {
  const { path } = splitTarget(request.target);
  if (!path.includes("%")) return path;
  const segments = decodeSegments(path);
  return segments === null || segments === "malformed" ? path : `/${segments.join("/")}`;
}

/** Whether a person sees the response, rather than a script or an app. */
function wantsPage(request: RawRequest): boolean {
  const path = pathOf(request);
  if (path === getAuthorizePage.path) return true;
  const accepts = request.header("accept") ?? "";
  if (!PAGE_PATHS.has(path)) return !path.startsWith("/api/") && accepts.includes("text/html");
  const sends = request.header("content-type") ?? "";
  return !sends.includes("application/json") && !accepts.includes("application/json");
}

function toErrorPage(
  { pages, pageSessions }: Pick<EventsDependencies, "pages" | "pageSessions">,
  error: HttpError,
  requestId: string,
  request: RawRequest,
): HttpResponse {
  const { status, page: code, headers } = explainProblem(error);
  const { path, search } = splitTarget(request.target);
  const retryAfterSeconds = "retryAfterSeconds" in error ? error.retryAfterSeconds : null;
  const page = pages.problem(
    { status, code, retryAfterSeconds, requestId },
    pageSessions.errorFrame(request, path, search),
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

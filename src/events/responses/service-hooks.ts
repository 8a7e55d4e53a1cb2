/** The headers of every response of the events service, and its errors as JSON or as pages. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { EVENTS_ROUTES } from "../../contract/events/routes.ts";
import { StorageUnavailableError } from "../../database/database.ts";
import { STORAGE_UNAVAILABLE, type HttpError } from "../../http/http-error.ts";
import { acceptsHtml, createRequestId, type RawRequest } from "../../http/request.ts";
import { preflightResponse, type HttpResponse } from "../../http/response.ts";
import { createSecurityHeaders, type ServiceHooks } from "../../http/service-hooks.ts";
import { decodedPath, splitTarget } from "../../http/target.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import { toErrorResponse, toEventsError } from "./error-response.ts";
import type { ErrorView } from "../pages.ts";

const { getAuthorizePage, redeemCode, revokeToken, listEvents, getServerMetadata } = EVENTS_ROUTES;

/** Any origin may call these: without cookies a page gets nothing that its own server could not get. */
const CORS_PATHS = new Set<string>(
  [redeemCode, revokeToken, listEvents, getServerMetadata].map(({ path }) => path),
);
const TOKEN_PATHS = new Set<string>([redeemCode.path, revokeToken.path]);
const PAGE_PATHS = new Set<string>(Object.values(EVENTS_PAGE_ROUTES).map(({ path }) => path));

const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Link, Retry-After, WWW-Authenticate, X-Request-Id",
};
/** RFC 6749 5.1 */
const TOKEN_HEADERS = { ...CORS_HEADERS, Pragma: "no-cache" };

const PREFLIGHT_MAX_AGE_SECONDS = 600;

export function createEventsHooks(dependencies: EventsDependencies) {
  return {
    headers: createSecurityHeaders(dependencies.isHttps),
    headersFor(request): Readonly<Record<string, string>> {
      const path = decodedPath(request.target);
      if (TOKEN_PATHS.has(path)) return TOKEN_HEADERS;
      return CORS_PATHS.has(path) ? CORS_HEADERS : {};
    },
    createRequestId,
    toErrorResponse: (error, requestId, request): HttpResponse =>
      request !== null && wantsPage(request, error)
        ? errorPage(dependencies, error, requestId, request)
        : toErrorResponse(error),
    handlePreflight(request, methods): HttpResponse {
      const isPreflight = request.header("access-control-request-method") !== null;
      return isPreflight && CORS_PATHS.has(decodedPath(request.target))
        ? preflightResponse(methods, ["authorization", "content-type"], PREFLIGHT_MAX_AGE_SECONDS)
        : toErrorResponse({ kind: "method-not-allowed", allow: methods });
    },
    explainException(exception): HttpError | null {
      if (!(exception instanceof StorageUnavailableError)) return null;
      dependencies.storage.reportFailure(exception);
      return STORAGE_UNAVAILABLE;
    },
  } satisfies Partial<ServiceHooks>;
}

/** Whether a browser shows the response, rather than the script of a page. */
function wantsPage(request: RawRequest, { kind }: HttpError): boolean {
  if (kind === "unknown-path") return acceptsHtml(request);
  const path = decodedPath(request.target);
  if (path === getAuthorizePage.path) return true;
  const accepts = request.header("accept") ?? "";
  if (!PAGE_PATHS.has(path)) return !path.startsWith("/api/") && acceptsHtml(request);
  const sends = request.header("content-type") ?? "";
  return !sends.includes("application/json") && !accepts.includes("application/json");
}

function errorPage(
  { pages, sessions }: EventsDependencies,
  error: HttpError,
  requestId: string,
  request: RawRequest,
): HttpResponse {
  const { status, headers, code: errorCode } = toEventsError(error);
  const code = PAGE_CODES[status] ?? "malformed-request";
  const { path, search } = splitTarget(request.target);
  const retryAfterSeconds = "retryAfterSeconds" in error ? error.retryAfterSeconds : null;
  const page = pages.error(
    { status, code, retryAfterSeconds, requestId },
    sessions.plainFrame(request, path, search),
  );
  return { ...page, headers: { ...headers, ...page.headers }, errorCode };
}

const PAGE_CODES: Readonly<Record<number, ErrorView["code"]>> = {
  404: "not-found",
  405: "method-not-allowed",
  429: "too-many-requests",
  500: "unexpected",
  503: "unavailable",
};

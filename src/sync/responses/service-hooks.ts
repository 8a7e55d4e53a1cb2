/** The headers of every response of the sync service, its origin and token checks, its error pages. */
import { KEY_HEADER } from "../../contract/sync/account-keys.ts";
import { PAGE_HEADER } from "../../contract/sync/page-header.ts";
import { REFUSED_HEADER } from "../../contract/sync/refused-operations.ts";
import type { LoginErrorView } from "../../contract/sync/page-views.ts";
import { SYNC_ROUTES } from "../../contract/sync/routes.ts";
import { REQUEST_ID_PATTERN } from "../../contract/sync/values.ts";
import { StorageUnavailableError } from "../../database/database.ts";
import type { StorageMonitor } from "../../database/storage-monitor.ts";
import { STORAGE_UNAVAILABLE, type HttpError } from "../../http/http-error.ts";
import { acceptsHtml, createRequestId, type RawRequest } from "../../http/request.ts";
import { preflightResponse, type HttpResponse } from "../../http/response.ts";
import { createSecurityHeaders, type ServiceHooks } from "../../http/service-hooks.ts";
import { decodedPath } from "../../http/target.ts";
import { isUnlistedRedirect, toErrorResponse, toSyncErrorCode } from "./error-response.ts";
import type { LoginPages } from "../pages.ts";
import type { StoredServiceNotice } from "../../http/stored-service.ts";
import { isLoopbackAddress } from "../sign-in/loopback-address.ts";

export interface HookSettings {
  readonly storage: StorageMonitor;
  readonly baseUrl: string;
  /** Exact origins; there is no wildcard. */
  readonly corsOrigins: readonly string[];
  /** Also allows every origin on this machine. */
  readonly allowLoopbackApps?: boolean;
  readonly csrfHeader: string;
  readonly pages: LoginPages;
  /** The paths of pages for the owner, which are for the own origin alone. */
  readonly ownerPaths: ReadonlySet<string>;
  onNotice(notice: StoredServiceNotice): void;
}

/** What scripts of configured origins may read beside the body. */
const EXPOSED_HEADERS = `Retry-After, ${PAGE_HEADER}, ${REFUSED_HEADER}, X-Request-Id`;
const PREFLIGHT_MAX_AGE_SECONDS = 600;
const REQUEST_ID = new RegExp(REQUEST_ID_PATTERN);

/** Sync contract, Authentication 7 to 9. */
export function createSyncHooks(settings: HookSettings) {
  const own = new URL(settings.baseUrl).origin;
  const trusted = new Set(settings.corsOrigins);
  const isListed = (origin: string) =>
    trusted.has(origin) || (settings.allowLoopbackApps === true && isLoopbackAddress(origin));
  const allowedHeaders = [
    "authorization",
    "content-type",
    settings.csrfHeader,
    KEY_HEADER.toLowerCase(),
    "x-request-id",
  ];
  const isOwnerPath = ({ target }: RawRequest) => settings.ownerPaths.has(decodedPath(target));
  const isTrusted = (origin: string | null, request: RawRequest): origin is string =>
    origin !== null && isListed(origin) && !isOwnerPath(request);
  const isAccepted = (request: RawRequest, requestId: string): boolean => {
    const origin = request.header("origin");
    if (origin === null || origin === own || isTrusted(origin, request)) return true;
    // The operator must learn what to list; what a stranger sent is logged only as an origin.
    if (!isListed(origin)) {
      settings.onNotice({ kind: "origin-refused", requestId, origin: toOrigin(origin) });
    }
    return false;
  };

  return {
    headers: createSecurityHeaders(settings.baseUrl.startsWith("https:")),
    headersFor(request): Readonly<Record<string, string>> {
      const origin = request.header("origin");
      // Caching is forbidden, but a proxy that caches anyway must not mix origins up.
      return isTrusted(origin, request)
        ? {
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Expose-Headers": EXPOSED_HEADERS,
            Vary: "Origin",
          }
        : { Vary: "Origin" };
    },
    checkOrigin: (request, requestId): HttpError | null =>
      isAccepted(request, requestId) ? null : { kind: "origin-denied" },
    createRequestId(request) {
      const given = request?.header("x-request-id") ?? null;
      return given !== null && REQUEST_ID.test(given) ? given : createRequestId();
    },
    toErrorResponse(error, requestId, request): HttpResponse {
      const response = toErrorResponse(error, requestId);
      const isPage =
        request !== null &&
        (isAuthorizePage(request) ||
          (error.kind === "unknown-path" && acceptsHtml(request)) ||
          // The form of the owner's page shows the errors of a person itself; other errors need a page.
          (isOwnerPath(request) && acceptsHtml(request) && response.status >= 429));
      return isPage ? errorPage(settings.pages, error, response, requestId, request) : response;
    },
    handlePreflight(request, methods, requestId): HttpResponse {
      const error = checkPreflight(
        request,
        methods,
        allowedHeaders,
        isAccepted(request, requestId) && isTrusted(request.header("origin"), request),
      );
      return error === null
        ? preflightResponse(methods, allowedHeaders, PREFLIGHT_MAX_AGE_SECONDS)
        : toErrorResponse(error, requestId);
    },
    explainException(exception): HttpError | null {
      if (!(exception instanceof StorageUnavailableError)) return null;
      settings.storage.reportFailure(exception);
      return STORAGE_UNAVAILABLE;
    },
  } satisfies Partial<ServiceHooks>;
}

/** Apps in a web view have origins such as `capacitor://localhost`, which `URL` calls opaque. */
const ORIGIN = /^[a-z][a-z0-9+.-]{0,31}:\/\/[A-Za-z0-9.:[\]-]{1,261}$/;

function toOrigin(text: string): string {
  return ORIGIN.test(text) ? text : "null";
}

function isAuthorizePage(request: RawRequest): boolean {
  return (
    (request.method === "GET" || request.method === "HEAD") &&
    decodedPath(request.target) === SYNC_ROUTES.getAuthorizePage.path &&
    acceptsHtml(request)
  );
}

function errorPage(
  pages: LoginPages,
  error: HttpError,
  { status, headers }: HttpResponse,
  requestId: string,
  request: RawRequest,
): HttpResponse {
  const reason = findReason(error);
  const code = toSyncErrorCode(error);
  const page = pages.error({ status, code, reason, requestId }, request);
  const { "Content-Length": _length, "Content-Type": _type, ...own } = headers;
  return { ...page, headers: { ...own, ...page.headers }, errorCode: code };
}

function findReason(error: HttpError): LoginErrorView["reason"] {
  if (isUnlistedRedirect(error)) return "redirect-not-listed";
  return error.kind === "unavailable" && error.isSuspended === true ? "suspended" : null;
}

function checkPreflight(
  request: RawRequest,
  methods: readonly string[],
  allowedHeaders: readonly string[],
  isTrusted: boolean,
): HttpError | null {
  const method = request.header("access-control-request-method");
  if (request.header("origin") === null || method === null) {
    return { kind: "method-not-allowed", allow: methods };
  }
  const headers = (request.header("access-control-request-headers") ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
  const isAllowed =
    isTrusted && methods.includes(method) && headers.every((name) => allowedHeaders.includes(name));
  return isAllowed ? null : { kind: "origin-denied" };
}

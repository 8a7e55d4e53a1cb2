import { randomBytes, randomUUID } from "node:crypto";
import { CACHE } from "../../contract/release/routes.ts";
import { RELEASE_STRICTNESS } from "../../contract/strictness.ts";
import { createMemoryRateLimiter, type RateLimit } from "../../http/rate-limit.ts";
import { createFrameAnywhere, htmlResponse } from "../../http/html-response.ts";
import { acceptsHtml, type RawRequest } from "../../http/request.ts";
import { preflightResponse, type HttpResponse } from "../../http/response.ts";
import {
  createEmbeddingHooks,
  type EmbeddingOptions,
  type ServiceHooks,
} from "../../http/service-hooks.ts";
import { renderNotFoundPage } from "../../web/error-card.ts";
import { toErrorResponse } from "./error-response.ts";

export interface ReleaseHookOptions extends EmbeddingOptions {
  readonly baseUrl: string;
  /** Pages of errors lead there. */
  readonly websiteDownloadUrl: string;
  readonly rateLimit?: RateLimit;
}

/** The headers that every response of this service carries, and how its failures are worded. */
export function createReleaseHooks(options: ReleaseHookOptions): ServiceHooks {
  return {
    headers: {
      // Public, read-only, without credentials: any page may read it.
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": "ETag, X-Request-Id",
      "X-Content-Type-Options": "nosniff",
      ...(options.baseUrl.startsWith("https:") && {
        "Strict-Transport-Security": "max-age=31536000",
      }),
    },
    createRequestId: () => randomUUID(),
    ignoresUnexpectedBodies: RELEASE_STRICTNESS.ignores("unexpected-body"),
    toErrorResponse(error, requestId, request) {
      const response = toErrorResponse(error, requestId);
      return error.kind === "unknown-path" && request !== null && acceptsHtml(request)
        ? notFoundPage(response, requestId, request, options)
        : response;
    },
    handlePreflight(_request, methods) {
      const response = preflightResponse(methods, ["If-None-Match"], 86_400);
      return { ...response, headers: { ...response.headers, "Cache-Control": CACHE.never } };
    },
    ...createEmbeddingHooks(options),
    ...(options.rateLimit !== undefined && {
      rateLimiter: createMemoryRateLimiter(options.rateLimit),
    }),
  };
}

/** For a browser; programs get the error of the contract. */
function notFoundPage(
  { status, headers, errorCode = "not_found" }: HttpResponse,
  requestId: string,
  request: RawRequest,
  { websiteDownloadUrl }: ReleaseHookOptions,
): HttpResponse {
  const { host } = new URL(websiteDownloadUrl);
  const frame = createFrameAnywhere(request, host, randomBytes);
  const reference = { status, code: errorCode, requestId };
  const page = htmlResponse(
    status,
    renderNotFoundPage(frame, reference, websiteDownloadUrl),
    frame,
  );
  return { ...page, headers: { ...headers, ...page.headers }, errorCode };
}

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
import { missingReleaseTexts } from "../../web/download/missing-release.ts";
import { renderNotFoundPage } from "../../web/error-card.ts";
import type { ReleaseDependencies } from "../dependencies.ts";
import { toErrorResponse } from "./error-response.ts";

export type ReleaseEmbedding = EmbeddingOptions & { readonly rateLimit?: RateLimit };

/** The headers that every response of this service carries, and how its failures are worded. */
export function createReleaseHooks(
  { baseUrl, websiteDownloadUrl }: ReleaseDependencies,
  embedding: ReleaseEmbedding,
): ServiceHooks {
  return {
    headers: {
      // Public, read-only, without credentials: any page may read it.
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": "ETag, X-Request-Id",
      "X-Content-Type-Options": "nosniff",
      ...(baseUrl.startsWith("https:") && {
        "Strict-Transport-Security": "max-age=31536000",
      }),
    },
    createRequestId: () => randomUUID(),
    ignoresUnexpectedBodies: RELEASE_STRICTNESS.ignores("unexpected-body"),
    toErrorResponse(error, requestId, request) {
      const response = toErrorResponse(error, requestId);
      return response.status === 404 && request !== null && acceptsHtml(request)
        ? notFoundPage(response, requestId, request, websiteDownloadUrl)
        : response;
    },
    handlePreflight(_request, methods) {
      const response = preflightResponse(methods, ["If-None-Match"], 86_400);
      return { ...response, headers: { ...response.headers, "Cache-Control": CACHE.never } };
    },
    ...createEmbeddingHooks(embedding),
    ...(embedding.rateLimit !== undefined && {
      rateLimiter: createMemoryRateLimiter(embedding.rateLimit),
    }),
  };
}

/** For a browser; programs get the error of the contract. */
function notFoundPage(
  { status, headers, errorCode: code = "not_found" }: HttpResponse,
  requestId: string,
  request: RawRequest,
  websiteDownloadUrl: string,
): HttpResponse {
  const { host } = new URL(websiteDownloadUrl);
  const frame = createFrameAnywhere(request, host, randomBytes);
  const reference = { status, code, requestId };
  const page = htmlResponse(
    status,
    renderNotFoundPage(
      frame,
      reference,
      websiteDownloadUrl,
      missingReleaseTexts(frame.language, code),
    ),
    frame,
  );
  return { ...page, headers: { ...headers, ...page.headers }, errorCode: code };
}

import { randomUUID } from "node:crypto";
import { CACHE } from "../../contract/release/routes.ts";
import { RELEASE_STRICTNESS } from "../../contract/strictness.ts";
import { createMemoryRateLimiter, type RateLimit } from "../../http/rate-limit.ts";
import { preflightResponse } from "../../http/response.ts";
import {
  createEmbeddingHooks,
  type EmbeddingOptions,
  type ServiceHooks,
} from "../../http/service-hooks.ts";
import { toErrorResponse } from "./error-response.ts";

/** The headers that every response of this service carries, and how its failures are worded. */
export function createReleaseHooks(
  options: EmbeddingOptions & { readonly baseUrl: string; readonly rateLimit?: RateLimit },
): ServiceHooks {
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
    toErrorResponse,
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

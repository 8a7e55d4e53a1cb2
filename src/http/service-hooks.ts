/** What one service does differently from another, as hooks that the kit calls. */
import { API_CONTENT_SECURITY_POLICY } from "../contract/content-security-policy.ts";
import { createClientAddressReader, type ReadClientAddress } from "./client-address.ts";
import type { HttpError } from "./http-error.ts";
import type { RateLimiter } from "./rate-limit.ts";
import type { RawRequest, RequestContext } from "./request.ts";
import type { RequestObserver } from "./request-observer.ts";
import type { RequestLines, RequestLog } from "./request-log.ts";
import type { HttpResponse } from "./response.ts";

export interface ServiceHooks<Principal = undefined> {
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of the responses to this request, added to those of every response. */
  headersFor?(request: RawRequest): Readonly<Record<string, string>>;
  /** Called before anything is read; null accepts the origin. */
  checkOrigin?(request: RawRequest, requestId: string): HttpError | null;
  /** Called on routes with `auth`. */
  authenticate?(request: RawRequest): Promise<AuthenticationResult<Principal>>;
  /** The limit of every body; needed where a route has one, or must have none. */
  readonly maxBodyBytes?: number;
  /** Set where a body of a request whose route takes none is neither read nor refused. */
  readonly ignoresUnexpectedBodies?: boolean;
  createRequestId(request: RawRequest | null): string;
  /** `request` is null for bytes that never became a request. */
  toErrorResponse(error: HttpError, requestId: string, request: RawRequest | null): HttpResponse;
  /** The response to OPTIONS on a known path; without this hook OPTIONS is a method like any other. */
  handlePreflight?(
    request: RawRequest,
    methods: readonly string[],
    requestId: string,
  ): HttpResponse;
  /** Counts every request of a client address. */
  readonly rateLimiter?: RateLimiter;
  /** The limits that routes name in `rateLimit`. */
  readonly rateLimiters?: Readonly<Record<string, RateLimiter>>;
  rateLimitKey?(principal: Principal): string;
  /** Whether an account has signed in from the browser of this request. */
  isKnownBrowser?(context: Pick<RequestContext, "header" | "clientAddress">): Promise<boolean>;
  readonly readClientAddress: ReadClientAddress;
  readonly log?: RequestLog | RequestLines;
  readonly observer?: RequestObserver;
  /** Turns an expected exception into an error; null for an unexpected one. */
  explainException?(exception: unknown): HttpError | null;
  readonly onUnexpected?: (exception: unknown, requestId: string) => void;
}

/** A service may refuse credentials with a response that its protocol defines. */
export type AuthenticationResult<Principal> =
  | { readonly kind: "authenticated"; readonly principal: Principal }
  | HttpError
  | HttpResponse;

export interface EmbeddingOptions {
  readonly trustedProxies?: readonly string[];
  readonly log?: RequestLog | RequestLines;
  readonly observer?: RequestObserver;
  readonly onNotice?: (notice: {
    readonly kind: "unexpected-error";
    readonly requestId: string;
    readonly error: unknown;
  }) => void;
}

/** What the program that embeds a service decides, and learns of its requests. */
export function createEmbeddingHooks(options: EmbeddingOptions) {
  const { trustedProxies = [], log, observer, onNotice } = options;
  return {
    readClientAddress: createClientAddressReader(trustedProxies),
    ...(log !== undefined && { log }),
    ...(observer !== undefined && { observer }),
    onUnexpected: (error: unknown, requestId: string) =>
      onNotice?.({ kind: "unexpected-error", requestId, error }),
  };
}

/** Keeps responses with personal data out of caches, frames and pages of other sites. */
export function createSecurityHeaders(isHttps: boolean): Readonly<Record<string, string>> {
  return {
    "Cache-Control": "no-store",
    "Content-Security-Policy": API_CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy":
      "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    ...(isHttps && { "Strict-Transport-Security": "max-age=31536000" }),
  };
}

import { createChecker } from "../contract/check.ts";
import type { Route } from "../contract/route.ts";
import type { HttpError } from "./http-error.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { readBytes, readJsonBody, refuseBody } from "./read-body.ts";
import { isPageLoad, type HandlerContext, type RawRequest } from "./request.ts";
import type { HttpResponse } from "./response.ts";
import type { ServiceHooks } from "./service-hooks.ts";

/** Null lets the request pass; anything else is its response. */
export type RequestCheck = (
  request: RawRequest,
  context: HandlerContext,
) => Promise<HttpError | HttpResponse | null>;

/** The checks of a route in their order: no body is read before the client is authenticated. */
export function createRequestChecks<P>(route: Route, hooks: ServiceHooks<P>): RequestCheck[] {
  const { rateLimit, auth, body } = route;
  const limiter = rateLimit && findLimiter(hooks, rateLimit.name);
  const takesBody = route.method === "POST";
  const { maxBodyBytes = 0, ignoresUnexpectedBodies = false } = hooks;
  return [
    hooks.rateLimiter && countByClient(hooks.rateLimiter),
    limiter &&
      rateLimit?.by === "client" &&
      countByClient(limiter, rateLimit.pageLoadsOnly === true),
    limiter && rateLimit?.by === "stranger" && countStrangers(limiter, hooks),
    auth && authenticate(hooks),
    limiter && rateLimit?.by === "principal" && countByPrincipal(limiter, hooks),
    body &&
      route.reads !== "raw" &&
      readBody(body, Math.min(maxBodyBytes, body.maxBytes ?? Infinity)),
    !takesBody && !ignoresUnexpectedBodies && forbidBody(maxBodyBytes),
  ].filter((check) => typeof check === "function");
}

function findLimiter<P>(hooks: ServiceHooks<P>, name: string): RateLimiter {
  const limiter = hooks.rateLimiters?.[name];
  if (limiter === undefined) throw new Error(`The service has no rate limiter "${name}"`);
  return limiter;
}

function countByClient(limiter: RateLimiter, pageLoadsOnly = false): RequestCheck {
  return async (request, context) =>
    pageLoadsOnly && !isPageLoad(request) ? null : count(limiter, context.clientAddress());
}

/** Only a client that is over the limit is worth a query of the store. */
function countStrangers<P>(limiter: RateLimiter, hooks: ServiceHooks<P>): RequestCheck {
  return async (_request, context) => {
    const limited = await count(limiter, context.clientAddress());
    return limited !== null && (await hooks.isKnownBrowser?.(context)) === true ? null : limited;
  };
}

function countByPrincipal<P>(limiter: RateLimiter, hooks: ServiceHooks<P>): RequestCheck {
  return (_request, { principal }) => count(limiter, hooks.rateLimitKey?.(principal as P) ?? "");
}

async function count(limiter: RateLimiter, key: string): Promise<HttpError | null> {
  const result = await limiter.consume(key);
  return result.kind === "limited" ? { ...result, kind: "rate-limited" } : null;
}

function authenticate<P>(hooks: ServiceHooks<P>): RequestCheck {
  return async (request, context) => {
    const result = (await hooks.authenticate?.(request)) ?? { kind: "unauthenticated" };
    if (!("kind" in result) || result.kind !== "authenticated") return result;
    context.principal = result.principal;
    return null;
  };
}

function forbidBody(maxBytes: number): RequestCheck {
  return (request) => refuseBody(request, maxBytes);
}

function readBody(body: NonNullable<Route["body"]>, maxBytes: number): RequestCheck {
  const checker = createChecker(body.schema);
  const rules = { mediaType: body.mediaType, maxBytes };
  return async (request, context) => {
    const content =
      body.parsedBy === "handler"
        ? await readBytes(request, rules)
        : await readJsonBody(request, rules);
    if (content.kind !== "bytes" && content.kind !== "json") return content;
    if (content.kind === "json" && !checker.is(content.value)) {
      return { kind: "invalid-body", code: body.invalid };
    }
    context.content = content;
    return null;
  };
}

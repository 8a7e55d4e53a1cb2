/** Binds a route table to handlers. The kit is the same for every service; hooks say what differs. */
// The global of this name is a getter, which would be called twice for each request.
import { performance } from "node:perf_hooks";
import type { Static, TSchema } from "typebox";
import type { Method, Route } from "../contract/route.ts";
import { type BodyBudget, BodyBudgetError, createBodyBudget } from "./read-body.ts";
import type { HttpError } from "./http-error.ts";
import { createRouteMatcher, createTargetRouter, type RoutedTarget } from "./match-route.ts";
import {
  createInputReader,
  type InputResult,
  type ReadInput,
  type RouteInput,
} from "./read-input.ts";
import { createRequestChecks, type RequestCheck } from "./request-checks.ts";
import { HandlerContext, type RawRequest, type RequestContext } from "./request.ts";
import type { RouteObserver } from "./request-observer.ts";
import { boundMethod, type LoggedPath } from "./request-log.ts";
import {
  completeResponse,
  withoutBody,
  type CompleteResponse,
  type HttpResponse,
} from "./response.ts";
import type { ServiceHooks } from "./service-hooks.ts";

type PrincipalOf<R extends Route, P> = R extends { readonly auth: "bearer" } ? P : undefined;
type ContentOf<R extends Route> = R extends { readonly reads: "raw" }
  ? undefined
  : R extends { readonly body: { readonly schema: infer S } }
    ? S extends TSchema
      ? R extends { readonly body: { readonly parsedBy: "handler" } }
        ? { readonly bytes: Uint8Array }
        : { readonly text: string; readonly value: Static<S> }
      : never
    : undefined;

/** A handler may return an error of the kit; the service turns it into a response. */
export type Handler<R extends Route, P = undefined> = (
  input: RouteInput<R>,
  context: RequestContext<PrincipalOf<R, P>, ContentOf<R>>,
) => HttpResponse | HttpError | Promise<HttpResponse | HttpError>;

export type Handlers<T extends Readonly<Record<string, Route>>, P = undefined> = {
  readonly [K in keyof T]: Handler<T[K], P>;
};

export interface HttpService {
  /** Responds at once when the handler does: a promise would cost 4 % of a release route. */
  respond(request: RawRequest): CompleteResponse | Promise<CompleteResponse>;
  /** The response to bytes that never became a request, or in place of one that could not be written. */
  protocolErrorResponse(error: HttpError, cause?: unknown): CompleteResponse;
}

type AnyHandler = (
  input: Record<string, unknown>,
  context: RequestContext,
) => HttpResponse | HttpError | Promise<HttpResponse | HttpError>;

interface BoundRoute {
  readonly handle: AnyHandler;
  readonly readInput: ReadInput;
  readonly checks: readonly RequestCheck[];
  /** Bounds the bodies of clients that are not authenticated; null where there are none. */
  readonly budget: BodyBudget | null;
  readonly observer: RouteObserver | undefined;
}

type RoutedRequest = { readonly bound: BoundRoute; readonly input: InputResult } | undefined;

/** Enough for 64 bodies of 256 KiB that are received at once. */
const UNAUTHENTICATED_BODY_BYTES = 16 * 1024 * 1024;
/** The bodies that fill the budget are received or refused within seconds. */
const OVER_BUDGET: HttpError = { kind: "unavailable", retryAfterSeconds: 1 };

export function createHttpService<const T extends Readonly<Record<string, Route>>, P = undefined>(
  routes: T,
  handlers: Handlers<T, P>,
  hooks: ServiceHooks<P>,
): HttpService {
  const unauthenticatedBudget = createBodyBudget(UNAUTHENTICATED_BODY_BYTES);
  const bindings = Object.entries(routes).map(([name, route]) => ({
    route,
    bound: {
      handle: handlers[name] as AnyHandler,
      readInput: createInputReader(route),
      checks: createRequestChecks(route, hooks),
      budget: route.method === "POST" && route.auth === undefined ? unauthenticatedBudget : null,
      observer: hooks.observer?.route({ method: route.method, path: route.path }),
    },
  }));
  const unroutedObserver = hooks.observer?.route(null);
  const routeTarget = createTargetRouter<BoundRoute>(createRouteMatcher(bindings));

  function findRoute({ method }: RawRequest, { routes }: RoutedTarget<BoundRoute>): RoutedRequest {
    if ("kind" in routes) return undefined;
    return routes.get((method === "HEAD" ? "GET" : method) as Method);
  }

  /** The order of the checks is the order of the lines. */
  function handle(
    request: RawRequest,
    target: RoutedTarget<BoundRoute>,
    route: RoutedRequest,
    requestId: string,
  ): ReturnType<AnyHandler> {
    if ("kind" in target.routes) return target.routes;
    if (route === undefined) {
      const allow = allowedMethods(target.routes.keys());
      return request.method === "OPTIONS" && hooks.handlePreflight !== undefined
        ? hooks.handlePreflight(request, allow, requestId)
        : { kind: "method-not-allowed", allow };
    }
    const denied = hooks.checkOrigin?.(request, requestId) ?? null;
    if (denied !== null) return denied;
    const { bound, input } = route;
    if (input.kind !== "input") return input;
    const limited = bound.budget?.limit(request) ?? request;
    const context = new HandlerContext(limited, target.search, requestId, hooks.readClientAddress);
    return bound.checks.length === 0
      ? bound.handle(input.input, context)
      : checkAndHandle(bound, limited, input.input, context);
  }

  async function checkAndHandle(
    bound: BoundRoute,
    request: RawRequest,
    input: Record<string, unknown>,
    context: HandlerContext,
  ): Promise<HttpResponse | HttpError> {
    for (const check of bound.checks) {
      const result = await check(request, context);
      if (result !== null) return result;
    }
    return bound.handle(input, context);
  }

  function explain(exception: unknown, requestId: string): HttpError {
    if (exception instanceof BodyBudgetError) return OVER_BUDGET;
    const explained = hooks.explainException?.(exception) ?? null;
    if (explained !== null) return explained;
    try {
      hooks.onUnexpected?.(exception, requestId);
    } catch {
      // A listener that fails must not change the response.
    }
    return { kind: "unexpected" };
  }

  function complete(
    response: HttpResponse,
    requestId: string,
    request: RawRequest | null,
  ): CompleteResponse {
    const common =
      request === null || hooks.headersFor === undefined
        ? hooks.headers
        : { ...hooks.headers, ...hooks.headersFor(request) };
    const completed = completeResponse(response, common, requestId);
    return request?.method === "HEAD" ? withoutBody(completed) : completed;
  }

  function writeLog(
    request: RawRequest,
    path: LoggedPath,
    requestId: string,
    { status, errorCode }: HttpResponse,
    startedAt: number,
    endedAt: number,
  ): void {
    const { log } = hooks;
    if (log === undefined) return;
    const method = boundMethod(request.method);
    const durationMs = Math.round((endedAt - startedAt) * 1000) / 1000;
    try {
      if (typeof log === "function") {
        log({ requestId, method, path: path.text, status, durationMs });
      } else {
        log.request({ requestId, method, path, status, durationMs, endedAt }, errorCode);
      }
    } catch {
      // A log that fails must not change the response.
    }
  }

  function respond(
    request: RawRequest,
    target: RoutedTarget<BoundRoute>,
    route: RoutedRequest,
    observer: RouteObserver | undefined,
  ): CompleteResponse | Promise<CompleteResponse> {
    const startedAt = performance.now();
    const requestId = hooks.createRequestId(request);
    const finish = (result: HttpResponse | HttpError) => {
      const response =
        "kind" in result ? hooks.toErrorResponse(result, requestId, request) : result;
      const endedAt = performance.now();
      writeLog(request, target.loggedPath, requestId, response, startedAt, endedAt);
      observer?.ended(response.status, endedAt - startedAt);
      return complete(response, requestId, request);
    };
    const fail = (exception: unknown) => finish(explain(exception, requestId));
    try {
      const result = handle(request, target, route, requestId);
      return result instanceof Promise ? result.then(finish).catch(fail) : finish(result);
    } catch (exception) {
      return fail(exception);
    }
  }

  return {
    respond(request) {
      const target = routeTarget(request.target);
      const route = findRoute(request, target);
      const observer = route === undefined ? unroutedObserver : route.bound.observer;
      return observer?.trace === undefined
        ? respond(request, target, route, observer)
        : observer.trace(() => respond(request, target, route, observer));
    },
    protocolErrorResponse(error, cause) {
      const requestId = hooks.createRequestId(null);
      const explained = error.kind === "unexpected" ? explain(cause, requestId) : error;
      return complete(hooks.toErrorResponse(explained, requestId, null), requestId, null);
    },
  };
}

function allowedMethods(methods: Iterable<Method>): string[] {
  return [...methods].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

/** Binds a route table to handlers. Knows HTTP and the table, and nothing of any one service. */
import type { Method, Route } from "../contract/route.ts";
import type { Answer } from "./answer.ts";
import type { ReadClientAddress } from "./client-address.ts";
import { createRouteMatcher } from "./match-route.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { createInputReader, type InputProblem, type RouteInput } from "./read-input.ts";
import { boundMethod, boundPath, type RequestLog } from "./request-log.ts";
import { MAX_TARGET_BYTES, splitTarget } from "./target.ts";

/** What a handler may know of the request beside its input. */
export interface RequestContext {
  readonly request: Request;
  readonly requestId: string;
  /** The query as it came. */
  readonly search: string;
  clientAddress(): string;
}

export type Handler<R extends Route> = (
  input: RouteInput<R>,
  context: RequestContext,
) => Answer | Promise<Answer>;

export type Handlers<T extends Readonly<Record<string, Route>>> = {
  readonly [K in keyof T]: Handler<T[K]>;
};

/** Everything that can go wrong before a handler answers. The service words each. */
export type HttpProblem =
  | { readonly kind: "target-too-long" }
  | { readonly kind: "malformed-target" }
  | { readonly kind: "unknown-path" }
  | { readonly kind: "method-not-allowed"; readonly allow: readonly string[] }
  | { readonly kind: "rate-limited"; readonly retryAfterSeconds: number }
  | { readonly kind: "malformed-request"; readonly status: 400 | 408 | 431 }
  | { readonly kind: "unexpected" }
  | InputProblem;

/** How a service differs from another. */
export interface ServicePolicy {
  /** On every answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly unknownQuery: "ignore" | "reject";
  createRequestId(request: Request | null): string;
  answerProblem(problem: HttpProblem, requestId: string): Answer;
  /** Answers an OPTIONS request on a known path; absent: it is a method like any other. */
  answerPreflight?(request: Request, methods: readonly string[]): Answer;
  readonly rateLimiter?: RateLimiter;
  readonly readClientAddress: ReadClientAddress;
  readonly log?: RequestLog;
  /** Told of what became an `unexpected` answer. */
  readonly onUnexpected?: (error: unknown, requestId: string) => void;
}

/** What the Node adapter knows of a request: the target as it came, and the peer. */
export interface Connection {
  readonly incoming?: {
    readonly url?: string | undefined;
    readonly socket?: { readonly remoteAddress?: string | undefined };
  };
}

export interface HttpService {
  /** Answers at once when the handler does, which is what makes it fast on Node. */
  respond(request: Request, connection?: Connection): Response | Promise<Response>;
  /** An answer to something that never became a request. */
  respondBelow(problem: HttpProblem): Response;
}

type AnyHandler = (input: never, context: RequestContext) => Answer | Promise<Answer>;

export function createHttpService<const T extends Readonly<Record<string, Route>>>(
  routes: T,
  handlers: Handlers<T>,
  policy: ServicePolicy,
): HttpService {
  const match = createRouteMatcher(
    Object.entries(routes).map(([name, route]) => ({
      route,
      bound: {
        handle: handlers[name] as AnyHandler,
        read: createInputReader(route, policy.unknownQuery),
      },
    })),
  );

  /** The answer, or a problem: the order of checks is the order of the lines. */
  function answer(
    request: Request,
    target: string,
    requestId: string,
    connection: Connection,
  ): Answer | HttpProblem | Promise<Answer> {
    if (target.length > MAX_TARGET_BYTES) return { kind: "target-too-long" };
    const { path, search } = splitTarget(target);
    const found = match(path);
    if (found === null) return { kind: "unknown-path" };
    if (found === "malformed") return { kind: "malformed-target" };
    const method = request.method === "HEAD" ? "GET" : request.method;
    const bound = found.byMethod.get(method as Method);
    if (bound === undefined) {
      const allow = allowedMethods(found.byMethod);
      return method === "OPTIONS" && policy.answerPreflight !== undefined
        ? policy.answerPreflight(request, allow)
        : { kind: "method-not-allowed", allow };
    }
    const reading = bound.read(found.values, search);
    if (reading.kind !== "input") return reading;
    const clientAddress = () =>
      policy.readClientAddress(
        connection.incoming?.socket?.remoteAddress,
        request.headers.get("x-forwarded-for"),
      );
    const context: RequestContext = { request, requestId, search, clientAddress };
    const { rateLimiter } = policy;
    if (rateLimiter === undefined) return bound.handle(reading.input as never, context);
    return rateLimiter
      .consume(clientAddress())
      .then((verdict) =>
        verdict.kind === "allowed"
          ? bound.handle(reading.input as never, context)
          : policy.answerProblem({ ...verdict, kind: "rate-limited" }, requestId),
      );
  }

  function unexpected(error: unknown, requestId: string): Answer {
    try {
      policy.onUnexpected?.(error, requestId);
    } catch {
      // Whoever listens must not change the answer.
    }
    return policy.answerProblem({ kind: "unexpected" }, requestId);
  }

  function finish(
    request: Request,
    target: string,
    requestId: string,
    startedAt: number,
    outcome: Answer | HttpProblem,
  ): Response {
    const { status, headers, body } =
      "kind" in outcome ? policy.answerProblem(outcome, requestId) : outcome;
    try {
      policy.log?.({
        requestId,
        method: boundMethod(request.method),
        path: boundPath(splitTarget(target).path),
        status,
        durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
      });
    } catch {
      // A failing log changes nothing.
    }
    return new Response(request.method === "HEAD" ? null : body, {
      status,
      headers: { ...policy.headers, ...headers, "X-Request-Id": requestId },
    });
  }

  return {
    respond(request, connection = {}) {
      const startedAt = performance.now();
      const requestId = policy.createRequestId(request);
      const target = connection.incoming?.url ?? targetOf(request.url);
      try {
        const outcome = answer(request, target, requestId, connection);
        if (!(outcome instanceof Promise)) {
          return finish(request, target, requestId, startedAt, outcome);
        }
        return outcome
          .catch((error: unknown) => unexpected(error, requestId))
          .then((settled) => finish(request, target, requestId, startedAt, settled));
      } catch (error) {
        return finish(request, target, requestId, startedAt, unexpected(error, requestId));
      }
    },
    respondBelow(problem) {
      const requestId = policy.createRequestId(null);
      const { status, headers, body } = policy.answerProblem(problem, requestId);
      return new Response(body, {
        status,
        headers: { ...policy.headers, ...headers, "X-Request-Id": requestId },
      });
    },
  };
}

function allowedMethods(byMethod: ReadonlyMap<Method, unknown>): string[] {
  return [...byMethod.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

/** A URL without its origin; `Request` has already normalised it. */
function targetOf(url: string): string {
  const slash = url.indexOf("/", url.indexOf("//") + 2);
  const hash = url.indexOf("#");
  return url.slice(slash, hash < 0 ? undefined : hash);
}

/** Binds a route table to handlers. Knows HTTP and the table, and nothing of any one service. */
import type { Method, Route } from "../contract/route.ts";
import type { Answer } from "./answer.ts";
import type { ReadClientAddress } from "./client-address.ts";
import type { Exchange } from "./exchange.ts";
import { createRouteMatcher } from "./match-route.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { createInputReader, type InputProblem, type RouteInput } from "./read-input.ts";
import { boundMethod, boundPath, type RequestLog } from "./request-log.ts";
import { MAX_TARGET_BYTES, splitTarget, type Target } from "./target.ts";

/** What a handler may know of the request beside its input. */
export interface RequestContext extends Pick<Exchange, "header" | "body"> {
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
  createRequestId(exchange: Exchange | null): string;
  answerProblem(problem: HttpProblem, requestId: string): Answer;
  /** Answers an OPTIONS request on a known path; absent: it is a method like any other. */
  answerPreflight?(exchange: Exchange, methods: readonly string[]): Answer;
  readonly rateLimiter?: RateLimiter;
  readonly readClientAddress: ReadClientAddress;
  readonly log?: RequestLog;
  /** Told of what became an `unexpected` answer. */
  readonly onUnexpected?: (error: unknown, requestId: string) => void;
}

export interface HttpService {
  /** Answers at once when the handler does, which is what makes it fast. */
  answer(exchange: Exchange): Answer | Promise<Answer>;
  /** An answer to what never became a request, or whose answer could not be written. */
  answerBelow(problem: HttpProblem, cause?: unknown): Answer;
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
  function decide(
    exchange: Exchange,
    { path, search }: Target,
    requestId: string,
  ): Answer | HttpProblem | Promise<Answer> {
    if (exchange.target.length > MAX_TARGET_BYTES) return { kind: "target-too-long" };
    const found = match(path);
    if (found === null) return { kind: "unknown-path" };
    if (found === "malformed") return { kind: "malformed-target" };
    const method = exchange.method === "HEAD" ? "GET" : exchange.method;
    const bound = found.byMethod.get(method as Method);
    if (bound === undefined) {
      const allow = allowedMethods(found.byMethod);
      return method === "OPTIONS" && policy.answerPreflight !== undefined
        ? policy.answerPreflight(exchange, allow)
        : { kind: "method-not-allowed", allow };
    }
    const reading = bound.read(found.values, search);
    if (reading.kind !== "input") return reading;
    const context = createContext(exchange, search, requestId, policy.readClientAddress);
    const { rateLimiter } = policy;
    if (rateLimiter === undefined) return bound.handle(reading.input as never, context);
    return rateLimiter
      .consume(context.clientAddress())
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

  function complete({ status, headers, body }: Answer, requestId: string, isHead: boolean): Answer {
    return {
      status,
      headers: { ...policy.headers, ...headers, "X-Request-Id": requestId },
      body: isHead ? null : body,
    };
  }

  return {
    answer(exchange) {
      const startedAt = performance.now();
      const requestId = policy.createRequestId(exchange);
      const target = splitTarget(exchange.target);
      const finish = (outcome: Answer | HttpProblem): Answer => {
        const answer = "kind" in outcome ? policy.answerProblem(outcome, requestId) : outcome;
        writeLog(policy.log, exchange, target, requestId, answer.status, startedAt);
        return complete(answer, requestId, exchange.method === "HEAD");
      };
      try {
        const outcome = decide(exchange, target, requestId);
        if (!(outcome instanceof Promise)) return finish(outcome);
        return outcome.catch((error: unknown) => unexpected(error, requestId)).then(finish);
      } catch (error) {
        return finish(unexpected(error, requestId));
      }
    },
    answerBelow(problem, cause) {
      const requestId = policy.createRequestId(null);
      const answer =
        problem.kind === "unexpected"
          ? unexpected(cause, requestId)
          : policy.answerProblem(problem, requestId);
      return complete(answer, requestId, false);
    },
  };
}

function createContext(
  exchange: Exchange,
  search: string,
  requestId: string,
  readClientAddress: ReadClientAddress,
): RequestContext {
  return {
    requestId,
    search,
    header: exchange.header,
    body: exchange.body,
    clientAddress: () =>
      readClientAddress(exchange.remoteAddress, exchange.header("x-forwarded-for")),
  };
}

function writeLog(
  log: RequestLog | undefined,
  exchange: Exchange,
  target: Target,
  requestId: string,
  status: number,
  startedAt: number,
): void {
  try {
    log?.({
      requestId,
      method: boundMethod(exchange.method),
      path: boundPath(target.path),
      status,
      durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
    });
  } catch {
    // A failing log changes nothing.
  }
}

function allowedMethods(byMethod: ReadonlyMap<Method, unknown>): string[] {
  return [...byMethod.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

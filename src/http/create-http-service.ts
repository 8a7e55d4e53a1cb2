/** Binds a route table to handlers. Knows HTTP and the table, and nothing of any one service. */
import type { Static, TSchema } from "typebox";
import type { Method, Route } from "../contract/route.ts";
import { toHeaderList, type HttpResponse, type WireResponse } from "./response.ts";
import type { ReadClientAddress } from "./client-address.ts";
import type { RawRequest } from "./raw-request.ts";
import { createRouteMatcher } from "./match-route.ts";
import type { RateLimiter } from "./rate-limit.ts";
import type { HttpError } from "./http-error.ts";
import { createPreparation, type PrepareRequest } from "./prepare-request.ts";
import { createInputReader, type ReadInput, type RouteInput } from "./read-input.ts";
import { Context, type RequestContext } from "./request-context.ts";
import { boundMethod, boundPath, type RequestLog } from "./request-log.ts";
import { createTargetReader, type ReadTarget } from "./read-target.ts";
import { MAX_TARGET_BYTES } from "./target.ts";

type Raw = { readonly reads: "raw" };
type PrincipalOf<R extends Route, P> = R extends Raw
  ? undefined
  : R extends { readonly auth: "bearer" }
    ? P
    : undefined;
type ContentOf<R extends Route> = R extends Raw
  ? undefined
  : R extends { readonly body: { readonly schema: infer S } }
    ? S extends TSchema
      ? R extends { readonly body: { readonly parsedBy: "handler" } }
        ? { readonly bytes: Uint8Array }
        : { readonly text: string; readonly value: Static<S> }
      : never
    : undefined;

/** A handler may also find a problem: the service then words it as any other. */
export type Handler<R extends Route, P = undefined> = (
  input: RouteInput<R>,
  context: RequestContext<PrincipalOf<R, P>, ContentOf<R>>,
) => HttpResponse | HttpError | Promise<HttpResponse | HttpError>;

export type Handlers<T extends Readonly<Record<string, Route>>, P = undefined> = {
  readonly [K in keyof T]: Handler<T[K], P>;
};

/** How a service differs from another. */
export interface ServicePolicy<Principal = undefined> {
  /** On every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** On the answers to this request, beside the common ones. */
  headersFor?(exchange: RawRequest): Readonly<Record<string, string>>;
  /** Asked before anything happens; null lets the request pass. */
  checkOrigin?(exchange: RawRequest): HttpError | null;
  /** Asked on routes that want to know who asks; null is nobody. */
  authenticate?(exchange: RawRequest): Promise<Principal | null>;
  /** The limit of every body; needed where a route takes one. */
  readonly maxBodyBytes?: number;
  createRequestId(exchange: RawRequest | null): string;
  /** `exchange` is null for what never became a request. */
  toErrorResponse(problem: HttpError, requestId: string, exchange: RawRequest | null): HttpResponse;
  /** Answers an OPTIONS request on a known path; absent: it is a method like any other. */
  handlePreflight?(
    exchange: RawRequest,
    methods: readonly string[],
    requestId: string,
  ): HttpResponse;
  readonly rateLimiter?: RateLimiter;
  readonly readClientAddress: ReadClientAddress;
  readonly log?: RequestLog;
  /** What an exception means, where it is no fault of ours; null: it is unexpected. */
  explainError?(error: unknown): HttpError | null;
  /** Told of what became an `unexpected` answer. */
  readonly onUnexpected?: (error: unknown, requestId: string) => void;
}

export interface HttpService {
  /** Answers at once when the handler does, which is what makes it fast. */
  answer(exchange: RawRequest): WireResponse | Promise<WireResponse>;
  /** An answer to what never became a request, or whose answer could not be written. */
  protocolErrorResponse(problem: HttpError, cause?: unknown): WireResponse;
}

type AnyHandler = (
  input: Record<string, unknown>,
  context: RequestContext,
) => HttpResponse | HttpError | Promise<HttpResponse | HttpError>;

interface Bound {
  readonly handle: AnyHandler;
  readonly read: ReadInput;
  /** What must be waited for before the handler can run; absent: nothing. */
  readonly prepare?: PrepareRequest;
}

export function createHttpService<const T extends Readonly<Record<string, Route>>, P = undefined>(
  routes: T,
  handlers: Handlers<T, P>,
  policy: ServicePolicy<P>,
): HttpService {
  const match = createRouteMatcher<Bound>(
    Object.entries(routes).map(([name, route]) => ({
      route,
      bound: {
        handle: handlers[name] as AnyHandler,
        read: createInputReader(route),
        ...createPreparation(route, policy),
      },
    })),
  );
  const readTarget = createTargetReader(match);
  const withCommon = createHeaderMerger(policy.headers);

  /** The answer, or a problem: the order of checks is the order of the lines. */
  function decide(
    exchange: RawRequest,
    target: ReadTarget<Bound>,
    requestId: string,
  ): HttpResponse | HttpError | Promise<HttpResponse | HttpError> {
    if (exchange.target.length > MAX_TARGET_BYTES) return { kind: "target-too-long" };
    const found = target.match;
    if (found === null) return { kind: "unknown-path" };
    if (found === "malformed") return { kind: "malformed-target" };
    const method = exchange.method === "HEAD" ? "GET" : exchange.method;
    const bound = found.byMethod.get(method as Method);
    if (bound === undefined) {
      const allow = allowedMethods(found.byMethod);
      return method === "OPTIONS" && policy.handlePreflight !== undefined
        ? policy.handlePreflight(exchange, allow, requestId)
        : { kind: "method-not-allowed", allow };
    }
    const denied = policy.checkOrigin?.(exchange) ?? null;
    if (denied !== null) return denied;
    const reading = target.read(bound);
    if (reading.kind !== "input") return reading;
    const { input } = reading;
    const context = new Context(exchange, target.search, requestId, policy.readClientAddress);
    return bound.prepare === undefined && policy.rateLimiter === undefined
      ? bound.handle(input, context)
      : waitAndHandle(bound, exchange, input, context);
  }

  async function waitAndHandle(
    bound: Bound,
    exchange: RawRequest,
    input: Record<string, unknown>,
    context: Context,
  ): Promise<HttpResponse | HttpError> {
    const verdict = await policy.rateLimiter?.consume(context.clientAddress());
    if (verdict?.kind === "limited") return { ...verdict, kind: "rate-limited" };
    const prepared = await bound.prepare?.(exchange);
    if (prepared === undefined) return bound.handle(input, context);
    if (prepared.kind !== "prepared") return prepared;
    context.principal = prepared.principal;
    context.content = prepared.content;
    return bound.handle(input, context);
  }

  function failureResponse(
    error: unknown,
    requestId: string,
    exchange: RawRequest | null,
  ): HttpResponse {
    const explained = policy.explainError?.(error) ?? null;
    if (explained !== null) return policy.toErrorResponse(explained, requestId, exchange);
    try {
      policy.onUnexpected?.(error, requestId);
    } catch {
      // Whoever listens must not change the answer.
    }
    return policy.toErrorResponse({ kind: "unexpected" }, requestId, exchange);
  }

  function complete(
    { status, headers, body }: HttpResponse,
    requestId: string,
    exchange: RawRequest | null,
  ): WireResponse {
    const isHead = exchange?.method === "HEAD";
    if (isHead && body instanceof ReadableStream) void body.cancel();
    const own = exchange === null ? undefined : policy.headersFor?.(exchange);
    const list =
      own === undefined
        ? withCommon(headers)
        : toHeaderList({ ...policy.headers, ...own, ...headers });
    return {
      status,
      headerList: [...list, "X-Request-Id", requestId],
      body: isHead ? null : body,
    };
  }

  function finish(
    exchange: RawRequest,
    path: string,
    requestId: string,
    startedAt: number,
    outcome: HttpResponse | HttpError,
  ): WireResponse {
    const answer =
      "kind" in outcome ? policy.toErrorResponse(outcome, requestId, exchange) : outcome;
    writeLog(policy.log, exchange, path, requestId, answer.status, startedAt);
    return complete(answer, requestId, exchange);
  }

  return {
    answer(exchange) {
      const startedAt = performance.now();
      const requestId = policy.createRequestId(exchange);
      const target = readTarget(exchange.target);
      const { path } = target;
      try {
        const outcome = decide(exchange, target, requestId);
        if (!(outcome instanceof Promise)) {
          return finish(exchange, path, requestId, startedAt, outcome);
        }
        return outcome
          .catch((error: unknown) => failureResponse(error, requestId, exchange))
          .then((settled) => finish(exchange, path, requestId, startedAt, settled));
      } catch (error) {
        const failure = failureResponse(error, requestId, exchange);
        return finish(exchange, path, requestId, startedAt, failure);
      }
    },
    protocolErrorResponse(problem, cause) {
      const requestId = policy.createRequestId(null);
      const answer =
        problem.kind === "unexpected"
          ? failureResponse(cause, requestId, null)
          : policy.toErrorResponse(problem, requestId, null);
      return complete(answer, requestId, null);
    },
  };
}

type HeaderRecord = Readonly<Record<string, string>>;

/** A prepared answer has the same headers each time, so what they become together is kept. */
function createHeaderMerger(common: HeaderRecord): (headers: HeaderRecord) => readonly string[] {
  const kept = new WeakMap<HeaderRecord, readonly string[]>();
  return (headers) => {
    const known = kept.get(headers);
    if (known !== undefined) return known;
    const merged = toHeaderList({ ...common, ...headers });
    kept.set(headers, merged);
    return merged;
  };
}

function writeLog(
  log: RequestLog | undefined,
  exchange: RawRequest,
  path: string,
  requestId: string,
  status: number,
  startedAt: number,
): void {
  try {
    log?.({
      requestId,
      method: boundMethod(exchange.method),
      path: boundPath(path),
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

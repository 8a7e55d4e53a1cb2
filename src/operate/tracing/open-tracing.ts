/**
 * OpenTelemetry traces by the official SDK, which is loaded only when an endpoint is set. Spans have the
 * declared route, the status and the name of a sync instance: no path, header, id or address.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Context, Span } from "@opentelemetry/api";
import type { Sampler } from "@opentelemetry/sdk-trace";
import { isFailure, type LineWriter } from "../../http/request-log.ts";
import type { ObservedRoute, RouteObserver } from "../../http/request-observer.ts";
import type { CompleteResponse } from "../../http/response.ts";
import { withTimeout } from "../../database/with-timeout.ts";
import { PRODUCT_VERSION } from "../../database/product-version.ts";
import { loadSdk, SDK_PACKAGES, type Sdk } from "./sdk.ts";

export interface Tracing {
  /** One span for each request, named by the declared route; `instance` names one of several instances. */
  request(
    service: string,
    route: ObservedRoute | null,
    instance?: string,
  ): NonNullable<RouteObserver["trace"]>;
  /** One span for each transaction of a request. */
  transaction(service: string, instance?: string): <T>(run: () => Promise<T>) => Promise<T>;
  /** Sends the spans that wait. */
  close(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A collector that is away makes every export fail. */
const FAILURE_GAP_MS = 10 * 60_000;
/** A collector that hangs must not hold a stopping server. */
const CLOSE_MS = 3000;

/** Opens the traces; null when the environment asks for none, or when the packages are missing. */
export async function openTracing(env: Environment, log: LineWriter): Promise<Tracing | null> {
  const sdk = isWanted(env) ? await loadSdk() : null;
  if (sdk === null) return null;
  const reportFailure = createFailureReport(log);
  listenToFailures(sdk, reportFailure);
  return createTracing(sdk, env, reportFailure);
}

/** Says what to install when traces are wanted: by one process, however many trace. */
export async function warnMissingSdk(
  env: Environment,
  log: LineWriter,
  packages: readonly string[] = SDK_PACKAGES,
): Promise<void> {
  if (!isWanted(env) || (await loadSdk(packages)) !== null) return;
  const message = `No traces are sent although OTEL_EXPORTER_OTLP_ENDPOINT is set: run \`npm install ${SDK_PACKAGES.join(" ")}\` beside Trellis, or unset the variable`;
  log.event("tracing_unavailable", { message }, "warn");
}

function isWanted(env: Environment): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = env;
  const isDisabled = env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true";
  return !isDisabled && [all, own].some((endpoint) => endpoint !== undefined && endpoint !== "");
}

function createTracing(
  { api, sdk, resources, exporter }: Sdk,
  env: Environment,
  reportFailure: () => void,
): Tracing {
  const own = { "service.name": "trellis", "service.version": PRODUCT_VERSION };
  const sampler = readSampler(env, sdk);
  const provider = new sdk.TracerProvider({
    resource: resources
      .resourceFromAttributes(own)
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new exporter.OTLPTraceExporter() })],
    ...(sampler !== null && { sampler }),
  });
  const tracer = provider.getTracer("trellis", PRODUCT_VERSION);
  const active = new AsyncLocalStorage<Context>();

  function endRequest(span: Span, { status }: CompleteResponse): void {
    span.setAttribute("http.response.status_code", status);
    if (isFailure(status)) span.setStatus({ code: api.SpanStatusCode.ERROR });
    span.end();
  }

  return {
    request(service, route, instance) {
      const name = route === null ? "other" : `${route.method} ${route.path}`;
      const attributes = {
        ...nameService(service, instance),
        ...(route !== null && { "http.request.method": route.method, "http.route": route.path }),
      };
      const options = { kind: api.SpanKind.SERVER, attributes };
      return (respond) => {
        // A trace begins here: what a client says about traces is not believed.
        const span = tracer.startSpan(name, options, api.ROOT_CONTEXT);
        const response = active.run(api.trace.setSpan(api.ROOT_CONTEXT, span), respond);
        if (!(response instanceof Promise)) {
          endRequest(span, response);
          return response;
        }
        return response.then((result) => {
          endRequest(span, result);
          return result;
        });
      };
    },
    transaction(service, instance) {
      const options = { kind: api.SpanKind.INTERNAL, attributes: nameService(service, instance) };
      return async (run) => {
        const parent = active.getStore();
        // Tasks of the server itself, such as pruning, belong to no request.
        if (parent === undefined) return run();
        const span = tracer.startSpan("store transaction", options, parent);
        try {
          return await run();
        } catch (error) {
          span.setStatus({ code: api.SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      };
    },
    async close() {
      await withTimeout(provider.shutdown().catch(reportFailure), CLOSE_MS, undefined);
    },
  };
}

/** The name of an instance is the operator's, like that of a service. */
function nameService(
  service: string,
  instance: string | undefined,
): Readonly<Record<string, string>> {
  return {
    "trellis.service": service,
    ...(instance !== undefined && { "trellis.instance": instance }),
  };
}

/** The specification's name for a share of all traces; without it every request is traced. */
function readSampler(env: Environment, sdk: Sdk["sdk"]): Sampler | null {
  const name = env["OTEL_TRACES_SAMPLER"] ?? "";
  const ratio = Number(env["OTEL_TRACES_SAMPLER_ARG"] ?? "1");
  const isRatio = name === "traceidratio" || name === "parentbased_traceidratio";
  return isRatio && ratio >= 0 && ratio <= 1 ? new sdk.TraceIdRatioBasedSampler(ratio) : null;
}

function createFailureReport(log: LineWriter): () => void {
  let lastAt = -Infinity;
  return () => {
    if (performance.now() - lastAt < FAILURE_GAP_MS) return;
    lastAt = performance.now();
    const message =
      "Traces could not be sent: check OTEL_EXPORTER_OTLP_ENDPOINT and the collector there";
    log.event("tracing_failed", { message }, "warn");
  };
}

/** The SDK's own messages may quote the endpoint and its headers, so they are not repeated. */
function listenToFailures({ api }: Sdk, reportFailure: () => void): void {
  const ignore = () => {};
  api.diag.setLogger(
    { error: reportFailure, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
}

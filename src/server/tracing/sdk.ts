/**
 * The parts of the OpenTelemetry SDK that tracing uses. The packages are optional, so their own types may
 * be missing where Trellis is compiled.
 */
export interface Span {
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { readonly code: number }): unknown;
  end(): void;
}

/** Opaque: the SDK's own. */
export type SpanContext = object;

export interface Api {
  readonly ROOT_CONTEXT: SpanContext;
  readonly trace: { setSpan(context: SpanContext, span: Span): SpanContext };
  readonly SpanKind: { readonly INTERNAL: number; readonly SERVER: number };
  readonly SpanStatusCode: { readonly ERROR: number };
  readonly DiagLogLevel: { readonly ERROR: number };
  readonly diag: {
    setLogger(
      logger: DiagLogger,
      options: { readonly logLevel: number; readonly suppressOverrideMessage: boolean },
    ): boolean;
  };
}

export type DiagLogger = Record<"error" | "warn" | "info" | "debug" | "verbose", () => void>;

export interface Tracer {
  startSpan(
    name: string,
    options: { readonly kind: number; readonly attributes: Readonly<Record<string, string>> },
    context: SpanContext,
  ): Span;
}

interface TracerProvider {
  getTracer(name: string, version: string): Tracer;
  shutdown(): Promise<void>;
}

interface Resource {
  merge(other: Resource): Resource;
}

export interface TraceSdk {
  readonly TracerProvider: new (options: {
    readonly resource: Resource;
    readonly spanProcessors: readonly object[];
    readonly sampler?: object;
  }) => TracerProvider;
  readonly BatchSpanProcessor: new (options: { readonly exporter: object }) => object;
  readonly TraceIdRatioBasedSampler: new (ratio: number) => object;
}

export interface Resources {
  resourceFromAttributes(attributes: Readonly<Record<string, string>>): Resource;
  detectResources(settings: { readonly detectors: readonly object[] }): Resource;
  readonly envDetector: object;
}

export interface Exporter {
  /** Reads the endpoint and its headers from the environment. */
  readonly OTLPTraceExporter: new () => object;
}

export interface Sdk {
  readonly api: Api;
  readonly sdk: TraceSdk;
  readonly resources: Resources;
  readonly exporter: Exporter;
}

export const SDK_PACKAGES = [
  "@opentelemetry/api",
  "@opentelemetry/sdk-trace",
  "@opentelemetry/resources",
  "@opentelemetry/exporter-trace-otlp-http",
] as const;

/** Null when one of the packages is not installed. */
export async function loadSdk(packages: readonly string[] = SDK_PACKAGES): Promise<Sdk | null> {
  try {
    const [api, sdk, resources, exporter] = (await Promise.all(
      packages.map((name) => import(name) as Promise<unknown>),
    )) as [Api, TraceSdk, Resources, Exporter];
    return { api, sdk, resources, exporter };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return null;
    throw error;
  }
}

/** The OpenTelemetry SDK. Its packages are optional, so only their types are imported here. */
import type * as Api from "@opentelemetry/api";
import type * as Exporter from "@opentelemetry/exporter-trace-otlp-http";
import type * as Resources from "@opentelemetry/resources";
import type * as TraceSdk from "@opentelemetry/sdk-trace";

export interface Sdk {
  readonly api: typeof Api;
  readonly sdk: typeof TraceSdk;
  readonly resources: typeof Resources;
  readonly exporter: typeof Exporter;
}

export const SDK_PACKAGES = [
  "@opentelemetry/api",
  "@opentelemetry/sdk-trace",
  "@opentelemetry/resources",
  "@opentelemetry/exporter-trace-otlp-http",
] as const;

/** Loads the SDK; null when one of its packages is not installed. */
export async function loadSdk(packages: readonly string[] = SDK_PACKAGES): Promise<Sdk | null> {
  try {
    const [api, sdk, resources, exporter] = (await Promise.all(
      packages.map((name) => import(name) as Promise<unknown>),
    )) as [typeof Api, typeof TraceSdk, typeof Resources, typeof Exporter];
    return { api, sdk, resources, exporter };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return null;
    throw error;
  }
}

/** The composition root: starts the configured services and their listeners. */
import { listen, type Listener } from "../http/listen.ts";
import type { LineWriter } from "../http/request-log.ts";
import type { ServiceName } from "../configuration/configuration.ts";
import type { Configuration } from "../configuration/configuration-schema.ts";
import { createConnectionNetworks } from "./connection-network.ts";
import { noticeUntrustedProxy } from "../operate/local-proxy.ts";
import { createServerMetrics, type ServerMetrics } from "../operate/metrics/server-metrics.ts";
import { createOperatorService } from "../operate/operator-service.ts";
import { readBuild } from "../database/product-build.ts";
import { PRODUCT_VERSION } from "../database/product-version.ts";
import { createServiceObservers, type ServiceObservers } from "../operate/service-observers.ts";
import type { Development, ServedOrigin, ReadyService, ServiceStore } from "./ready-service.ts";
import type { Tracing } from "../operate/tracing/open-tracing.ts";

/** What the `ready` event prints. */
export interface ReadyReport {
  /** The address of each origin by its name. */
  readonly addresses: Readonly<Record<string, string>>;
  /** The stores of the services that have one, by service. */
  readonly stores: Readonly<Record<string, Pick<ServiceStore, "kind" | "hasAccount">>>;
}

export interface RunningServer extends ReadyReport {
  stop(): Promise<void>;
  /** Counts the death of a worker in the store of every service that has one. */
  countWorkerDeath(): Promise<void>;
}

export interface StartOptions {
  readonly tracing?: Tracing | null;
  readonly development?: Development;
}

/** Starts all of the named services, or none when one of them cannot start or `signal` aborts it. */
export async function startServices(
  configuration: Configuration,
  names: readonly ServiceName[],
  log: LineWriter,
  signal: AbortSignal,
  { tracing = null, development }: StartOptions = {},
): Promise<RunningServer> {
  const listeners: Listener[] = [];
  const services: ReadyService[] = [];
  const metrics =
    configuration.operator === undefined
      ? null
      : createServerMetrics({ version: PRODUCT_VERSION, build: readBuild() });
  const stop = async () => {
    for (const service of services) service.endStreams?.();
    // Listeners stop first, so that no request finds a closed store.
    await Promise.all(listeners.map((listener) => listener.stop()));
    await Promise.all(services.map((service) => service.close()));
    metrics?.close();
    await tracing?.close();
  };
  try {
    const observers = createServiceObservers(metrics, tracing);
    const prepared = prepareServices(configuration, names, log, observers, development);
    for await (const service of prepared) {
      services.push(service);
      signal.throwIfAborted();
    }
    const origins = services.flatMap((service) => service.origins);
    if (metrics !== null) origins.push(...createOperatorOrigin(configuration, services, metrics));
    const addresses: Record<string, string> = {};
    const open = createOpener(configuration, log);
    for (const origin of origins) {
      const listener = await open(origin);
      listeners.push(listener);
      signal.throwIfAborted();
      addresses[origin.name] = toAddress(origin.at.host, listener.port);
    }
    for (const service of services) service.begin?.();
    return { addresses, ...describeStores(services), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Imports on demand: a process does not load the services that it does not run. */
async function* prepareServices(
  configuration: Configuration,
  names: readonly ServiceName[],
  log: LineWriter,
  observers: ServiceObservers | undefined,
  development: Development | undefined,
): AsyncGenerator<ReadyService> {
  const { release, sync, events } = configuration;
  if (names.includes("release") && release !== undefined) {
    const { prepareRelease } = await import("./prepare-release.ts");
    yield prepareRelease(release, configuration, log, observers);
  }
  if (names.includes("sync") && sync !== undefined) {
    const { prepareSync } = await import("./prepare-sync.ts");
    yield prepareSync(sync, configuration, log, observers, development);
  }
  if (names.includes("events") && events !== undefined) {
    const { prepareEvents } = await import("./prepare-events.ts");
    yield prepareEvents(events, configuration, log, observers);
  }
}

/** The listener of the operator, when it is configured. */
function createOperatorOrigin(
  { operator, dataDir }: Configuration,
  services: readonly ReadyService[],
  { shared, render }: ServerMetrics,
): ServedOrigin[] {
  if (operator === undefined) return [];
  shared.watchDisk(dataDir);
  const checks = services.map(({ name, store }) => [name, store?.checkReady ?? (async () => {})]);
  const hosts = [operator.listen.host, ...operator.hosts];
  const http = createOperatorService(Object.fromEntries(checks), render, hosts);
  return [{ name: "operator", http, at: operator.listen }];
}

function createOpener({ http: limits, trustedProxies }: Configuration, log: LineWriter) {
  const networksOf = createConnectionNetworks(trustedProxies);
  const watch = noticeUntrustedProxy(trustedProxies, log);
  return ({ http, at }: ServedOrigin): Promise<Listener> =>
    listen(watch(http), { ...at, limits, networksOf });
}

function toAddress(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function describeStores(
  services: readonly ReadyService[],
): Pick<RunningServer, "stores" | "countWorkerDeath"> {
  const stores = services.flatMap(({ name, store }) =>
    store === undefined ? [] : [{ name, store }],
  );
  return {
    stores: Object.fromEntries(
      stores.map(({ name, store: { kind, hasAccount } }) => [
        name,
        { kind, ...(hasAccount !== undefined && { hasAccount }) },
      ]),
    ),
    async countWorkerDeath() {
      for (const { store } of stores) await store.countWorkerDeath();
    },
  };
}

/** The composition root: starts the configured services and their listeners. */
import type { HttpService } from "../http/create-http-service.ts";
import { listen, type Listener } from "../http/listen.ts";
import type { LineWriter } from "../http/request-log.ts";
import type { ServiceName } from "../configuration/configuration.ts";
import type { Configuration } from "../configuration/configuration-schema.ts";
import { createConnectionNetworks } from "./connection-network.ts";
import { noticeUntrustedProxy } from "../operate/local-proxy.ts";
import { createServerMetrics } from "../operate/metrics/server-metrics.ts";
import { createOperatorService } from "../operate/operator-service.ts";
import { PRODUCT_VERSION } from "../database/product-version.ts";
import { createServiceObservers } from "../operate/service-observers.ts";
import type { ServiceStore } from "./service-store.ts";
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

/** A service that is ready for requests, with the addresses that it wants to listen on. */
export interface ReadyService {
  readonly name: ServiceName;
  readonly store?: ServiceStore;
  readonly origins: readonly {
    readonly name: string;
    readonly http: HttpService;
    readonly at: { readonly host: string; readonly port: number };
  }[];
  /** Ends responses that would go on for ever. */
  endStreams?(): void;
  close(): Promise<void>;
}

/** Starts all of the named services, or none when one of them cannot start or `signal` aborts it. */
export async function startServices(
  configuration: Configuration,
  names: readonly ServiceName[],
  log: LineWriter,
  signal: AbortSignal,
  tracing: Tracing | null = null,
): Promise<RunningServer> {
  const listeners: Listener[] = [];
  const addresses: Record<string, string> = {};
  const services: ReadyService[] = [];
  const { release, sync, events, operator } = configuration;
  const metrics = operator === undefined ? null : createServerMetrics(PRODUCT_VERSION);
  const observers = createServiceObservers(metrics, tracing);
  const stop = async () => {
    for (const service of services) service.endStreams?.();
    // Listeners stop first, so that no request finds a closed store.
    await Promise.all(listeners.map((listener) => listener.stop()));
    await Promise.all(services.map((service) => service.close()));
    metrics?.close();
    await tracing?.close();
  };
  try {
    const add = (service: ReadyService) => {
      services.push(service);
      signal.throwIfAborted();
    };
    // Imported on demand: a process does not load the services that it does not run.
    if (names.includes("release") && release !== undefined) {
      const { prepareRelease } = await import("./prepare-release.ts");
      add(await prepareRelease(release, configuration, log, observers));
    }
    if (names.includes("sync") && sync !== undefined) {
      const { prepareSync } = await import("./prepare-sync.ts");
      add(await prepareSync(sync, configuration, log, observers));
    }
    if (names.includes("events") && events !== undefined) {
      const { prepareEvents } = await import("./prepare-events.ts");
      add(await prepareEvents(events, configuration, log, observers));
    }
    const networksOf = createConnectionNetworks(configuration.trustedProxies);
    const watch = noticeUntrustedProxy(configuration.trustedProxies, log);
    const origins = services.flatMap((service) => service.origins);
    if (operator !== undefined && metrics !== null) {
      metrics.shared.watchDisk(configuration.dataDir);
      const checks = services.map(({ name, store }) => [
        name,
        store?.checkReady ?? (async () => {}),
      ]);
      const hosts = [operator.listen.host, ...operator.hosts];
      const http = createOperatorService(Object.fromEntries(checks), metrics.render, hosts);
      origins.push({ name: "operator", http, at: operator.listen });
    }
    for (const { name, http, at } of origins) {
      const listener = await listen(watch(http), { ...at, limits: configuration.http, networksOf });
      listeners.push(listener);
      signal.throwIfAborted();
      const host = at.host.includes(":") ? `[${at.host}]` : at.host;
      addresses[name] = `http://${host}:${listener.port}`;
    }
    const stores = new Map(
      services.flatMap(({ name, store }) => (store === undefined ? [] : [[name, store]])),
    );
    return {
      addresses,
      stores: Object.fromEntries(
        [...stores].map(([name, { kind, hasAccount }]) => [name, { kind, hasAccount }]),
      ),
      stop,
      async countWorkerDeath() {
        for (const store of stores.values()) await store.countWorkerDeath();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

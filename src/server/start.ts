/** The composition root: configuration in, running listeners out. */
import type { HttpService } from "../http/create-http-service.ts";
import { listen, type Listener } from "../http/listen.ts";
import type { LineWriter } from "../http/request-log.ts";
import { openInstanceKey } from "../identity/instance-key.ts";
import { createNodePrimitives } from "../identity/node-primitives.ts";
import { createReleaseService } from "../release/service.ts";
import type { Configuration, ServiceName } from "./configuration.ts";
import type { ReleaseConfiguration, SyncConfiguration } from "./configuration-schema.ts";
import { describeNotice } from "./notices.ts";
import { openSyncStore } from "./open-sync-store.ts";
import { createSyncService } from "./sync.ts";

export interface RunningServer {
  /** Where each origin listens, by name: what `ready` prints. */
  readonly addresses: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** A service that is ready to answer, with the places where it wants to listen. */
interface ReadyService {
  readonly origins: readonly {
    readonly name: string;
    readonly http: HttpService;
    readonly at: { readonly host: string; readonly port: number };
  }[];
  close(): Promise<void>;
}

/** Starts the named services, or none at all when one of them cannot start. */
export async function startServices(
  configuration: Configuration,
  names: readonly ServiceName[],
  log: LineWriter,
): Promise<RunningServer> {
  const listeners: Listener[] = [];
  const closes: (() => Promise<void>)[] = [];
  const addresses: Record<string, string> = {};
  const stop = async () => {
    // Listeners first, so that no request meets a closed store; all of them from the same moment.
    await Promise.all(listeners.map((listener) => listener.stop()));
    await Promise.all(closes.map((close) => close()));
  };
  const { release, sync } = configuration;
  try {
    const services: ReadyService[] = [];
    const add = (service: ReadyService) => {
      closes.push(service.close);
      services.push(service);
    };
    if (names.includes("release") && release !== undefined) {
      add(await prepareRelease(release, configuration, log));
    }
    if (names.includes("sync") && sync !== undefined) {
      add(await prepareSync(sync, configuration, log));
    }
    for (const { name, http, at } of services.flatMap(({ origins }) => origins)) {
      const listener = await listen(http, { ...at, limits: configuration.http });
      listeners.push(listener);
      const host = at.host.includes(":") ? `[${at.host}]` : at.host;
      addresses[name] = `http://${host}:${listener.port}`;
    }
    return { addresses, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepareRelease(
  { listen: at, smartDownload, ...settings }: ReleaseConfiguration,
  { trustedProxies }: Configuration,
  log: LineWriter,
): Promise<ReadyService> {
  const service = createReleaseService({
    ...settings,
    smartDownloadUrl: smartDownload.url,
    trustedProxies,
    log: log.log,
    onNotice: (notice) => log.event(...describeNotice("release", notice)),
  });
  try {
    await service.ready;
  } catch (error) {
    await service.close();
    throw error;
  }
  return {
    origins: [
      { name: "release", http: service.api, at },
      { name: "smartDownload", http: service.smartDownload, at: smartDownload.listen },
    ],
    close: service.close,
  };
}

async function prepareSync(
  { listen: at, store: address, instanceKeyFile, ...settings }: SyncConfiguration,
  { dataDir, trustedProxies }: Configuration,
  log: LineWriter,
): Promise<ReadyService> {
  const instanceKey = openInstanceKey(instanceKeyFile, createNodePrimitives().randomBytes);
  const store = await openSyncStore(address, dataDir);
  if (store.wasRestored) {
    log.event("new_generation", {
      service: "sync",
      message: "The store is older than it was: a new generation begins, and devices start anew",
    });
  }
  const service = createSyncService({
    ...settings,
    store,
    instanceKey,
    trustedProxies,
    log: log.log,
    onNotice: (notice) => log.event(...describeNotice("sync", notice)),
  });
  return { origins: [{ name: "sync", http: service.http, at }], close: service.close };
}

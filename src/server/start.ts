/** The composition root: configuration in, running listeners out. */
import type { HttpService } from "../http/create-http-service.ts";
import { listen, type Listener } from "../http/listen.ts";
import type { LineWriter } from "../http/request-log.ts";
import type { Configuration, ServiceName } from "./configuration.ts";

export interface RunningServer {
  /** Where each origin listens, by name: what `ready` prints. */
  readonly addresses: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** A service that is ready to answer, with the places where it wants to listen. */
export interface ReadyService {
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
  const { release, sync, events } = configuration;
  try {
    const services: ReadyService[] = [];
    const add = (service: ReadyService) => {
      closes.push(service.close);
      services.push(service);
    };
    // Each brings much with it, which a process that does not run it has no use for.
    if (names.includes("release") && release !== undefined) {
      const { prepareRelease } = await import("./prepare-release.ts");
      add(await prepareRelease(release, configuration, log));
    }
    if (names.includes("sync") && sync !== undefined) {
      const { prepareSync } = await import("./prepare-sync.ts");
      add(await prepareSync(sync, configuration, log));
    }
    if (names.includes("events") && events !== undefined) {
      const { prepareEvents } = await import("./prepare-events.ts");
      add(await prepareEvents(events, configuration, log));
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

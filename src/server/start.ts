/** The composition root: configuration in, running listeners out. */
import { listen, type Listener } from "../http/listen.ts";
import type { HttpService } from "../http/create-http-service.ts";
import type { LineWriter } from "../http/request-log.ts";
import { createReleaseService } from "../release/service.ts";
import type { Configuration } from "./configuration.ts";
import { describeNotice } from "./notices.ts";

export const SERVICES = ["release"] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface RunningServer {
  /** Where each origin listens, by name: what `ready` prints. */
  readonly addresses: Readonly<Record<string, string>>;
  stop(): Promise<void>;
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
  const open = async (name: string, service: HttpService, at: { host: string; port: number }) => {
    const listener: Listener = await listen(service, { ...at, limits: configuration.http });
    listeners.push(listener);
    addresses[name] = `http://${at.host.includes(":") ? `[${at.host}]` : at.host}:${listener.port}`;
  };
  try {
    if (names.includes("release") && configuration.release !== undefined) {
      const { listen: at, smartDownload, ...settings } = configuration.release;
      const service = createReleaseService({
        ...settings,
        smartDownloadUrl: smartDownload.url,
        trustedProxies: configuration.trustedProxies,
        log: log.log,
        onNotice: (notice) => log.event(...describeNotice("release", notice)),
      });
      closes.push(service.close);
      await service.ready;
      await open("release", service.api, at);
      await open("smartDownload", service.smartDownload, smartDownload.listen);
    }
    return { addresses, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

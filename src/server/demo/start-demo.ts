/** Runs all services on loopback with sample data in a temporary folder. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listen } from "../../http/listen.ts";
import type { LineWriter } from "../../http/line-writer.ts";
import { readCatalog } from "../../release/catalog/read-catalog.ts";
import { watchCatalog } from "../../release/catalog/watch-catalog.ts";
import type { DownloadSite } from "../../web/download/build-download-site.ts";
import { loadConfiguration, SERVICES } from "../configuration.ts";
import type {
  EventsConfiguration,
  ReleaseConfiguration,
  SyncConfiguration,
} from "../configuration-schema.ts";
import { buildConfiguredSite } from "../download-site.ts";
import { createSiteService } from "../site-service.ts";
import { startServices } from "../start.ts";
import { DEMO_PASSWORD, DEMO_USERNAME } from "./demo-account.ts";
import { prepareDemoEvents, type DemoEvents } from "./demo-events.ts";
import { DEMO_PRODUCT_NAME, prepareDemoReleases } from "./demo-releases.ts";
import { prepareDemoSync, type DemoSync } from "./demo-sync.ts";

export interface RunningDemo {
  readonly folder: string;
  readonly configPath: string;
  readonly websiteUrl: string;
  readonly release: ReleaseConfiguration;
  readonly sync: DemoSync;
  readonly events: DemoEvents;
  /** The same in both services that have accounts. */
  readonly account: { readonly username: string; readonly password: string };
  /** Stops everything and removes the folder. */
  stop(): Promise<void>;
}

/** When `signal` aborts the start, the folder is removed. */
export async function startDemo(log: LineWriter, signal: AbortSignal): Promise<RunningDemo> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-demo-"));
  const stops: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const step of stops.splice(0).toReversed()) await step();
  };
  try {
    const configPath = join(folder, "trellis.config.json");
    await writeFile(configPath, `${JSON.stringify(createSettings(), null, 2)}\n`);
    const configuration = await loadConfiguration({ path: configPath, isRequired: true, env: {} });
    const release = configuration.release as ReleaseConfiguration;
    const { dataDir } = configuration;
    await prepareDemoReleases(release.catalog, join(dataDir, "keys"));
    signal.throwIfAborted();
    const sync = await prepareDemoSync(configuration.sync as SyncConfiguration, dataDir);
    signal.throwIfAborted();
    const events = await prepareDemoEvents(
      configuration.events as EventsConfiguration,
      dataDir,
      folder,
    );
    signal.throwIfAborted();
    const running = await startServices(configuration, SERVICES, log, signal);
    stops.push(running.stop);
    let site = await buildSite(release);
    const watcher = watchCatalog(release.catalog, () => {
      // While the catalogue is invalid, the page stays as it is.
      buildSite(release).then(
        (next) => (site = next),
        () => {},
      );
    });
    stops.push(() => watcher.close());
    const websiteUrl = new URL(release.websiteDownloadUrl);
    const service = createSiteService(() => site);
    const { host } = release.listen;
    const port = Number(websiteUrl.port);
    const website = await listen(service, { host, port, limits: configuration.http });
    stops.push(website.stop);
    return {
      folder,
      configPath,
      websiteUrl: websiteUrl.origin,
      release,
      sync,
      events,
      account: { username: DEMO_USERNAME, password: DEMO_PASSWORD },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Everything else keeps its default, also the addresses. */
function createSettings() {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return {
    release: { environment: "demo" },
    sync: { displayName: "Demo sync" },
    events: { serviceName: "Demo planner", timeZone },
  };
}

async function buildSite(release: ReleaseConfiguration): Promise<DownloadSite> {
  const now = Date.now();
  const result = await readCatalog(release.catalog, now);
  if (result.kind === "invalid") throw new Error("The demo's catalogue is invalid");
  return buildConfiguredSite(DEMO_PRODUCT_NAME, result.catalog, release, now);
}

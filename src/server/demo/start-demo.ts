/** Runs all services on loopback with sample data in a temporary folder. */
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listen } from "../../http/listen.ts";
import type { LineWriter } from "../../http/request-log.ts";
import { readCatalog } from "../../release/catalog/read-catalog.ts";
import { watchCatalog } from "../../release/catalog/watch-catalog.ts";
import { buildDownloadSite, type DownloadSite } from "../../web/download/build-download-site.ts";
import { loadConfiguration, SERVICES } from "../configuration.ts";
import type {
  EventsConfiguration,
  ReleaseConfiguration,
  SyncConfiguration,
} from "../configuration-schema.ts";
import { createSiteService } from "../site-service.ts";
import { startServices } from "../start.ts";
import { DEMO_PASSWORD, DEMO_USERNAME } from "./demo-account.ts";
import { demoAuthorizeUrl, prepareDemoEvents, type DemoEvents } from "./demo-events.ts";
import { DEMO_PRODUCT, DEMO_PRODUCT_NAME, prepareDemoReleases } from "./demo-releases.ts";
import { demoSignInUrl, prepareDemoSync, type DemoSync } from "./demo-sync.ts";

export interface RunningDemo {
  readonly folder: string;
  readonly configPath: string;
  readonly websiteUrl: string;
  readonly release: ReleaseConfiguration;
  readonly sync: DemoSync & { readonly baseUrl: string; readonly signInUrl: string };
  readonly events: DemoEvents & { readonly baseUrl: string; readonly authorizeUrl: string };
  /** The same in both services that have accounts. */
  readonly account: { readonly username: string; readonly password: string };
  /** Stops everything and removes the folder. */
  stop(): Promise<void>;
}

export async function startDemo(log: LineWriter): Promise<RunningDemo> {
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
    const sync = configuration.sync as SyncConfiguration;
    const events = configuration.events as EventsConfiguration;
    await prepareDemoReleases(release.catalog, join(configuration.dataDir, "keys"));
    const demoSync = await prepareDemoSync(sync, configuration.dataDir);
    const demoEvents = await prepareDemoEvents(events, folder);

    const running = await startServices(configuration, SERVICES, log);
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
    const website = await listen(
      createSiteService(() => site),
      {
        host: release.listen.host,
        port: Number(websiteUrl.port),
        limits: configuration.http,
      },
    );
    stops.push(website.stop);
    return {
      folder,
      configPath,
      websiteUrl: websiteUrl.origin,
      release,
      sync: { ...demoSync, baseUrl: sync.baseUrl, signInUrl: demoSignInUrl(sync) },
      events: {
        ...demoEvents,
        baseUrl: events.baseUrl,
        authorizeUrl: demoAuthorizeUrl(events),
      },
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
  const result = await readCatalog(release.catalog, Date.now());
  if (result.kind === "invalid") throw new Error("The demo's catalogue is invalid");
  return buildDownloadSite({
    productName: DEMO_PRODUCT_NAME,
    product: DEMO_PRODUCT,
    releases: result.catalog.releases,
    smartDownloadUrl: release.smartDownload.url,
    websiteUrl: release.websiteDownloadUrl,
    apiBaseUrl: release.baseUrl,
    now: Date.now(),
    sha256: (text) => createHash("sha256").update(text).digest("base64"),
  });
}

/** Runs all services on loopback with sample data in a temporary folder, and the page that shows them. */
import { listen } from "../../src/http/listen.ts";
import { createLineWriter } from "../../src/http/request-log.ts";
import { readCatalog } from "../../src/release/catalog/read-catalog.ts";
import { readSite } from "../../src/release/catalog/read-site.ts";
import { watchCatalog } from "../../src/release/catalog/watch-catalog.ts";
import type { DownloadSite } from "../../src/web/download/build-download-site.ts";
import { SERVICES } from "../../src/configuration/configuration.ts";
import type { ReleaseConfiguration } from "../../src/configuration/configuration-schema.ts";
import { buildConfiguredSite } from "../../src/release/pages.ts";
import { createSiteService } from "../../src/server/site-service.ts";
import { startServices } from "../../src/server/start.ts";
import { createTemporaryFolder } from "../../src/server/temporary-folder.ts";
import { DEMO_ACCOUNT, DEMO_PORTS } from "./demo-settings.ts";
import { DEMO_PRODUCT_NAME } from "./demo-releases.ts";
import { prepareDemo, type DemoOptions, type PreparedDemo } from "./prepare-demo.ts";
import { reservePorts, startOnReserved, type MovedPort } from "../../src/server/reserve-ports.ts";
import { createRunConformance } from "./run-conformance.ts";
import { startFirstMinute } from "./start-first-minute.ts";

export interface RunningDemo extends Pick<
  PreparedDemo,
  "folder" | "configPath" | "sync" | "events"
> {
  /** The address of the page; null when the demo is headless. */
  readonly pageUrl: string | null;
  readonly websiteUrl: string;
  readonly release: ReleaseConfiguration;
  /** The account, which is the same in both services that have accounts. */
  readonly account: { readonly username: string; readonly password: string };
  readonly movedPorts: readonly MovedPort[];
  /** Stops everything and removes the folder. */
  stop(): Promise<void>;
}

export function startDemo(options: DemoOptions): Promise<RunningDemo> {
  return startOnReserved(() => startOnce(options));
}

async function startOnce(options: DemoOptions): Promise<RunningDemo> {
  const { path: folder, remove } = await createTemporaryFolder("trellis-demo-");
  const stops: (() => unknown)[] = [remove];
  const stop = async () => {
    for (const step of stops.splice(0).toReversed()) await step();
  };
  try {
    const reserved = await reservePorts(DEMO_PORTS);
    stops.push(reserved.release);
    const prepared = await prepareDemo(options, folder, reserved.ports, stops);
    await reserved.release();
    const websiteUrl = await startWebsite(prepared);
    const pageUrl = options.isHeadless
      ? await startHeadless(prepared)
      : await startFirstMinute(
          prepared,
          websiteUrl,
          createRunConformance(startScratch(options), stops),
        );
    return {
      ...prepared,
      pageUrl,
      websiteUrl,
      release: prepared.configuration.release,
      account: DEMO_ACCOUNT,
      movedPorts: reserved.moved,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Another demo, on ports of its own, which no person sees. */
function startScratch({ signal }: DemoOptions): () => Promise<RunningDemo> {
  return () => startDemo({ isHeadless: true, log: createLineWriter(() => {}), signal });
}

async function startHeadless({ configuration, log, signal, stops }: PreparedDemo): Promise<null> {
  const running = await startServices(configuration, SERVICES, log, signal);
  stops.push(running.stop);
  return null;
}

/** Serves the download page, which shows a new release without a restart. */
async function startWebsite({ configuration, stops }: PreparedDemo): Promise<string> {
  const { release } = configuration;
  let site = await buildSite(release);
  const watcher = watchCatalog(release.catalog, () => {
    // While the catalogue is invalid, the page stays as it is.
    buildSite(release).then(
      (next) => (site = next),
      () => {},
    );
  });
  stops.push(() => watcher.close());
  const { origin, port } = new URL(release.websiteDownloadUrl);
  const { host } = release.listen;
  const service = createSiteService(() => site);
  const website = await listen(service, { host, port: Number(port), limits: configuration.http });
  stops.push(website.stop);
  return origin;
}

async function buildSite(release: ReleaseConfiguration): Promise<DownloadSite> {
  const now = Date.now();
  const result = await readCatalog(release.catalog, now);
  if (result.kind === "invalid") throw new Error("The demo's catalogue is invalid");
  const site = readSite(release.catalog);
  if (site.kind !== "valid") throw new Error("The demo's site.json is invalid");
  return buildConfiguredSite(
    { productName: DEMO_PRODUCT_NAME, site: site.site, catalog: result.catalog },
    release,
    now,
  );
}

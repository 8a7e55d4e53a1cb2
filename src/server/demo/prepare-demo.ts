/** Writes the configuration and the sample data of the demo. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LineWriter } from "../../http/request-log.ts";
import type { CatalogContext } from "../../release/publishing/change-catalog.ts";
import { loadConfiguration } from "../configuration.ts";
import type {
  Configuration,
  EventsConfiguration,
  ReleaseConfiguration,
  SyncConfiguration,
} from "../configuration-schema.ts";
import { prepareDemoEvents, type DemoEvents } from "./demo-events.ts";
import { writeDemoFace } from "./demo-face.ts";
import { openDemoCatalog, prepareDemoReleases } from "./demo-releases.ts";
import { createDemoSettings } from "./demo-settings.ts";
import { prepareDemoSync, type DemoSync } from "./demo-sync.ts";
import type { DemoPorts } from "./reserve-ports.ts";

export interface DemoOptions {
  /** Only the services, for scripts. */
  readonly isHeadless: boolean;
  readonly log: LineWriter;
  /** Aborts the start; the folder is removed. */
  readonly signal: AbortSignal;
}

/** The prepared sample data, and what has to be stopped in the end. */
export interface PreparedDemo {
  readonly folder: string;
  readonly configPath: string;
  readonly ports: DemoPorts;
  readonly configuration: Configuration;
  readonly release: ReleaseConfiguration;
  readonly catalog: CatalogContext;
  readonly syncConfiguration: SyncConfiguration;
  readonly eventsConfiguration: EventsConfiguration;
  readonly sync: DemoSync;
  readonly events: DemoEvents;
  readonly log: LineWriter;
  readonly signal: AbortSignal;
  /** Steps of the stop; the last one added is the first to run. */
  readonly stops: (() => unknown)[];
}

export async function prepareDemo(
  { isHeadless, log, signal }: DemoOptions,
  folder: string,
  ports: DemoPorts,
  stops: (() => unknown)[],
): Promise<PreparedDemo> {
  const configPath = join(folder, "trellis.config.json");
  const settings = createDemoSettings(ports, isHeadless);
  await writeFile(configPath, `${JSON.stringify(settings, null, 2)}\n`);
  const configuration = await loadConfiguration({ path: configPath, isRequired: true, env: {} });
  const { dataDir } = configuration;
  const release = configuration.release as ReleaseConfiguration;
  const syncConfiguration = configuration.sync as SyncConfiguration;
  const eventsConfiguration = configuration.events as EventsConfiguration;
  const catalog = openDemoCatalog(release.catalog, join(dataDir, "keys"));
  await prepareDemoReleases(catalog);
  await writeDemoFace(catalog.folder);
  signal.throwIfAborted();
  const sync = await prepareDemoSync(syncConfiguration, dataDir, folder);
  signal.throwIfAborted();
  const sample = isHeadless ? "school" : "lessons";
  const events = await prepareDemoEvents(eventsConfiguration, dataDir, folder, sample);
  signal.throwIfAborted();
  return {
    folder,
    configPath,
    ports,
    configuration,
    release,
    catalog,
    syncConfiguration,
    eventsConfiguration,
    sync,
    events,
    log,
    signal,
    stops,
  };
}

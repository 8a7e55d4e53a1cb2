/** Writes the configuration and the sample data of the demo. */
import { writeFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { LANGUAGES, type Language } from "../../src/contract/language.ts";
import type { LineWriter } from "../../src/http/request-log.ts";
import type { CatalogContext } from "../../src/release/publishing/change-catalog.ts";
import { loadConfiguration, type ServiceName } from "../../src/configuration/configuration.ts";
import type { Configuration } from "../../src/configuration/configuration-schema.ts";
import { prepareDemoEvents, type DemoEvents } from "./demo-events.ts";
import { openDemoCatalog, prepareDemoReleases, DEMO_PRODUCT_NAME } from "./demo-releases.ts";
import { createDemoSettings, type DemoPorts } from "./demo-settings.ts";
import { prepareDemoSync, type DemoSync } from "./demo-sync.ts";
import { SITE_SCHEMA_VERSION, type SiteFile } from "../../src/contract/release/site.ts";
import { SITE_FILE, SITE_FOLDER } from "../../src/rules/release/catalog-files.ts";
import { HABITS_ICON_SVG } from "../../src/web/generated/habits-icon-svg.ts";

export interface DemoOptions {
  /** Whether the demo runs only the services, for scripts. */
  readonly isHeadless: boolean;
  readonly log: LineWriter;
  /** Aborts the start, after which the folder is removed. */
  readonly signal: AbortSignal;
}

type DemoConfiguration = Configuration & Required<Pick<Configuration, ServiceName>>;

/** The prepared sample data, and what has to be stopped in the end. */
export interface PreparedDemo extends DemoOptions {
  readonly folder: string;
  readonly configPath: string;
  readonly ports: DemoPorts;
  readonly configuration: DemoConfiguration;
  readonly catalog: CatalogContext;
  readonly sync: DemoSync;
  readonly events: DemoEvents;
  /** Steps of the stop; the last one added is the first to run. */
  readonly stops: (() => unknown)[];
}

export async function prepareDemo(
  options: DemoOptions,
  folder: string,
  ports: DemoPorts,
  stops: (() => unknown)[],
): Promise<PreparedDemo> {
  const { isHeadless, signal } = options;
  const configPath = join(folder, "trellis.config.json");
  const language = systemLanguage();
  const settings = createDemoSettings(ports, isHeadless, language);
  await writeFile(configPath, `${JSON.stringify(settings, null, 2)}\n`);
  const source = { path: configPath, isRequired: true, env: {} };
  const configuration = (await loadConfiguration(source)) as DemoConfiguration;
  const { dataDir } = configuration;
  const catalog = openDemoCatalog(configuration.release.catalog, join(dataDir, "keys"));
  await prepareDemoReleases(catalog);
  await writeDemoTheme(catalog.folder);
  signal.throwIfAborted();
  const sync = await prepareDemoSync(configuration.sync, dataDir, folder, language);
  signal.throwIfAborted();
  const sample = isHeadless ? "school" : "lessons";
  const planner = configuration.events;
  const events = await prepareDemoEvents(planner, dataDir, folder, sample, language);
  signal.throwIfAborted();
  return { ...options, folder, configPath, ports, configuration, catalog, sync, events, stops };
}

/** The page renames the sample habits for a person who reads it in the other language. */
function systemLanguage(): Language {
  const { locale } = new Intl.DateTimeFormat().resolvedOptions();
  return LANGUAGES.find((language) => locale.startsWith(language)) ?? LANGUAGES[0];
}

const LOGO = "logo.svg";

/** The theme of the download page, as the maker of an app would write it. */
const THEME: SiteFile = {
  schemaVersion: SITE_SCHEMA_VERSION,
  name: DEMO_PRODUCT_NAME,
  tagline: { en: "Small habits that stay", de: "Kleine Gewohnheiten, die bleiben" },
  description: {
    en: "Keep the few things that matter, one calm day at a time. Your data is on your devices, and on a server of your own.",
    de: "Behalte die wenigen Dinge bei, die zählen, einen ruhigen Tag nach dem anderen. Deine Daten sind auf deinen Geräten und auf deinem eigenen Server.",
  },
  logo: LOGO,
  accent: "#1b6748",
  accentDark: "#86d6ac",
};

async function writeDemoTheme(catalog: string): Promise<void> {
  await mkdir(join(catalog, SITE_FOLDER), { recursive: true });
  await writeFile(join(catalog, SITE_FOLDER, LOGO), HABITS_ICON_SVG);
  await writeFile(join(catalog, SITE_FILE), `${JSON.stringify(THEME, null, 2)}\n`);
}

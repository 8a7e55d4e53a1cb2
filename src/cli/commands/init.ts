import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { placeFile } from "../../database/place-file.ts";
import { initCatalog, type NewCatalog } from "../../release/publishing/init-catalog.ts";
import {
  checkConfiguration,
  expectRecipients,
  type ServiceName,
} from "../../configuration/configuration.ts";
import type { Configuration } from "../../configuration/configuration-schema.ts";
import { listProxied, LOCAL_PROXIES } from "../../operate/local-proxy.ts";
import {
  listLocalAddresses,
  suggestSmartDownloadUrl,
} from "../../configuration/public-addresses.ts";
import {
  CommandError,
  defineCommand,
  flag,
  option,
  type CommandContext,
  type Line,
  type OptionValues,
  type PromptContext,
} from "../command.ts";
import {
  askBackupSettings,
  BACKUP_OPTIONS,
  askEventsSettings,
  EVENTS_OPTIONS,
  askSyncSettings,
  SYNC_OPTIONS,
} from "./init/store-settings.ts";
import { readReleaseSettings, RELEASE_OPTIONS } from "./init/release-settings.ts";
import { chooseServices, expectRequired } from "./init/services.ts";
import {
  createConfiguredKeys,
  openCatalogContext,
  describeSealing,
  keepPrivate,
  readNewKeyPassphrase,
  toCommandError,
} from "./release/catalog-context.ts";
import { NO_TARGETS } from "./release/init.ts";

const SCHEMA = "./node_modules/trellis/trellis.config.schema.json";

export const command = defineCommand({
  description:
    "Sets up the services given with --service, or those that the other options belong to. At a terminal it asks for the rest; --no-input takes the defaults. Existing files are never overwritten.",
  options: {
    service: option("NAME", "release, sync or events", { multiple: true }),
    ...RELEASE_OPTIONS,
    ...SYNC_OPTIONS,
    ...EVENTS_OPTIONS,
    ...BACKUP_OPTIONS,
    "no-input": flag("Do not ask: take the default of everything that is not given"),
  },
  examples: [
    "trellis init --product habits --base-url https://releases.example.com --target windows/x64",
    "trellis init --service sync --sync-base-url https://sync.example.com --sync-redirect-uri com.example.habits://callback",
    "trellis init --service events --events-base-url https://events.example.com --events-client-id habits --events-redirect-uri habits://callback",
  ],
  async run(given) {
    const isInteractive = given.isInteractive && !given.options["no-input"];
    const context: CommandContext = { ...given, isInteractive };
    const path = resolve(context.configPath);
    if (existsSync(path)) {
      throw new CommandError(
        `There is already a configuration at "${path}": edit it (a section such as "sync" adds a service), or name another with --config`,
      );
    }
    const services = await chooseServices(context);
    expectRequired(context, services);
    const { catalog, ...answers } = await readAnswers(context, path, services);
    // The answers are checked before the first file is written: a mistyped address leaves nothing behind.
    const configuration = checkConfiguration(answers, "of these answers");
    await expectRecipients(configuration, "of these answers");
    const settings = {
      $schema: SCHEMA,
      ...(listProxied(configuration).length > 0 && { trustedProxies: LOCAL_PROXIES }),
      ...answers,
    };
    await mkdir(dirname(path), { recursive: true });
    const text = `${JSON.stringify(settings, null, 2)}\n`;
    await placeFile(path, (draft) => writeFile(draft, text, { flag: "wx", flush: true }));
    const made = catalog === undefined ? null : await makeCatalog(context, path, catalog);
    if (made === null) {
      const { dataDir } = await context.configuration();
      const otherwise = `Wrote ${path}, but cannot create the folder for private files`;
      keepPrivate(dataDir, join(dataDir, "keys"), [path], otherwise);
    }
    context.print(
      `Wrote the configuration ${path}`,
      ...(made?.lines ?? []),
      ...describeAddresses(context.options, configuration),
      ...(configuration.sync?.allowedSchemes ?? []).map(
        (scheme) =>
          `Allowed the scheme "${scheme}": it has no dot, so another app could claim it too; com.example.${scheme} is safer`,
      ),
      ...services.map((service) => NEXT_STEPS[service]),
      `Then start ${services.length > 1 ? "the services" : "it"} with \`trellis serve\`, and check everything with \`trellis doctor\``,
    );
    context.json({ configuration: path, services, ...made?.result });
  },
});

async function readAnswers(context: PromptContext, path: string, services: readonly ServiceName[]) {
  const isWanted = (service: ServiceName) => services.includes(service);
  const release = isWanted("release") ? await readReleaseSettings(context, path) : null;
  const sync = isWanted("sync") ? await askSyncSettings(context) : null;
  const events = isWanted("events") ? await askEventsSettings(context) : null;
  const backups = await askBackupSettings(context, services);
  return {
    ...(release !== null && { catalog: release.catalog, release: release.section }),
    ...(sync !== null && { sync: { ...sync, ...backups } }),
    ...(events !== null && { events: { ...events, ...backups } }),
  };
}

const NEXT_STEPS: Readonly<Record<ServiceName, string>> = {
  release:
    "Next: copy the key files to a safe place, then create a release with `trellis release new VERSION --build N`",
  sync: "Next: create the account with `trellis sync account create --username NAME`, or invite its owner with `trellis sync account create --invite`",
  events:
    "Next: create an account with `trellis events account create --username NAME`, or invite people with `trellis events account invite`",
};

async function makeCatalog(context: CommandContext, path: string, answers: NewCatalog) {
  const catalog = await openCatalogContext(context);
  const passphrase = await readNewKeyPassphrase(context, catalog).catch(async (error) => {
    // Nothing else is written yet, and the next attempt begins from the start.
    await rm(path);
    throw error;
  });
  const created = initCatalog(catalog, answers);
  if (created.kind === "refused") {
    await rm(path);
    throw toCommandError(created);
  }
  const { keys } = await createConfiguredKeys(context, catalog, undefined, passphrase);
  return {
    lines: [
      `Created the catalogue of "${answers.product}" in ${catalog.folder}`,
      answers.targets.length === 0 && NO_TARGETS,
      ...keys.map(({ role, keyId, path: file }) => `Created the ${role} key ${keyId}: ${file}`),
      describeSealing(passphrase),
    ],
    result: {
      catalog: catalog.folder,
      keys: keys.map(({ keyId, role, publicKey }) => ({ keyId, role, publicKey })),
    },
  };
}

/** Says which address was chosen, and which must be set: a public address must not lead to this machine. */
function describeAddresses(
  options: OptionValues,
  { release }: Pick<Configuration, "release">,
): Line[] {
  if (release === undefined) return [];
  const { url, listen } = release.smartDownload;
  const isChosen =
    options["smart-download-url"] === undefined && url === suggestSmartDownloadUrl(release.baseUrl);
  return [
    isChosen &&
      `The smart-download origin is ${url}: let the proxy forward it to ${listen.host}:${listen.port}, or change release.smartDownload.url`,
    ...listLocalAddresses(release).map(
      ({ key, url: local, publicKey }) =>
        `Next: set ${key} to a public address, because ${publicKey} is one and visitors cannot reach ${local}`,
    ),
  ];
}

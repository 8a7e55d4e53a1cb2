import { confirm, multiselect } from "@clack/prompts";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { CatalogTarget } from "../../contract/release/catalog.ts";
import { DEFAULT_ARCHITECTURES, DISTRIBUTION_PLATFORMS } from "../../contract/release/values.ts";
import { initCatalog } from "../../release/publishing/init-catalog.ts";
import { checkConfiguration } from "../../server/configuration.ts";
import type { Configuration } from "../../server/configuration-schema.ts";
import { listProxied, LOCAL_PROXIES } from "../../server/local-proxy.ts";
import { listLocalAddresses, suggestSmartDownloadUrl } from "../../server/public-addresses.ts";
import {
  CommandError,
  defineCommand,
  option,
  UsageError,
  type CommandContext,
  type OptionValues,
} from "../command.ts";
import { askText, expectInput } from "../prompts.ts";
import { PASSPHRASE_OPTION } from "../secret-input.ts";
import {
  createConfiguredKeys,
  openCatalogContext,
  describeSealing,
  readNewKeyPassphrase,
  toCommandError,
} from "./release/catalog-context.ts";
import { parseTarget, suggestProduct } from "./release/init.ts";
import { parseHost } from "./release/parse-options.ts";

const SCHEMA = "./node_modules/trellis/trellis.config.schema.json";

export const initCommand = defineCommand({
  description:
    "At a terminal it asks for what the options do not give. Personal sync and the events service are optional. Existing files are never overwritten.",
  options: {
    product: option("NAME", "The product's name, such as habits"),
    "base-url": option("URL", "Public address of the release API"),
    "smart-download-url": option("URL", "Public address of the smart-download origin"),
    "website-download-url": option("URL", "The website's download section"),
    target: option("PLATFORM/ARCH", "A target that every release must have, such as windows/x64", {
      multiple: true,
    }),
    host: option("HOST", "A host that artifacts may be downloaded from", { multiple: true }),
    "sync-base-url": option("URL", "Public address of personal sync (default: no sync service)"),
    "events-base-url": option(
      "URL",
      "Public address of the events service (default: no events service)",
    ),
    "events-name": option("NAME", "The display name of the events service"),
    "time-zone": option("ZONE", "Default time zone of events accounts, such as Europe/Berlin"),
    ...PASSPHRASE_OPTION,
  },
  examples: [
    "trellis init --product habits --base-url https://releases.example.com --target windows/x64",
    "trellis init --product habits --events-base-url https://events.example.com --time-zone Europe/Berlin",
  ],
  async run(context) {
    const path = resolve(context.configPath);
    if (existsSync(path)) {
      throw new CommandError(
        `There is already a configuration at "${path}": edit it, or name another with --config`,
      );
    }
    const artifactHosts = context.options.host.map(parseHost);
    const { product, targets, ...answers } = await readSettings(context, path);
    // Before the first file is written, so that a mistyped address leaves nothing behind.
    const configuration = checkConfiguration(answers, "of these answers");
    const { $schema, ...sections } = answers;
    const settings = {
      $schema,
      ...(listProxied(configuration).length > 0 && { trustedProxies: LOCAL_PROXIES }),
      ...sections,
    };
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${JSON.stringify(settings, null, 2)}\n`, { flag: "wx" });
    const catalog = await openCatalogContext(context);
    const passphrase = await readNewKeyPassphrase(context, catalog).catch(async (error) => {
      // Nothing else is written yet, and the next attempt begins anew.
      await rm(path);
      throw error;
    });
    const created = initCatalog(catalog, { product, targets, artifactHosts });
    if (created.kind === "refused") throw toCommandError(created);
    const { keys } = await createConfiguredKeys(context, catalog, undefined, passphrase);
    context.print(
      `Wrote the configuration ${path}`,
      `Created the catalogue of "${product}" in ${catalog.folder}`,
      ...keys.map(({ role, keyId, path: file }) => `Created the ${role} key ${keyId}: ${file}`),
      describeSealing(passphrase),
      ...describeAddresses(context.options, configuration),
      "Next: copy the key files to a safe place, then create a release with `trellis release new VERSION --build N`",
      ...(["sync", "events"] as const)
        .filter((service) => settings[service] !== undefined)
        .map(
          (service) =>
            `Then create an account with \`trellis ${service} account create --username NAME\``,
        ),
    );
    context.json({
      configuration: path,
      catalog: catalog.folder,
      keys: keys.map(({ keyId, role, publicKey }) => ({ keyId, role, publicKey })),
    });
  },
});

/** What was chosen or still has to be, because a public address must not lead to this machine. */
function describeAddresses(
  options: OptionValues,
  { release }: Pick<Configuration, "release">,
): string[] {
  if (release === undefined) return [];
  const { url, listen } = release.smartDownload;
  const isChosen =
    options["smart-download-url"] === undefined && url === suggestSmartDownloadUrl(release.baseUrl);
  return [
    ...(isChosen
      ? [
          `The smart-download origin is ${url}: let the proxy forward it to ${listen.host}:${listen.port}, or change release.smartDownload.url`,
        ]
      : []),
    ...listLocalAddresses(release).map(
      ({ key, url: local, publicKey }) =>
        `Next: set ${key} to a public address, because ${publicKey} is one and visitors cannot reach ${local}`,
    ),
  ];
}

type Context = Pick<CommandContext, "isInteractive" | "terminal"> & {
  readonly options: OptionValues;
};

/** The configuration with only the values that were given, and what the catalogue needs. */
async function readSettings(context: Context, path: string) {
  const { isInteractive, options } = context;
  const ask = async (name: string, message: string, initialValue: string) => {
    const given = options[name] as string | undefined;
    return given !== undefined || !isInteractive ? given : askText(context, message, initialValue);
  };
  /** Undefined: the service is not wanted. */
  const askServiceUrl = async (service: "sync" | "events", label: string, initialUrl: string) => {
    const name = `${service}-base-url`;
    const isWanted = options[name] !== undefined || (isInteractive && (await askWhether(label)));
    return isWanted ? ask(name, `Public address of ${label}`, initialUrl) : undefined;
  };
  const product = await ask("product", "The product's name", suggestProduct(dirname(path)));
  if (product === undefined) throw new UsageError("Missing option --product NAME");
  const given = (options["target"] as string[]).map(parseTarget);
  const baseUrl = await ask("base-url", "Public address of the API", "http://localhost:4801");
  const suggestedUrl = suggestSmartDownloadUrl(baseUrl ?? "");
  const smartDownloadUrl =
    (await ask(
      "smart-download-url",
      "Public address of the smart-download origin",
      suggestedUrl ?? "http://localhost:4802",
    )) ??
    suggestedUrl ??
    undefined;
  const websiteDownloadUrl = await ask(
    "website-download-url",
    "The website's download section",
    "http://localhost:4803/#download",
  );
  const targets = given.length > 0 || !isInteractive ? given : await askTargets();
  const syncUrl = await askServiceUrl("sync", "personal sync", "http://localhost:4811");
  const eventsUrl = await askServiceUrl("events", "the events service", "http://localhost:4821");
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  // JSON leaves out the members that are undefined.
  const events =
    eventsUrl === undefined
      ? undefined
      : {
          baseUrl: eventsUrl,
          serviceName: await ask("events-name", "Display name of the events service", "My planner"),
          timeZone: await ask("time-zone", "Default time zone of accounts", timeZone),
        };
  return {
    product,
    targets,
    $schema: SCHEMA,
    release: {
      ...(baseUrl !== undefined && { baseUrl }),
      ...(smartDownloadUrl !== undefined && { smartDownload: { url: smartDownloadUrl } }),
      ...(websiteDownloadUrl !== undefined && { websiteDownloadUrl }),
    },
    ...(syncUrl !== undefined && { sync: { baseUrl: syncUrl } }),
    ...(events !== undefined && { events }),
  };
}

async function askWhether(what: string): Promise<boolean> {
  return expectInput(await confirm({ message: `Set up ${what} too?`, initialValue: false }));
}

async function askTargets(): Promise<CatalogTarget[]> {
  const platforms = expectInput(
    await multiselect({
      message: "Which targets must every release have?",
      required: false,
      options: DISTRIBUTION_PLATFORMS.map((platform) => ({
        value: platform,
        label: `${platform} (${DEFAULT_ARCHITECTURES[platform]})`,
      })),
    }),
  );
  return platforms.map((platform) => ({
    platform,
    architecture: DEFAULT_ARCHITECTURES[platform],
  }));
}

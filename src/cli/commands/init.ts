import { confirm, isCancel, multiselect, text } from "@clack/prompts";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { CatalogTarget } from "../../contract/release/catalog.ts";
import { DEFAULT_ARCHITECTURES, DISTRIBUTION_PLATFORMS } from "../../contract/release/values.ts";
import { createKeys } from "../../release/publishing/key-ring.ts";
import { initCatalog } from "../../release/publishing/init-catalog.ts";
import { checkConfiguration } from "../../server/configuration.ts";
import { CommandError, defineCommand, UsageError, type CommandContext } from "../command.ts";
import { readTarget, suggestProduct } from "./release/init.ts";
import { failure, openCatalogContext, resultOf } from "./release/workbench.ts";

const SCHEMA = "./node_modules/trellis/trellis.config.schema.json";

export const initCommand = defineCommand({
  summary: "Write a configuration, signing keys and an empty catalogue",
  description:
    "Asks on a terminal what the options do not say. Personal sync and the events service are set up when they are wanted. Overwrites nothing.",
  options: {
    product: { type: "string", value: "NAME", description: "The product's name, such as habits" },
    "base-url": { type: "string", value: "URL", description: "Public address of the release API" },
    "smart-download-url": {
      type: "string",
      value: "URL",
      description: "Public address of the smart-download origin",
    },
    "website-download-url": {
      type: "string",
      value: "URL",
      description: "The website's download section",
    },
    target: {
      type: "string",
      value: "PLATFORM/ARCH",
      multiple: true,
      description: "What a complete release must have",
    },
    host: { type: "string", value: "HOST", multiple: true, description: "Where artifacts may lie" },
    "sync-base-url": {
      type: "string",
      value: "URL",
      description: "Public address of personal sync; without it there is none",
    },
    "events-base-url": {
      type: "string",
      value: "URL",
      description: "Public address of the events service; without it there is none",
    },
    "events-name": {
      type: "string",
      value: "NAME",
      description: "What people call the events service",
    },
    "time-zone": {
      type: "string",
      value: "ZONE",
      description: "Of accounts of the events service that choose none, such as Europe/Berlin",
    },
  },
  examples: [
    "trellis init --product habits --base-url https://releases.example.com --target windows/x64",
    "trellis init --product habits --events-base-url https://planner.example.com --time-zone Europe/Berlin",
  ],
  async run(context) {
    const path = resolve(context.configPath);
    if (existsSync(path)) {
      throw new CommandError(
        `There is already a configuration at "${path}": edit it, or name another with --config`,
      );
    }
    const answers = await readResponses(context, path);
    const settings = toConfiguration(answers);
    // Before the first file is written: nobody should have to clean up after a mistyped address.
    checkConfiguration(settings, "of these answers");
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${JSON.stringify(settings, null, 2)}\n`, { flag: "wx" });
    const bench = await openCatalogContext(context);
    const { product, targets } = answers;
    const begun = initCatalog(bench, { product, targets, artifactHosts: context.options.host });
    if (begun.kind === "refused") throw failure(begun);
    const { keys } = resultOf(await createKeys(bench, undefined, bench.keyPassphrase), context);
    context.print(
      [
        `Wrote the configuration ${path}`,
        `Began the catalogue of "${product}" in ${bench.folder}`,
        ...keys.map(({ role, keyId, path: file }) => `Made the ${role} key ${keyId}: ${file}`),
        "Next: copy the key files to a safe place, then begin a release with `trellis release new VERSION --build N`",
        ...(["sync", "events"] as const)
          .filter((service) => answers[service] !== undefined)
          .map(
            (service) =>
              `Then make an account with \`trellis ${service} account create --username NAME\``,
          ),
      ].join("\n"),
    );
    context.json({
      configuration: path,
      catalog: bench.folder,
      keys: keys.map(({ keyId, role, publicKey }) => ({ keyId, role, publicKey })),
    });
  },
});

interface Answers {
  readonly product: string;
  readonly targets: readonly CatalogTarget[];
  readonly baseUrl: string | undefined;
  readonly smartDownloadUrl: string | undefined;
  readonly websiteDownloadUrl: string | undefined;
  /** Undefined: there is no such service. */
  readonly sync: { readonly baseUrl: string } | undefined;
  readonly events: EventsResponses | undefined;
}

interface EventsResponses {
  readonly baseUrl: string;
  readonly serviceName: string | undefined;
  readonly timeZone: string | undefined;
}

type Context = Pick<CommandContext, "isInteractive"> & {
  readonly options: Readonly<Record<string, string | boolean | string[] | undefined>>;
};

async function readResponses({ isInteractive, options }: Context, path: string): Promise<Answers> {
  const option = (name: string) => options[name] as string | undefined;
  const ask = async (name: string, message: string, initialValue: string) => {
    const given = option(name);
    if (given !== undefined || !isInteractive) return given;
    return expectAnswer(await text({ message, initialValue }));
  };
  const product = await ask("product", "The product's name", suggestProduct(dirname(path)));
  if (product === undefined) throw new UsageError("Missing option --product NAME");
  const targets = (options["target"] as string[]).map(readTarget);
  return {
    product,
    baseUrl: await ask("base-url", "Public address of the API", "http://localhost:4801"),
    smartDownloadUrl: await ask(
      "smart-download-url",
      "Public address of the smart-download origin",
      "http://localhost:4802",
    ),
    websiteDownloadUrl: await ask(
      "website-download-url",
      "The website's download section",
      "http://localhost:4803/#download",
    ),
    targets: targets.length > 0 || !isInteractive ? targets : await askTargets(),
    sync: await readSync(ask, isInteractive, option("sync-base-url")),
    events: await readEvents(ask, isInteractive, option("events-base-url")),
  };
}

type Ask = (name: string, message: string, initialValue: string) => Promise<string | undefined>;

async function readSync(ask: Ask, isInteractive: boolean, given: string | undefined) {
  const isWanted = given !== undefined || (isInteractive && (await askWhether("personal sync")));
  const baseUrl = isWanted
    ? await ask("sync-base-url", "Public address of personal sync", "http://localhost:4811")
    : undefined;
  return baseUrl === undefined ? undefined : { baseUrl };
}

async function readEvents(
  ask: Ask,
  isInteractive: boolean,
  given: string | undefined,
): Promise<EventsResponses | undefined> {
  const isWanted =
    given !== undefined || (isInteractive && (await askWhether("an events service")));
  const baseUrl = isWanted
    ? await ask("events-base-url", "Public address of the events service", "http://localhost:4821")
    : undefined;
  if (baseUrl === undefined) return undefined;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return {
    baseUrl,
    serviceName: await ask("events-name", "What people call it", "My planner"),
    timeZone: await ask("time-zone", "Time zone of accounts that choose none", timeZone),
  };
}

async function askWhether(what: string): Promise<boolean> {
  return expectAnswer(await confirm({ message: `Set up ${what} too?`, initialValue: false }));
}

async function askTargets(): Promise<CatalogTarget[]> {
  const chosen = expectAnswer(
    await multiselect({
      message: "What must a complete release have?",
      required: false,
      options: DISTRIBUTION_PLATFORMS.map((platform) => ({
        value: platform,
        label: `${platform} (${DEFAULT_ARCHITECTURES[platform]})`,
      })),
    }),
  );
  return chosen.map((platform) => ({
    platform,
    architecture: DEFAULT_ARCHITECTURES[platform],
  }));
}

function expectAnswer<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new CommandError("Cancelled, nothing was changed");
  return answer as Exclude<T, symbol>;
}

/** Only what was said: everything else keeps its default. */
function toConfiguration(answers: Answers): Readonly<Record<string, unknown>> {
  const { baseUrl, smartDownloadUrl, websiteDownloadUrl, sync, events } = answers;
  return {
    $schema: SCHEMA,
    release: {
      ...(baseUrl !== undefined && { baseUrl }),
      ...(smartDownloadUrl !== undefined && { smartDownload: { url: smartDownloadUrl } }),
      ...(websiteDownloadUrl !== undefined && { websiteDownloadUrl }),
    },
    // Members that are undefined are left out of the text.
    ...(sync !== undefined && { sync }),
    ...(events !== undefined && { events }),
  };
}

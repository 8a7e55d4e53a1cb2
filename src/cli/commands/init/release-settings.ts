/** The questions of `init` about the release service and its catalogue. */
import { dirname } from "node:path";
import type { CatalogTarget } from "../../../contract/release/catalog.ts";
import {
  DEFAULT_ARCHITECTURES,
  DISTRIBUTION_PLATFORMS,
  SLUG_PATTERN,
} from "../../../contract/release/values.ts";
import { suggestSmartDownloadUrl } from "../../../configuration/public-addresses.ts";
import { flag, option, UsageError, type PromptContext } from "../../command.ts";
import { askChoices } from "../../prompts.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import { chooseTargets } from "../release/choose-architecture.ts";
import { suggestProduct } from "../release/init.ts";
import { parseHost } from "../release/parse-options.ts";
import { ask, askList, checkAddress, splitWords } from "./ask.ts";

export const RELEASE_OPTIONS = {
  product: option("NAME", "release: the product's name, such as habits"),
  "base-url": option("URL", "release: public address of the API"),
  "smart-download-url": option("URL", "release: public address of the smart-download origin"),
  "website-download-url": option("URL", "release: the website's download section"),
  target: option(
    "PLATFORM/ARCH",
    "release: a target that every release must have, such as windows/x64",
    { multiple: true },
  ),
  "accept-architecture": flag("release: accept unusual names of architectures in --target"),
  host: option("HOST", "release: a host that artifacts may be downloaded from", {
    multiple: true,
  }),
  ...PASSPHRASE_OPTION,
} as const;

export async function readReleaseSettings(context: PromptContext, path: string) {
  const hostsGiven = (context.options["host"] as string[]).map(parseHost);
  const targetsGiven = await chooseTargets(
    context,
    context.options["target"] as string[],
    context.options["accept-architecture"] === true,
  );
  const product = await ask(
    context,
    "product",
    "The product's name (it is signed into every manifest)",
    suggestProduct(dirname(path)),
    checkProduct,
  );
  const section = await askAddresses(context);
  const isAsked = context.isInteractive && targetsGiven.length === 0;
  const targets = isAsked ? await askTargets(context) : targetsGiven;
  const artifactHosts =
    hostsGiven.length > 0
      ? hostsGiven
      : await askList(
          context,
          "host",
          "Hosts that artifacts are downloaded from, separated by spaces (empty: any)",
          "",
          checkHosts,
        );
  return {
    catalog: { product: product ?? "", targets, artifactHosts },
    section,
  };
}

async function askAddresses(context: PromptContext) {
  const baseUrl = await ask(
    context,
    "base-url",
    "Public address of the release API",
    "http://localhost:4801",
    checkAddress,
  );
  const suggestedUrl = suggestSmartDownloadUrl(baseUrl ?? "");
  const smartDownloadUrl =
    (await ask(
      context,
      "smart-download-url",
      "Public address of the smart-download origin",
      suggestedUrl ?? "http://localhost:4802",
      checkAddress,
    )) ?? suggestedUrl;
  const websiteDownloadUrl = await ask(
    context,
    "website-download-url",
    "The website's download section",
    "http://localhost:4803/#download",
    checkAddress,
  );
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(smartDownloadUrl !== null && { smartDownload: { url: smartDownloadUrl } }),
    ...(websiteDownloadUrl !== undefined && { websiteDownloadUrl }),
  };
}

const PRODUCT = new RegExp(SLUG_PATTERN);

function checkProduct(answer: string): string | undefined {
  return PRODUCT.test(answer.trim())
    ? undefined
    : "Use lower-case letters, digits and hyphens, such as my-habits";
}

function checkHosts(answer: string): string | undefined {
  try {
    splitWords(answer).map(parseHost);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message.replace("--host must be", "Give");
    throw error;
  }
}

async function askTargets(context: PromptContext): Promise<CatalogTarget[]> {
  const platforms = await askChoices(
    context,
    "Which targets must every release have?",
    DISTRIBUTION_PLATFORMS.map((platform) => ({
      value: platform,
      label: `${platform} (${DEFAULT_ARCHITECTURES[platform]})`,
    })),
    [],
    false,
  );
  return platforms.map((platform) => ({
    platform,
    architecture: DEFAULT_ARCHITECTURES[platform],
  }));
}

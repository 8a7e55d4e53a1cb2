import { readFile } from "node:fs/promises";
import { checkRelease, RELEASE_CASES } from "../../../../conformance/release/check-release.ts";
import {
  checkReleaseDriver,
  RELEASE_DRIVER_CASES,
} from "../../../../conformance/release/driver/check-release-driver.ts";
import { ReleaseFixtures, type ReleaseInput } from "../../../../conformance/release/input.ts";
import { createChecker, type Checker } from "../../../contract/check.ts";
import { KeyRing } from "../../../contract/release/catalog.ts";
import { CommandError, defineCommand, flag, option, type ValuesOf } from "../../command.ts";
import { DRIVER_ARGUMENT, hasDriver, runDriverSuite } from "./drivers.ts";
import { CASE_OPTIONS, defined, expectReachable, parseUrlOption, runSuite } from "./cases.ts";

const SERVER_OPTIONS = {
  "smart-download": option("URL", "The address of the smart-download selector"),
  "public-url": option("URL", "The configured base URL of the server, if it differs from URL"),
  "public-smart-download": option("URL", "The same for the smart-download origin"),
  website: option("URL", "The website's download section"),
  empty: option("URL", "The same server without releases and without a manifest"),
  keys: option("FILE", "The public key ring that clients pin, as keys.json of a catalogue"),
  product: option("NAME", "The product the manifest must name"),
  fixtures: option("FILE", "What the server has: newest releases, drafts, withdrawn versions"),
} as const;

export const command = defineCommand({
  description:
    "Sends public requests of the contract, changes nothing, and reports which requirements the server meets. Requirements that cannot be tested with the given information are skipped, with the reason. With --client it tests an update client instead: it plays the service on this machine, and your driver runs the client once for each task. Exit code 1 when a requirement is broken.",
  arguments: { url: { description: "The address of the API" }, ...DRIVER_ARGUMENT },
  options: {
    ...SERVER_OPTIONS,
    client: flag("Test the update client that the driver runs"),
    ...CASE_OPTIONS,
  },
  examples: [
    "trellis conformance release https://releases.example.com",
    "trellis conformance release https://releases.example.com --smart-download https://download.example.com --keys keys.json",
    "trellis conformance release --client -- node my-driver.js",
    "trellis conformance release --list",
  ],
  async run(context) {
    if (hasDriver(context) || context.options.client) {
      const suite = { words: "release", cases: RELEASE_DRIVER_CASES };
      return runDriverSuite(context, suite, checkReleaseDriver);
    }
    const suite = { words: "release", cases: RELEASE_CASES };
    return runSuite(context, suite, async (baseUrl, selection) => {
      const input = await readInput(baseUrl, context.options);
      const urls = [input.baseUrl, input.smartDownloadUrl, input.emptyUrl];
      await expectReachable(
        urls.filter((url) => url !== undefined),
        "/health",
      );
      return checkRelease(input, selection);
    });
  },
});

async function readInput(
  baseUrl: string,
  options: ValuesOf<typeof SERVER_OPTIONS>,
): Promise<ReleaseInput> {
  return {
    baseUrl,
    ...defined({
      smartDownloadUrl: parseUrlOption("--smart-download", options["smart-download"]),
      publicUrl: parseUrlOption("--public-url", options["public-url"]),
      publicSmartDownloadUrl: parseUrlOption(
        "--public-smart-download",
        options["public-smart-download"],
      ),
      websiteDownloadUrl: parseUrlOption("--website", options.website),
      emptyUrl: parseUrlOption("--empty", options.empty),
      keys: await readJsonFile("--keys", options.keys, createChecker(KeyRing)),
      product: options.product,
      fixtures: await readJsonFile("--fixtures", options.fixtures, createChecker(ReleaseFixtures)),
    }),
  };
}

async function readJsonFile<T>(
  name: string,
  path: string | undefined,
  checker: Checker<T>,
): Promise<T | undefined> {
  if (path === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw new CommandError(`Cannot read "${path}" of ${name}: ${(error as Error).message}`);
  }
  if (checker.is(value)) return value;
  const errors = checker
    .errors(value)
    .map((error) => `  ${error.path || "the file"} ${error.problem}`);
  throw new CommandError([`Cannot use "${path}" of ${name}:`, ...errors]);
}

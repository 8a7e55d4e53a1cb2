import { readFile } from "node:fs/promises";
import { findUnreachable } from "../../../conformance/check.ts";
import { RELEASE_CASES } from "../../../conformance/release/cases.ts";
import { checkRelease } from "../../../conformance/release/check-release.ts";
import { ReleaseFixtures, type ReleaseInput } from "../../../conformance/release/input.ts";
import { createChecker, type Checker } from "../../../contract/check.ts";
import { KeyRing } from "../../../contract/release/catalog.ts";
import { CommandError, defineCommand } from "../../command.ts";
import {
  CASE_OPTIONS,
  defined,
  listCases,
  readOnly,
  readUrl,
  refuseSilent,
  requireUrl,
  showReport,
} from "./cases.ts";

const url = (description: string) => ({ type: "string", value: "URL", description }) as const;
const file = (description: string) => ({ type: "string", value: "FILE", description }) as const;

export const releaseCommand = defineCommand({
  summary: "Test any server against the release contract",
  description:
    "Asks the server what the contract lets anybody ask, changes nothing, and reports which requirements it keeps. What cannot be tested with what is known is skipped, with the reason. Exit code 1 when a requirement is broken.",
  arguments: { url: { description: "Where the API is asked" } },
  options: {
    "smart-download": url("Where the smart-download selector is asked"),
    "public-url": url("The base URL the server is set up with, when it is asked elsewhere"),
    "public-smart-download": url("The same for the smart-download origin"),
    website: url("The website's download section"),
    empty: url("The same server without releases and without a manifest"),
    keys: file("The public key ring that clients pin, as keys.json of a catalogue"),
    product: { type: "string", value: "NAME", description: "The product the manifest must name" },
    fixtures: file("What the server has: newest releases, drafts, withdrawn versions"),
    ...CASE_OPTIONS,
  },
  examples: [
    "trellis conformance release https://releases.example.com",
    "trellis conformance release https://releases.example.com --smart-download https://download.example.com --keys keys.json",
    "trellis conformance release --list",
  ],
  async run(context) {
    const { args, options } = context;
    if (options.list) {
      listCases(RELEASE_CASES, context);
      return;
    }
    const only = readOnly(options.only, RELEASE_CASES, "release");
    const input: ReleaseInput = {
      baseUrl: requireUrl(args.url),
      ...defined({
        smartDownloadUrl: readUrl("--smart-download", options["smart-download"]),
        publicUrl: readUrl("--public-url", options["public-url"]),
        publicSmartDownloadUrl: readUrl(
          "--public-smart-download",
          options["public-smart-download"],
        ),
        websiteDownloadUrl: readUrl("--website", options.website),
        emptyUrl: readUrl("--empty", options.empty),
        keys: await readJsonFile("--keys", options.keys, createChecker(KeyRing)),
        product: options.product,
        fixtures: await readJsonFile(
          "--fixtures",
          options.fixtures,
          createChecker(ReleaseFixtures),
        ),
      }),
    };
    const urls = [input.baseUrl, input.smartDownloadUrl, input.emptyUrl];
    refuseSilent(
      await findUnreachable(
        urls.filter((url) => url !== undefined),
        "/health",
      ),
    );
    showReport(await checkRelease(input, only), context);
  },
});

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
  const faults = checker
    .faults(value)
    .map((fault) => `  ${fault.path || "the file"} ${fault.problem}`);
  throw new CommandError([`Cannot use "${path}" of ${name}:`, ...faults].join("\n"));
}

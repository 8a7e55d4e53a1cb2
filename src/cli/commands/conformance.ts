import { readFile } from "node:fs/promises";
import { checkRelease, findUnreachable } from "../../conformance/check-release.ts";
import { RELEASE_CASES } from "../../conformance/release-cases.ts";
import { ReleaseHoldings, type ReleaseInput } from "../../conformance/release/input.ts";
import { isConforming, reportToText } from "../../conformance/report.ts";
import { createChecker, type Checker } from "../../contract/check.ts";
import { KeyRing } from "../../contract/release/catalog.ts";
import {
  CommandError,
  defineCommand,
  UsageError,
  type CommandContext,
  type CommandGroup,
} from "../command.ts";

const url = (description: string) => ({ type: "string", value: "URL", description }) as const;
const file = (description: string) => ({ type: "string", value: "FILE", description }) as const;

const releaseCommand = defineCommand({
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
    holds: file("What the server is known to hold: newest releases, drafts, withdrawn versions"),
    only: {
      type: "string",
      value: "ID",
      multiple: true,
      description: "Run this case only",
    },
    list: { type: "boolean", description: "Print the cases instead of running them" },
  },
  examples: [
    "trellis conformance release https://releases.example.com",
    "trellis conformance release https://releases.example.com --smart-download https://download.example.com --keys keys.json",
    "trellis conformance release --list",
  ],
  async run(context) {
    const { args, options } = context;
    if (options.list) {
      listCases(context);
      return;
    }
    const only = options.only.length > 0 ? checkIds(options.only) : undefined;
    const input: ReleaseInput = {
      baseUrl: readUrl("URL", args.url) ?? missingUrl(),
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
        holds: await readJsonFile("--holds", options.holds, createChecker(ReleaseHoldings)),
      }),
    };
    const unreachable = await findUnreachable(input);
    if (unreachable.length > 0) {
      throw new CommandError(
        `Nobody answers at ${unreachable.join(" and ")}: check the address, and that the server runs`,
      );
    }
    const report = await checkRelease(input, only === undefined ? {} : { only });
    context.print(reportToText(report));
    if (!isConforming(report)) {
      const { passed, failed } = report;
      const tested = passed + failed;
      throw new CommandError(
        tested === 0
          ? "Nothing was tested"
          : `${failed} of ${tested} tested requirements are broken`,
        { ...report },
      );
    }
    context.json(report);
  },
});

export const conformanceCommands: CommandGroup = {
  summary: "Prove that a server is compatible",
  commands: { release: releaseCommand },
};

function listCases(context: Pick<CommandContext, "print" | "json">): void {
  context.json(RELEASE_CASES.map(({ id, title, section }) => ({ id, title, section })));
  for (const { id, title, section } of RELEASE_CASES) {
    context.print(`${id}\n  ${title}\n  ${section}`);
  }
}

function checkIds(ids: readonly string[]): readonly string[] {
  const unknown = ids.find((id) => !RELEASE_CASES.some((item) => item.id === id));
  if (unknown === undefined) return ids;
  throw new UsageError(`Unknown case "${unknown}": see \`trellis conformance release --list\``);
}

function missingUrl(): never {
  throw new UsageError("Missing argument URL: the address of the server to test");
}

function readUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!URL.canParse(text) || !/^https?:/.test(text)) {
    throw new UsageError(`${name} must be an absolute http or https address, not "${text}"`);
  }
  return text;
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
  const faults = checker
    .faults(value)
    .map((fault) => `  ${fault.path || "the file"} ${fault.problem}`);
  throw new CommandError([`Cannot use "${path}" of ${name}:`, ...faults].join("\n"));
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the members that were not given. */
function defined<T extends object>(values: T): Defined<T> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Defined<T>;
}

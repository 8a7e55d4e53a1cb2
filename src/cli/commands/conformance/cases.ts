/** What the conformance commands share: selecting cases, printing reports, parsing options. */
import type { ConformanceCase } from "../../../../conformance/case.ts";
import { findUnreachable } from "../../../../conformance/check.ts";
import {
  isConforming,
  reportToLines,
  type ConformanceReport,
  type DriverReport,
} from "../../../../conformance/report.ts";
import {
  CommandError,
  flag,
  option,
  UsageError,
  type CommandContext,
  type PromptContext,
} from "../../command.ts";
import { askSecret, readSecret } from "../../secret-input.ts";

export const CASE_OPTIONS = {
  only: option("ID", "Run only this case", { multiple: true }),
  list: flag("List the cases instead of running them"),
} as const;

type Printer = Pick<CommandContext, "print" | "json">;
type Cases = readonly Pick<ConformanceCase<never>, "id" | "title" | "section">[];

export interface CasesContext extends Printer {
  readonly args: { readonly url: string | undefined };
  readonly options: { readonly only: readonly string[]; readonly list: boolean };
}

/** The cases to run: those of `only`, or all of them without it. */
export type CaseSelection = { readonly only?: readonly string[] };

/** What a command tests. */
export interface Suite<Listed extends Cases = Cases> {
  /** The command, for messages. */
  readonly words: string;
  readonly cases: Listed;
  /** The cases of `--list`, when those are others. */
  readonly listed?: Cases;
  /** What the command that lists the cases ends with. */
  readonly listSuffix?: string;
}

/** Lists the cases and returns null, or returns those to run. */
export function selectCases(context: CasesContext, suite: Suite): CaseSelection | null {
  const { words, cases, listed = cases, listSuffix = "" } = suite;
  const { only, list } = context.options;
  if (!list) return parseOnly(only, cases, `${words} --list${listSuffix}`);
  listCases(listed, context);
  return null;
}

/** Lists the cases, or tests the server at the URL and shows the report. */
export async function runSuite(
  context: CasesContext,
  suite: Suite,
  test: (baseUrl: string, selection: CaseSelection) => Promise<ConformanceReport>,
): Promise<void> {
  const selection = selectCases(context, suite);
  if (selection === null) return;
  const baseUrl = parseUrlOption("URL", context.args.url);
  if (baseUrl === undefined) {
    throw new UsageError("Missing argument URL: the address of the server to test");
  }
  showReport(await test(baseUrl, selection), context);
}

function listCases(cases: Cases, context: Printer): void {
  context.json(cases.map(({ id, title, section }) => ({ id, title, section })));
  for (const { id, title, section } of cases) {
    context.print(id, `  ${title}`, `  ${section}`);
  }
}

/** Validates the ids of `--only`; `listing` is the command that lists them. */
function parseOnly(ids: readonly string[], cases: Cases, listing: string): CaseSelection {
  const unknown = ids.find((id) => !cases.some((item) => item.id === id));
  if (unknown !== undefined) {
    throw new UsageError(`Unknown case "${unknown}": see \`trellis conformance ${listing}\``);
  }
  return ids.length === 0 ? {} : { only: ids };
}

export async function expectReachable(urls: readonly string[], path: string): Promise<void> {
  const unreachable = await findUnreachable(urls, path);
  if (unreachable.length === 0) return;
  throw new CommandError(
    `No server responds at ${unreachable.join(" and ")}: check the address, and that the server runs`,
  );
}

export function showReport(report: ConformanceReport | DriverReport, context: Printer): void {
  context.print(...reportToLines(report));
  if (isConforming(report)) {
    context.json(report);
    return;
  }
  const { passed, failed } = report;
  const tested = passed + failed;
  throw new CommandError(
    tested === 0 ? "Nothing was tested" : `${failed} of ${tested} tested requirements are broken`,
    { ...report },
  );
}

export function parseUrlOption(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!URL.canParse(text) || !/^https?:/.test(text)) {
    throw new UsageError(`${name} must be an absolute http or https address, not "${text}"`);
  }
  return text;
}

/** Parses an option that has a few choices; undefined when the option was not given. */
export function parseEither<T extends string>(
  name: string,
  text: string | undefined,
  choices: readonly T[],
): T | undefined {
  if (text === undefined) return undefined;
  const choice = choices.find((known) => known === text);
  if (choice !== undefined) return choice;
  throw new UsageError(`${name} must be ${choices.join(" or ")}, not "${text}"`);
}

export async function readAccountPassword(context: PromptContext): Promise<string> {
  const password = await readSecret(context, "password", () => askSecret(context, "Password"));
  if (password === "") throw new CommandError("The password is empty");
  return password;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Removes the members that are undefined. */
export function defined<T extends object>(values: T): Defined<T> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Defined<T>;
}

/** The pages of commands, from the command table: one of each group, and one of the commands without a group. */
import type { CommandEntry, CommandGroup, OptionSpec } from "../../src/cli/command.ts";
import { rootCommand } from "../../src/cli/commands/root.ts";
import { commandUsage, optionRow } from "../../src/cli/help.ts";
import { argumentLabel, COMMON_OPTIONS, isGroup } from "../../src/cli/parse-command-line.ts";
import type { GeneratedFile } from "../bundle-web.ts";
import { anchorOf, code, codeBlock, createPage, createTable, sentence } from "./page.ts";

interface ListedCommand {
  /** `sync devices list` */
  readonly name: string;
  readonly entry: CommandEntry;
}

/** The commands of one page. */
interface Family {
  /** `sync account`; empty for the commands without a group. */
  readonly words: string;
  readonly about: string;
  readonly commands: readonly ListedCommand[];
}

const FOLDER = "commands";
const SOURCE = "the command table";
/** A group within a group has a page of its own when it has at least this number of commands. */
const MIN_OWN_PAGE = 5;

/** Every command, without the groups. */
export function listCommands(group: CommandGroup = rootCommand, path = ""): ListedCommand[] {
  return Object.entries(group.commands).flatMap(([word, entry]) => {
    const name = `${path} ${word}`.trim();
    return isGroup(entry) ? listCommands(entry, name) : [{ name, entry }];
  });
}

export async function generateCommandPages(): Promise<GeneratedFile[]> {
  const families = listFamilies("", rootCommand, "Set up, serve and check any service.");
  return [createIndex(families), ...(await Promise.all(families.map(createFamilyPage)))];
}

function listFamilies(words: string, group: CommandGroup, about: string): Family[] {
  const own: ListedCommand[] = [];
  const others: Family[] = [];
  for (const [word, entry] of Object.entries(group.commands)) {
    const name = `${words} ${word}`.trim();
    if (!isGroup(entry)) own.push({ name, entry });
    else if (words === "" || Object.keys(entry.commands).length >= MIN_OWN_PAGE) {
      others.push(...listFamilies(name, entry, sentence(entry.summary)));
    } else own.push(...listCommands(entry, name));
  }
  return [{ words, about, commands: own }, ...others];
}

function createIndex(families: readonly Family[]): GeneratedFile {
  return createPage(FOLDER, SOURCE, [
    "# Commands",
    [
      "`trellis COMMAND --help` prints what these pages say about a command. `trellis --version` prints the version and the",
      "build, and `trellis completion` a script that completes all of this in a shell.",
    ].join("\n"),
    createTable(
      ["Exit code", "Meaning"],
      [
        ["0", "the command did what it was asked to do"],
        [
          "1",
          "it failed, or it checked something and found a problem; the message says what to do",
        ],
        ["2", "the command line is wrong, and nothing was done"],
      ],
    ),
    "With `--json` a failure is an object with `error` on standard output. Every command takes:",
    createOptionTable(COMMON_OPTIONS),
    ...families.flatMap((family) => [
      `## ${family.words === "" ? "General" : `trellis ${family.words}`}`,
      family.about,
      createTable(
        ["Command", "Does"],
        family.commands.map(({ name, entry }) => [
          `[trellis ${name}](${FOLDER}/${fileOf(family.words)}.md#${anchorOf(`trellis ${name}`)})`,
          entry.summary,
        ]),
      ),
    ]),
  ]);
}

async function createFamilyPage({ words, about, commands }: Family): Promise<GeneratedFile> {
  const parts = await Promise.all(commands.map(describeCommand));
  return createPage(`${FOLDER}/${fileOf(words)}`, SOURCE, [
    `# Commands: ${words === "" ? "general" : words}`,
    `${about} [Commands](../commands.md) has the exit codes, and the options of every command.`,
    ...parts.flat(),
  ]);
}

function fileOf(words: string): string {
  return words === "" ? "general" : words.replaceAll(" ", "-");
}

async function describeCommand({ name, entry }: ListedCommand): Promise<string[]> {
  const command = await entry.load();
  const { arguments: args = {}, options = {}, description = "", examples = [] } = command;
  const rows = Object.entries(args).map(([label, one]) => [
    code(argumentLabel(label)),
    one.description,
  ]);
  const hasRows = rows.length + Object.keys(options).length > 0;
  return [
    `## trellis ${name}`,
    `${sentence(entry.summary)} ${description}`.trim(),
    codeBlock("sh", commandUsage(`trellis ${name}`, command)),
    ...(hasRows ? [createOptionTable(options, rows)] : []),
    ...(examples.length > 0 ? [codeBlock("sh", examples.join("\n"))] : []),
  ];
}

function createOptionTable(
  options: Readonly<Record<string, OptionSpec>>,
  rows: readonly string[][] = [],
): string {
  return createTable(
    [rows.length > 0 ? "Argument or option" : "Option", "Meaning"],
    [
      ...rows,
      ...Object.entries(options).map((option) => {
        const [label, description] = optionRow(option);
        return [code(label), description];
      }),
    ],
  );
}

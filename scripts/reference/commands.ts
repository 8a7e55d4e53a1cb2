/** The page of commands, from the command table. */
import type { CommandEntry, CommandGroup, OptionSpec } from "../../src/cli/command.ts";
import { rootCommand } from "../../src/cli/commands/root.ts";
import { argumentUsage, optionRow } from "../../src/cli/help.ts";
import { argumentLabel, COMMON_OPTIONS, isGroup } from "../../src/cli/parse-command-line.ts";
import type { GeneratedFile } from "../bundle-web.ts";
import { code, createPage, createTable } from "./page.ts";

interface ListedCommand {
  /** `sync devices list` */
  readonly name: string;
  readonly entry: CommandEntry;
}

/** Every command, without the groups. */
export function listCommands(group: CommandGroup = rootCommand, path = ""): ListedCommand[] {
  return Object.entries(group.commands).flatMap(([word, entry]) => {
    const name = `${path} ${word}`.trim();
    return isGroup(entry) ? listCommands(entry, name) : [{ name, entry }];
  });
}

export async function generateCommandsPage(): Promise<GeneratedFile> {
  const commands = await Promise.all(listCommands().map(describeCommand));
  return createPage("commands", "the command table", [
    "# Commands",
    [
      "`trellis COMMAND --help` shows more about a command, with examples. `trellis --version` prints the version and the build, and",
      "`trellis completion` a script that completes all of this in a shell.",
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
    ...commands.flat(),
  ]);
}

async function describeCommand({ name, entry }: ListedCommand): Promise<string[]> {
  const command = await entry.load();
  const { arguments: args = {}, options = {} } = command;
  const rows = Object.entries(args).map(([label, { description }]) => [
    code(argumentLabel(label)),
    description,
  ]);
  const hasRows = rows.length + Object.keys(options).length > 0;
  return [
    `## trellis ${name}`,
    `${entry.summary}: ${code(["trellis", name, ...argumentUsage(command)].join(" "))}`,
    ...(hasRows ? [createOptionTable(options, rows)] : []),
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

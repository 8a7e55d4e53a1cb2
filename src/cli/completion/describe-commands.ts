/** What a shell can complete at every place of the command table. */
import type { CommandEntry, CommandGroup, OptionSpec } from "../command.ts";
import { COMMON_OPTIONS, isGroup } from "../parse-command-line.ts";

export interface CompletionNode {
  /** The words so far, separated by spaces: `trellis release`. */
  readonly path: string;
  /** The next words; a command has none, because its arguments may be files. */
  readonly commands: readonly CompletionWord[];
  readonly options: readonly CompletionOption[];
}

export interface CompletionWord {
  readonly word: string;
  readonly description: string;
}

export interface CompletionOption extends CompletionWord {
  readonly value: "none" | "file" | "text";
}

export async function describeCommands(
  target: CommandEntry | CommandGroup,
  path = "trellis",
): Promise<CompletionNode[]> {
  if (!isGroup(target)) {
    const { options = {} } = await target.load();
    return [{ path, commands: [], options: toOptions({ ...options, ...COMMON_OPTIONS }) }];
  }
  const entries = Object.entries(target.commands);
  const isRoot = path === "trellis";
  const node: CompletionNode = {
    path,
    commands: entries.map(([word, { summary }]) => ({ word, description: summary })),
    options: toOptions({ ...(isRoot && { version: VERSION }), help: COMMON_OPTIONS.help }),
  };
  const inner = await Promise.all(
    entries.map(([word, entry]) => describeCommands(entry, `${path} ${word}`)),
  );
  return [node, ...inner.flat()];
}

/** The words of the options that take such a value. */
export function optionsWith(
  { options }: CompletionNode,
  value: CompletionOption["value"],
): string[] {
  return options.filter((option) => option.value === value).map(({ word }) => word);
}

const VERSION: OptionSpec = { type: "boolean", description: "Show the version" };

/** The placeholders of values that are paths. */
const PATH_VALUES: ReadonlySet<string> = new Set(["FILE", "DIR", "FOLDER", "PATH"]);

function toOptions(specs: Readonly<Record<string, OptionSpec>>): CompletionOption[] {
  return Object.entries(specs).map(([name, { type, value = "", description }]) => ({
    word: `--${name}`,
    description,
    value: type === "boolean" ? "none" : PATH_VALUES.has(value) ? "file" : "text",
  }));
}

/** From the words of a command line to a command and its typed values. Unknown words are errors. */
import { parseArgs } from "node:util";
import {
  UsageError,
  type Command,
  type CommandGroup,
  type LoadCommand,
  type OptionSpec,
} from "./command.ts";

/** Options that every command takes. */
export const COMMON_OPTIONS = {
  config: {
    type: "string",
    value: "FILE",
    description: "Configuration file (default: ./trellis.config.json)",
  },
  json: { type: "boolean", description: "Print the result as JSON" },
  help: { type: "boolean", description: "Show this help" },
} as const satisfies Record<string, OptionSpec>;

export interface CommandChoice {
  /** The words that led here, without the program's name. */
  readonly path: readonly string[];
  readonly target: Command | CommandGroup;
  readonly rest: readonly string[];
}

export function isGroup(target: Command | CommandGroup): target is CommandGroup {
  return "commands" in target;
}

export async function loadBranch(
  branch: Command | CommandGroup | LoadCommand,
): Promise<Command | CommandGroup> {
  return typeof branch === "function" ? branch() : branch;
}

/** Follows the words down the tree as far as they name groups and commands. */
export async function chooseCommand(
  root: CommandGroup,
  words: readonly string[],
): Promise<CommandChoice> {
  const path: string[] = [];
  let target: Command | CommandGroup = root;
  let index = 0;
  while (isGroup(target) && index < words.length) {
    const word: string = words[index] ?? "";
    if (word.startsWith("-")) break;
    const branch = Object.hasOwn(target.commands, word) ? target.commands[word] : undefined;
    if (branch === undefined) {
      throw new UsageError(unknownCommand(path, word, Object.keys(target.commands)));
    }
    target = await loadBranch(branch);
    path.push(word);
    index++;
  }
  return { path, target, rest: words.slice(index) };
}

export interface ParsedCommandLine {
  readonly args: Readonly<Record<string, string | string[] | undefined>>;
  readonly options: Readonly<Record<string, string | boolean | string[] | undefined>>;
}

export function parseCommandLine(command: Command, words: readonly string[]): ParsedCommandLine {
  const specs: Readonly<Record<string, OptionSpec>> = { ...command.options, ...COMMON_OPTIONS };
  const { values, positionals } = parseWords(specs, protectIds(command, words));
  const options: Record<string, string | boolean | string[] | undefined> = {};
  for (const [name, spec] of Object.entries(specs)) {
    const value = values[name];
    if (value === undefined && spec.required === true) {
      throw new UsageError(`Missing option --${name} ${spec.value ?? "VALUE"}`);
    }
    options[name] =
      value ?? (spec.type === "boolean" ? false : spec.multiple === true ? [] : value);
  }
  return { args: bindArguments(command, positionals), options };
}

/** No option begins with a single hyphen, so where an id is expected, such a word is one. */
function protectIds(command: Command, words: readonly string[]): readonly string[] {
  const takesId = Object.values(command.arguments ?? {}).some(({ isId }) => isId === true);
  const place = words.findIndex((word) => /^-[^-]./.test(word));
  if (!takesId || place === -1 || words.slice(0, place).includes("--")) return words;
  return [...words.toSpliced(place, 1), "--", ...words.slice(place, place + 1)];
}

type RawValues = Record<string, string | boolean | string[] | undefined>;

function parseWords(specs: Readonly<Record<string, OptionSpec>>, words: readonly string[]) {
  try {
    const parsed = parseArgs({
      args: [...words],
      allowPositionals: true,
      strict: true,
      tokens: true,
      options: Object.fromEntries(
        Object.entries(specs).map(([name, { type, multiple }]) => [
          name,
          { type, multiple: multiple === true },
        ]),
      ),
    });
    const seen = new Set<string>();
    for (const token of parsed.tokens) {
      if (token.kind !== "option" || specs[token.name]?.multiple === true) continue;
      if (seen.has(token.name)) throw new UsageError(`Option --${token.name} was given twice`);
      seen.add(token.name);
    }
    return { values: parsed.values as RawValues, positionals: parsed.positionals };
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(explainWords(error.message, specs));
    throw error;
  }
}

function bindArguments(command: Command, positionals: readonly string[]) {
  const args: Record<string, string | string[] | undefined> = {};
  let index = 0;
  for (const [name, spec] of Object.entries(command.arguments ?? {})) {
    if (spec.multiple === true) {
      args[name] = positionals.slice(index);
      index = positionals.length;
    } else {
      args[name] = positionals[index++];
    }
    const value = args[name];
    if (spec.required === true && (value === undefined || value.length === 0)) {
      throw new UsageError(`Missing argument ${argumentLabel(name)}`);
    }
  }
  if (index < positionals.length) {
    throw new UsageError(`Unexpected argument "${positionals[index]}"`);
  }
  return args;
}

/** `artifactFile` is shown as `ARTIFACT-FILE`. */
export function argumentLabel(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, "$1-$2").toUpperCase();
}

function unknownCommand(path: readonly string[], word: string, known: readonly string[]): string {
  const near = findNear(word, known);
  const prefix = ["trellis", ...path].join(" ");
  const hint =
    near === undefined ? `see \`${prefix} --help\`` : `did you mean \`${prefix} ${near}\`?`;
  return `Unknown command "${word}": ${hint}`;
}

/** The nearest of the known words, when one is near enough to be meant. */
function findNear(word: string, known: readonly string[]): string | undefined {
  if (word === "") return undefined;
  const [near] = known
    .map((name) => ({
      name,
      distance: name.startsWith(word) ? 0 : editDistance(name, word),
    }))
    .filter(({ distance }) => distance <= 2)
    .sort((a, b) => a.distance - b.distance);
  return near?.name;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + cost);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Says in our words what the parser found wrong; its own go on for several sentences. */
function explainWords(message: string, specs: Readonly<Record<string, OptionSpec>>): string {
  const valueless = /^Option '(?:-\w, )?--([^' ]+).* argument (?:missing|is ambiguous)/.exec(
    message,
  );
  if (valueless !== null) return `Option --${valueless[1]} needs a value`;
  const unknown = /^Unknown option '(--?([^']*))'/.exec(message);
  if (unknown === null) return (message.split(/\.\s/)[0] ?? message).replace(/\.$/, "");
  const near = findNear(unknown[2] ?? "", Object.keys(specs));
  return `Unknown option "${unknown[1]}"${near === undefined ? "" : `: did you mean --${near}?`}`;
}

import { parseArgs } from "node:util";
import { findNear } from "../rules/find-near.ts";
import {
  UsageError,
  type Command,
  type CommandEntry,
  type CommandGroup,
  type OptionSpec,
  type OptionSpecs,
  type OptionValues,
} from "./command.ts";

export const COMMON_OPTIONS = {
  config: {
    type: "string",
    value: "FILE",
    description: "Configuration file (default: ./trellis.config.json)",
  },
  json: { type: "boolean", description: "Print the result as JSON" },
  help: { type: "boolean", description: "Show this help" },
} as const satisfies Record<string, OptionSpec>;

export interface FoundCommand {
  /** The words of the command, without the program's name. */
  readonly path: readonly string[];
  readonly target: CommandEntry | CommandGroup;
  readonly rest: readonly string[];
}

export function isGroup(target: CommandEntry | CommandGroup): target is CommandGroup {
  return "commands" in target;
}

export function findCommand(root: CommandGroup, words: readonly string[]): FoundCommand {
  const path: string[] = [];
  let target: CommandEntry | CommandGroup = root;
  for (const word of words) {
    if (!isGroup(target) || word.startsWith("-")) break;
    const commands: CommandGroup["commands"] = target.commands;
    const next: CommandEntry | CommandGroup | undefined = Object.hasOwn(commands, word)
      ? commands[word]
      : undefined;
    if (next === undefined) throw new UsageError(unknownCommand(path, word, Object.keys(commands)));
    target = next;
    path.push(word);
  }
  return { path, target, rest: words.slice(path.length) };
}

export interface ParsedCommandLine {
  readonly args: Readonly<Record<string, string | string[] | undefined>>;
  readonly options: OptionValues;
}

export function parseCommandLine(command: Command, words: readonly string[]): ParsedCommandLine {
  const specs: OptionSpecs = { ...command.options, ...COMMON_OPTIONS };
  const { own, behind } = splitAtDashes(command, words);
  const { values, positionals } = parseWords(command, specs, protectIds(command, own));
  const args = { ...bindArguments(command, positionals), ...behind };
  const options: Record<string, OptionValues[string]> = {};
  const missing: string[] = [];
  for (const [name, spec] of Object.entries(specs)) {
    const value = values[name] as OptionValues[string];
    if (value === undefined && spec.required === true) missing.push(optionLabel(name, spec));
    options[name] =
      value ?? (spec.type === "boolean" ? false : spec.multiple === true ? [] : value);
  }
  expectNothingMissing(missingArguments(command, args), missing);
  return { args, options };
}

/** Tells all missing words at once: a person would otherwise meet them one by one. */
export function expectNothingMissing(args: readonly string[], options: readonly string[]): void {
  const parts = [
    ...(args.length > 0 ? [`argument${args.length > 1 ? "s" : ""} ${args.join(", ")}`] : []),
    ...(options.length > 0 ? [`option${options.length > 1 ? "s" : ""} ${options.join(", ")}`] : []),
  ];
  if (parts.length > 0) throw new UsageError(`Missing ${parts.join(" and ")}`);
}

/** The words behind `--` of a command that has an argument for them. */
function splitAtDashes(command: Command, words: readonly string[]) {
  const [name] =
    Object.entries(command.arguments ?? {}).find(([, spec]) => spec.isBehindDashes === true) ?? [];
  if (name === undefined) return { own: words, behind: {} };
  const own = wordsBeforeDashes(words);
  return { own, behind: { [name]: words.slice(own.length + 1) } };
}

/** No word behind `--` is an option. */
export function wordsBeforeDashes(words: readonly string[]): readonly string[] {
  const index = words.indexOf("--");
  return index === -1 ? words : words.slice(0, index);
}

/**
 * No option begins with a single hyphen, so such a word is the id that the command expects. It moves
 * behind `--`, where the parser takes it as an argument.
 */
function protectIds(command: Command, words: readonly string[]): readonly string[] {
  const takesId = Object.values(command.arguments ?? {}).some(({ isId }) => isId === true);
  const index = words.findIndex((word) => /^-[^-]./.test(word));
  if (!takesId || index === -1 || words.slice(0, index).includes("--")) return words;
  return [...words.toSpliced(index, 1), "--", ...words.slice(index, index + 1)];
}

function parseWords(command: Command, specs: OptionSpecs, words: readonly string[]) {
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
    return parsed;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    if (command.wordHint !== undefined && /^Unknown option '-[^-]/.test(error.message)) {
      throw new UsageError(command.wordHint);
    }
    throw new UsageError(explainParseError(error.message, specs, command.optionHints));
  }
}

function bindArguments(command: Command, positionals: readonly string[]) {
  const args: Record<string, string | string[] | undefined> = {};
  let index = 0;
  for (const [name, spec] of Object.entries(command.arguments ?? {})) {
    if (spec.isBehindDashes === true) continue;
    if (spec.multiple === true) {
      args[name] = positionals.slice(index);
      index = positionals.length;
    } else {
      args[name] = positionals[index++];
    }
  }
  if (index < positionals.length) {
    throw new UsageError(command.wordHint ?? `Unexpected argument "${positionals[index]}"`);
  }
  return args;
}

function missingArguments(command: Command, args: ParsedCommandLine["args"]): string[] {
  return Object.entries(command.arguments ?? {})
    .filter(([name, { required }]) => required === true && (args[name]?.length ?? 0) === 0)
    .map(([name]) => argumentLabel(name));
}

/** `artifactFile` is shown as `ARTIFACT-FILE`. */
export function argumentLabel(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, "$1-$2").toUpperCase();
}

export function optionLabel(name: string, spec: OptionSpec): string {
  return spec.type === "boolean" ? `--${name}` : `--${name} ${spec.value ?? "VALUE"}`;
}

function unknownCommand(path: readonly string[], word: string, known: readonly string[]): string {
  const near = findNear(word, known);
  const prefix = ["trellis", ...path].join(" ");
  const hint =
    near === undefined ? `see \`${prefix} --help\`` : `did you mean \`${prefix} ${near}\`?`;
  return `Unknown command "${word}": ${hint}`;
}

/** Shortens the parser's messages, which are several sentences long. */
function explainParseError(
  message: string,
  specs: OptionSpecs,
  hints: Command["optionHints"] = {},
): string {
  const missingValue = /^Option '(?:-\w, )?--([^' ]+)[' ].* argument (?:missing|is ambiguous)/.exec(
    message,
  );
  if (missingValue !== null) return `Option --${missingValue[1]} needs a value`;
  const unknown = /^Unknown option '(--?([^']*))'/.exec(message);
  if (unknown === null) return (message.split(/\.\s/)[0] ?? message).replace(/\.$/, "");
  const [, option = "", name = ""] = unknown;
  const near = findNear(name, Object.keys(specs));
  const hint = hints[name] ?? (near === undefined ? undefined : `did you mean --${near}?`);
  return `Unknown option "${option}"${hint === undefined ? "" : `: ${hint}`}`;
}

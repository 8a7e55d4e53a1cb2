import { ConfigurationError } from "../configuration/configuration-error.ts";
import { StorageUnavailableError } from "../database/database.ts";
import { DamagedArchiveError } from "../release/archive/archive-error.ts";
import {
  CommandError,
  DryRunEnd,
  UsageError,
  type Command,
  type CommandContext,
  type CommandGroup,
  type Line,
  type Terminal,
} from "./command.ts";
import { escapeControls, escapeLine } from "./escape-controls.ts";
import { explainStoreError } from "./explain-store-error.ts";
import { renderCommandHelp, renderGroupHelp } from "./help.ts";
import { findCommand, isGroup, parseCommandLine, wordsBeforeDashes } from "./parse-command-line.ts";

const DEFAULT_CONFIG = "./trellis.config.json";

/** Runs a command line and returns the exit code: 0 success, 1 failure, 2 wrong usage. */
export async function runCommandLine(
  root: CommandGroup,
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const isJson = wordsBeforeDashes(words).includes("--json");
  try {
    if (words[0] === "--version" || words[0] === "-v") {
      const { describeVersion } = await import("../database/product-stamp.ts");
      writeText(terminal.stdout, describeVersion());
      return 0;
    }
    const { path, target, rest } = findCommand(root, words);
    const options = wordsBeforeDashes(rest);
    const isHelp = options.includes("--help") || options.includes("-h");
    if (isGroup(target)) {
      const help = renderGroupHelp(path, target);
      if (isHelp) {
        writeText(terminal.stdout, help);
        return 0;
      }
      if (rest.length > 0) throw new UsageError(`Unknown option "${rest[0]}"`);
      writeText(terminal.stderr, help);
      return 2;
    }
    const command = await target.load();
    if (isHelp) {
      writeText(terminal.stdout, renderCommandHelp(path, target.summary, command));
    } else await command.run(createContext(root, command, rest, terminal));
    return 0;
  } catch (error) {
    return reportError(error, isJson, terminal);
  }
}

function createContext(
  root: CommandGroup,
  command: Command,
  words: readonly string[],
  terminal: Terminal,
): CommandContext {
  const { args, options } = parseCommandLine(command, words);
  const isJson = options["json"] === true;
  const configPath = (options["config"] as string | undefined) ?? DEFAULT_CONFIG;
  return {
    args: args as CommandContext["args"],
    options: options as CommandContext["options"],
    isJson,
    isInteractive: terminal.stdin.isTTY && terminal.stdout.isTTY && !isJson,
    print: (...lines) => {
      if (!isJson) writeLines(terminal.stdout, lines);
    },
    json: (value) => isJson && writeText(terminal.stdout, JSON.stringify(value, null, 2)),
    warn: (...lines) => writeLines(terminal.stderr, lines),
    configPath,
    async configuration() {
      const { loadConfiguration } = await import("../configuration/configuration.ts");
      const isRequired = options["config"] !== undefined;
      return loadConfiguration({ path: configPath, isRequired, env: terminal.env });
    },
    terminal,
    root,
  };
}

function reportError(error: unknown, isJson: boolean, terminal: Terminal): number {
  if (error instanceof DryRunEnd) return 0;
  const isExpected =
    error instanceof CommandError ||
    error instanceof UsageError ||
    error instanceof ConfigurationError ||
    error instanceof DamagedArchiveError ||
    error instanceof StorageUnavailableError;
  const message = error instanceof Error ? explainStoreError(error, error) : String(error);
  if (isJson) {
    const details = error instanceof CommandError ? error.details : {};
    writeText(terminal.stdout, JSON.stringify({ error: message, ...details }, null, 2));
  } else {
    const isListed = error instanceof CommandError || error instanceof ConfigurationError;
    writeLines(terminal.stderr, isListed ? error.lines : [message]);
    if (error instanceof UsageError) writeLines(terminal.stderr, ["Add --help to see the usage"]);
    // An unexpected error is a bug, and a bug report needs the stack.
    if (!isExpected && error instanceof Error) writeLines(terminal.stderr, listStack(error));
  }
  return error instanceof UsageError ? 2 : 1;
}

/** The calls alone, because the stack begins with a message that may have lines of its own. */
function listStack({ name, stack = "" }: Error): string[] {
  return [name, ...stack.split("\n").filter((line) => line.startsWith("    at "))];
}

/** Everything that a command says passes here, so that none can forget to make it safe for a terminal. */
function writeLines(stream: Terminal["stdout"], lines: readonly Line[]): void {
  for (const line of lines) if (line !== false) stream.write(`${escapeLine(line)}\n`);
}

/** For lines that are all ours: those of JSON, and of the help. */
function writeText(stream: Terminal["stdout"], text: string): void {
  stream.write(`${escapeControls(text)}\n`);
}

import { ConfigurationError } from "../server/configuration-error.ts";
import {
  CommandError,
  UsageError,
  type Command,
  type CommandContext,
  type CommandGroup,
  type Terminal,
} from "./command.ts";
import { escapeControls } from "./escape-controls.ts";
import { renderCommandHelp, renderGroupHelp } from "./help.ts";
import { findCommand, isGroup, parseCommandLine } from "./parse-command-line.ts";

const DEFAULT_CONFIG = "./trellis.config.json";

/** Runs a command line and returns the exit code: 0 success, 1 failure, 2 wrong usage. */
export async function runCommandLine(
  root: CommandGroup,
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const isJson = words.includes("--json");
  const printLine = (text: string) => writeLine(terminal.stdout, text);
  try {
    if (words[0] === "--version" || words[0] === "-v") {
      printLine((await import("../database/product-version.ts")).PRODUCT_VERSION);
      return 0;
    }
    const { path, target, rest } = findCommand(root, words);
    const isHelp = rest.includes("--help") || rest.includes("-h");
    if (isGroup(target)) {
      const help = renderGroupHelp(path, target);
      if (isHelp) {
        printLine(help);
        return 0;
      }
      if (rest.length > 0) throw new UsageError(`Unknown option "${rest[0]}"`);
      writeLine(terminal.stderr, help);
      return 2;
    }
    const command = await target.load();
    if (isHelp) printLine(renderCommandHelp(path, target.summary, command));
    else await command.run(createContext(root, command, rest, terminal));
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
      const shown = isJson ? [] : lines.filter((line) => line !== false);
      for (const line of shown) writeLine(terminal.stdout, line);
    },
    json: (value) => isJson && writeLine(terminal.stdout, JSON.stringify(value, null, 2)),
    warn: (text) => writeLine(terminal.stderr, text),
    configPath,
    async configuration() {
      const { loadConfiguration } = await import("../server/configuration.ts");
      const isRequired = options["config"] !== undefined;
      return loadConfiguration({ path: configPath, isRequired, env: terminal.env });
    },
    terminal,
    root,
  };
}

function reportError(error: unknown, isJson: boolean, terminal: Terminal): number {
  const isExpected =
    error instanceof CommandError ||
    error instanceof UsageError ||
    error instanceof ConfigurationError;
  const message = error instanceof Error ? error.message : String(error);
  if (isJson) {
    const details = error instanceof CommandError ? error.details : {};
    writeLine(terminal.stdout, JSON.stringify({ error: message, ...details }, null, 2));
  } else {
    writeLine(terminal.stderr, message);
    if (error instanceof UsageError) writeLine(terminal.stderr, "Add --help to see the usage");
    // An unexpected error is a bug, and a bug report needs the stack.
    if (!isExpected && error instanceof Error) writeLine(terminal.stderr, error.stack ?? "");
  }
  return error instanceof UsageError ? 2 : 1;
}

/** Everything that a command says passes here, so that none can forget to make it safe for a terminal. */
function writeLine(stream: Terminal["stdout"], text: string): void {
  stream.write(`${escapeControls(text)}\n`);
}

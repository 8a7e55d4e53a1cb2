/** Runs a command line against a tree of commands and answers the exit code. */
import { loadConfiguration, ConfigurationError } from "../server/configuration.ts";
import {
  CommandError,
  UsageError,
  type Command,
  type CommandContext,
  type CommandGroup,
  type Terminal,
} from "./command.ts";
import { renderHelp } from "./help.ts";
import { chooseCommand, isGroup, parseCommandLine } from "./parse-command-line.ts";
import { readVersion } from "./version.ts";

const DEFAULT_CONFIG = "./trellis.config.json";

/** 0 done, 1 failed, 2 wrong use. */
export async function runCommandLine(
  root: CommandGroup,
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const isJson = words.includes("--json");
  try {
    if (words[0] === "--version") {
      terminal.stdout.write(`${await readVersion()}\n`);
      return 0;
    }
    const { path, target, rest } = await chooseCommand(root, words);
    if (rest.includes("--help") || rest.includes("-h")) {
      terminal.stdout.write(`${await renderHelp(path, target)}\n`);
      return 0;
    }
    if (isGroup(target)) {
      if (rest.length > 0) throw new UsageError(`Unknown option "${rest[0]}"`);
      terminal.stderr.write(`${await renderHelp(path, target)}\n`);
      return 2;
    }
    await target.run(createContext(target, rest, terminal));
    return 0;
  } catch (error) {
    return reportFailure(error, isJson, terminal);
  }
}

function createContext(
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
    print: (text) => void (isJson || terminal.stdout.write(`${text}\n`)),
    json: (value) => void (isJson && terminal.stdout.write(`${JSON.stringify(value, null, 2)}\n`)),
    warn: (text) => void terminal.stderr.write(`${text}\n`),
    configPath,
    configuration: () =>
      loadConfiguration({
        path: configPath,
        isRequired: options["config"] !== undefined,
        env: terminal.env,
      }),
    terminal,
  };
}

function reportFailure(error: unknown, isJson: boolean, terminal: Terminal): number {
  const isExpected =
    error instanceof CommandError ||
    error instanceof UsageError ||
    error instanceof ConfigurationError;
  const message = error instanceof Error ? error.message : String(error);
  if (isJson) {
    const details = error instanceof CommandError ? error.details : {};
    terminal.stdout.write(`${JSON.stringify({ error: message, ...details }, null, 2)}\n`);
  } else {
    terminal.stderr.write(`${message}\n`);
    if (error instanceof UsageError) terminal.stderr.write("Add --help to see how it is used\n");
    // A fault of ours: whoever reports it needs the place.
    if (!isExpected && error instanceof Error) terminal.stderr.write(`${error.stack ?? ""}\n`);
  }
  return error instanceof UsageError ? 2 : 1;
}

/** The types of commands and of the command table, which help, parsing and dispatch read. */
import type { Configuration } from "../configuration/configuration-schema.ts";

export interface ArgumentSpec {
  readonly description: string;
  readonly required?: boolean;
  /** Takes all remaining words; only for the last argument. */
  readonly multiple?: boolean;
  /** A generated id, which may begin with a hyphen like an option. */
  readonly isId?: boolean;
  /** Takes the words behind `--`, such as a command to run, and no others. */
  readonly isBehindDashes?: boolean;
}

export interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly description: string;
  /** The placeholder for the value in the help, such as `VERSION`. */
  readonly value?: string;
  readonly required?: boolean;
  readonly multiple?: boolean;
}

type ArgumentSpecs = Readonly<Record<string, ArgumentSpec>>;
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type ArgumentValue<S extends ArgumentSpec> = S["multiple"] extends true
  ? string[]
  : S["required"] extends true
    ? string
    : string | undefined;
type OptionValue<S extends OptionSpec> = S["type"] extends "boolean"
  ? boolean
  : S["multiple"] extends true
    ? string[]
    : S["required"] extends true
      ? string
      : string | undefined;

export type ValuesOf<O extends OptionSpecs> = { readonly [K in keyof O]: OptionValue<O[K]> };

export interface CommandContext<
  A extends ArgumentSpecs = ArgumentSpecs,
  O extends OptionSpecs = OptionSpecs,
> {
  readonly args: { readonly [K in keyof A]: ArgumentValue<A[K]> };
  readonly options: ValuesOf<O>;
  /** Prints lines for people; silent under `--json`. A line feed in a line is escaped. */
  print(...lines: readonly Line[]): void;
  /** Prints the result for programs; silent without `--json`. */
  json(value: unknown): void;
  /** Prints lines to standard error, in both modes. */
  warn(...lines: readonly string[]): void;
  readonly isJson: boolean;
  /** Whether a person at a terminal can answer a prompt. */
  readonly isInteractive: boolean;
  /** Reads `--config`, or the default file, and the environment. */
  configuration(): Promise<Configuration>;
  /** The path given by `--config`, or the default one. */
  readonly configPath: string;
  readonly terminal: Terminal;
  /** The command table, which `help` and `completion` describe. */
  readonly root: CommandGroup;
}

/** A line of output; false is left out, so that a line can follow its condition. */
export type Line = string | false;

/** The part of the context that commands with a store or a catalogue use. */
export type StoreContext = Pick<CommandContext, "configuration" | "warn">;

/** The options of any command, by name. */
export type OptionValues = Readonly<Record<string, string | boolean | string[] | undefined>>;

/** The part of the context that questions to the person at the terminal use; options may answer them. */
export type PromptContext = Pick<CommandContext, "isInteractive" | "terminal"> & {
  readonly options: OptionValues;
};

export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Called by a command that writes a log: output that fails or waits neither ends the process nor
   * delays its end.
   */
  useOutputAsLog?(): void;
  /** Called by a command whose output is its result: the command learns itself when the output fails. */
  useOutputAsData?(): void;
}

export interface Command {
  readonly description?: string;
  readonly examples?: readonly string[];
  readonly arguments?: ArgumentSpecs;
  readonly options?: OptionSpecs;
  /** What to do instead of options that people try although the command does not have them. */
  readonly optionHints?: Readonly<Record<string, string>>;
  /** What to do instead of passing words that the command does not take, which are not repeated: one may be a secret. */
  readonly wordHint?: string;
  run(context: CommandContext): Promise<void>;
  /** Runs on every instance of a server with several; a command without it needs `--instance`. */
  runOnAll?(context: CommandContext, instances: readonly ConfiguredInstance[]): Promise<void>;
}

export interface ConfiguredInstance {
  readonly name: string;
  /** As if the server had this instance alone. */
  readonly configuration: Configuration;
}

/** A command in the table. Its module is imported only when it runs or its own help is shown. */
export interface CommandEntry {
  readonly summary: string;
  load(): Promise<Command>;
}

export interface CommandGroup {
  readonly summary: string;
  readonly commands: Readonly<Record<string, CommandEntry | CommandGroup>>;
}

/** The module of one command exports it as `command`, a module of several each under a name. */
export function entry<const Name extends string = "command">(
  summary: string,
  importModule: () => Promise<Readonly<Record<NoInfer<Name>, Command>>>,
  name = "command" as Name,
): CommandEntry {
  return { summary, load: async () => (await importModule())[name] };
}

/** Infers the types of `run`'s arguments and options from their specifications. */
export function defineCommand<
  const A extends ArgumentSpecs = Record<never, never>,
  const O extends OptionSpecs = Record<never, never>,
>(
  command: Omit<Command, "run" | "arguments" | "options"> & {
    readonly arguments?: A;
    readonly options?: O;
    run(context: CommandContext<A, O>): Promise<void>;
  },
): Command {
  return command;
}

/** An option without a value. */
export function flag(description: string): { readonly type: "boolean"; description: string } {
  return { type: "boolean", description };
}

type OptionRules = Pick<OptionSpec, "required" | "multiple">;

/** `value` is the placeholder for the option's value in the help. */
export function option<const R extends OptionRules = Record<never, never>>(
  value: string,
  description: string,
  rules?: R,
): R & { readonly type: "string"; readonly value: string; readonly description: string } {
  return { type: "string", value, description, ...(rules as R) };
}

/** An expected failure: the message says what happened and what to do. Exit code 1. */
export class CommandError extends Error {
  /** The members that are printed beside the message under `--json`. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];

  constructor(
    message: string | readonly string[],
    details: Readonly<Record<string, unknown>> = {},
  ) {
    const lines = typeof message === "string" ? [message] : message;
    super(lines.join("\n"));
    this.lines = lines;
    this.name = "CommandError";
    this.details = details;
  }
}

/** A dry run has said what would be done: the command ends here, and nothing was changed. Exit code 0. */
export class DryRunEnd extends CommandError {
  constructor() {
    super("This was a dry run: nothing was changed");
    this.name = "DryRunEnd";
  }
}

/** The command line is wrong. Exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

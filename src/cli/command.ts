/** What a command is. The tree of commands is data: help, parsing and dispatch all read it. */
import type { Configuration } from "../server/configuration.ts";

export interface ArgumentSpec {
  readonly description: string;
  readonly required?: boolean;
  /** Takes all that is left; only for the last argument. */
  readonly multiple?: boolean;
  /** Made by a machine: it may begin with a hyphen like an option. */
  readonly isId?: boolean;
}

export interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly description: string;
  /** What stands for the value in the help, such as `VERSION`. */
  readonly value?: string;
  readonly required?: boolean;
  readonly multiple?: boolean;
}

type ArgumentSpecs = Readonly<Record<string, ArgumentSpec>>;
type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type ArgumentValue<S extends ArgumentSpec> = S["multiple"] extends true
  ? string[]
  : S["required"] extends true
    ? string
    : string | undefined;
type SingleValue<S extends OptionSpec> = S["type"] extends "boolean" ? boolean : string;
type OptionValue<S extends OptionSpec> = S["type"] extends "boolean"
  ? boolean
  : S["multiple"] extends true
    ? string[]
    : S["required"] extends true
      ? SingleValue<S>
      : SingleValue<S> | undefined;

export interface CommandContext<
  A extends ArgumentSpecs = ArgumentSpecs,
  O extends OptionSpecs = OptionSpecs,
> {
  readonly args: { readonly [K in keyof A]: ArgumentValue<A[K]> };
  readonly options: { readonly [K in keyof O]: OptionValue<O[K]> };
  /** Prints a line for people; silent under `--json`. */
  print(text: string): void;
  /** Prints the result for programs; silent without `--json`. */
  json(value: unknown): void;
  /** Prints a line to standard error, in both modes. */
  warn(text: string): void;
  readonly isJson: boolean;
  /** Whether somebody is there to answer a question. */
  readonly isInteractive: boolean;
  /** Reads `--config`, or the default file, and the environment. */
  configuration(): Promise<Configuration>;
  /** The path given by `--config`, or the default one. */
  readonly configPath: string;
  readonly terminal: Terminal;
}

export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Command {
  readonly summary: string;
  readonly description?: string;
  readonly examples?: readonly string[];
  readonly arguments?: ArgumentSpecs;
  readonly options?: OptionSpecs;
  run(context: CommandContext): Promise<void>;
}

export interface CommandGroup {
  readonly summary: string;
  readonly description?: string;
  readonly commands: Readonly<Record<string, Command | CommandGroup | LoadCommand>>;
}

/** A branch that is read when it is asked for: running one command must not cost all the others. */
export type LoadCommand = () => Promise<Command | CommandGroup>;

/** Gives `run` the types that follow from the specifications. */
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

/** The command could not do what was asked: the message says why and what to do. Exit code 1. */
export class CommandError extends Error {
  /** What a program reads under `--json` beside the message. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = "CommandError";
    this.details = details;
  }
}

/** The command was called wrongly. Exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

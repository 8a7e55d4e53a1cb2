/** Passwords, passphrases and recovery keys: typed without echo, or read from the first line of standard input. */
import { password as promptPassword } from "@clack/prompts";
import {
  findPasswordError,
  MAX_PASSWORD_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
  type PasswordError,
} from "../rules/identity/grammar.ts";
import { CommandError, flag, UsageError, type PromptContext } from "./command.ts";
import { expectInput, questionOf } from "./prompts.ts";

export const PASSWORD_OPTION = {
  "password-stdin": flag("Read the password from the first line of standard input"),
} as const;

export const PASSPHRASE_OPTION = {
  "passphrase-stdin": flag("Read the key's passphrase from the first line of standard input"),
} as const;

type NewSecret = "password" | "passphrase";
type Secret = NewSecret | "recovery-key";

/** `what` is also the name of the option: `--password-stdin`. */
export async function readSecret(
  { isInteractive, terminal, options }: PromptContext,
  what: Secret,
  ask: () => Promise<string>,
): Promise<string> {
  if (options[`${what}-stdin`] === true) return readFirstLine(terminal.stdin);
  if (isInteractive) return ask();
  const name = what.replace("-", " ");
  throw new UsageError(`There is no terminal to ask for the ${name}: pass it with --${what}-stdin`);
}

/** A secret that is typed twice and must be acceptable as a password. */
export async function readNewSecret(
  context: PromptContext,
  what: NewSecret,
  message: string,
): Promise<string> {
  const secret = await readSecret(context, what, () => askNewSecret(context, message, what));
  if (secret === "" && context.options[`${what}-stdin`] === true) {
    throw new CommandError(`There is no ${what} on standard input`);
  }
  // The secret is checked before the store is opened and the slow derivation begins.
  const error = findPasswordError(secret);
  if (error !== null) throw passwordError(error, what);
  return secret;
}

export async function askSecret(
  context: PromptContext,
  message: string,
  /** Returns what is wrong with the secret, or undefined. */
  validate?: (secret: string) => string | undefined,
): Promise<string> {
  const answer = await promptPassword({
    ...questionOf(context, message),
    ...(validate !== undefined && { validate: (secret) => validate(secret ?? "") }),
  });
  // An empty answer is undefined.
  return expectInput(answer) ?? "";
}

export async function askNewSecret(
  context: PromptContext,
  message: string,
  what: NewSecret,
): Promise<string> {
  // A person who typed wrong does not lose what was answered before.
  const validate = (secret: string) => {
    const error = secret === "" ? null : findPasswordError(secret);
    return error === null ? undefined : passwordError(error, what).message;
  };
  let question = message;
  for (;;) {
    const first = await askSecret(context, question, validate);
    if (first === "" || (await askSecret(context, `Repeat the ${what}`)) === first) return first;
    question = `The two ${what}s differ. ${message}`;
  }
}

/** Reads the first line without its line end; surrounding spaces belong to the secret. */
export async function readFirstLine(stdin: NodeJS.ReadStream): Promise<string> {
  let text = "";
  stdin.setEncoding("utf8");
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return (text.split("\n")[0] ?? "").replace(/\r$/, "");
}

const REASONS: Readonly<Record<PasswordError, string>> = {
  "too-short": `is too short: use at least ${MIN_PASSWORD_CHARACTERS} characters`,
  "too-long": `is too long: use at most ${MAX_PASSWORD_CHARACTERS} characters`,
  "not-text": "is not valid Unicode text",
};

export function passwordError(error: PasswordError, what: NewSecret = "password"): CommandError {
  return new CommandError(`The ${what} ${REASONS[error]}`);
}

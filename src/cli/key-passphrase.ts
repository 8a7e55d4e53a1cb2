/** The passphrase under which a backup carries the instance key. */
import { findPasswordError } from "../rules/identity/grammar.ts";
import { UsageError, type CommandContext } from "./command.ts";
import { askNewSecret, askSecret, readFirstLine } from "./secret-input.ts";
import { passwordError } from "./account-faults.ts";

const PASSPHRASE_OPTION = {
  "passphrase-stdin": {
    type: "boolean",
    description: "Read the key's passphrase from the first line of standard input",
  },
} as const;

export const BACKUP_KEY_OPTIONS = {
  "with-key": {
    type: "boolean",
    description: "Put the instance key into it, under a passphrase",
  },
  ...PASSPHRASE_OPTION,
} as const;

export const RESTORE_KEY_OPTIONS = {
  "with-key": {
    type: "boolean",
    description: "Also put the backup's instance key in place, where there is none",
  },
  ...PASSPHRASE_OPTION,
} as const;

interface KeyContext extends Pick<CommandContext, "isInteractive" | "terminal"> {
  readonly options: { readonly "with-key": boolean; readonly "passphrase-stdin": boolean };
}

/** Null without `--with-key`. */
export async function readNewPassphrase(context: KeyContext): Promise<string | null> {
  if (!context.options["with-key"]) return null;
  const passphrase = context.options["passphrase-stdin"]
    ? await readFirstLine(context.terminal.stdin)
    : await requirePerson(context, () =>
        askNewSecret("Passphrase for the instance key", "The same passphrase again", "passphrases"),
      );
  const fault = findPasswordError(passphrase);
  if (fault !== null) throw passwordError(fault, "passphrase");
  return passphrase;
}

/** Null without `--with-key`. */
export async function readPassphrase(context: KeyContext): Promise<string | null> {
  if (!context.options["with-key"]) return null;
  return context.options["passphrase-stdin"]
    ? readFirstLine(context.terminal.stdin)
    : requirePerson(context, () => askSecret("Passphrase of the instance key"));
}

function requirePerson<T>({ isInteractive }: KeyContext, ask: () => T): T {
  if (isInteractive) return ask();
  throw new UsageError("Nobody is there to type the passphrase: give it with --passphrase-stdin");
}

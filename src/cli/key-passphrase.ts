/** The passphrase under which a backup carries the instance key. */
import { findPasswordFault } from "../rules/identity/grammar.ts";
import { UsageError, type CommandContext } from "./command.ts";
import { askNewSecret, askSecret, readFirstLine } from "./secret-input.ts";
import { passwordError } from "./account-faults.ts";

export const KEY_OPTIONS = {
  "passphrase-stdin": {
    type: "boolean",
    description: "Read the key's passphrase from the first line of standard input",
  },
} as const;

type AnyContext = Pick<CommandContext, "isInteractive" | "terminal">;

export async function readNewPassphrase(context: AnyContext, fromStdin: boolean): Promise<string> {
  const passphrase = fromStdin
    ? await readFirstLine(context.terminal.stdin)
    : await requirePerson(context, () =>
        askNewSecret("Passphrase for the instance key", "The same passphrase again", "passphrases"),
      );
  const fault = findPasswordFault(passphrase);
  if (fault !== null) throw passwordError(fault, "passphrase");
  return passphrase;
}

export function readPassphrase(context: AnyContext, fromStdin: boolean): Promise<string> {
  return fromStdin
    ? readFirstLine(context.terminal.stdin)
    : requirePerson(context, () => askSecret("Passphrase of the instance key"));
}

function requirePerson<T>({ isInteractive }: AnyContext, ask: () => T): T {
  if (isInteractive) return ask();
  throw new UsageError("Nobody is there to type the passphrase: give it with --passphrase-stdin");
}

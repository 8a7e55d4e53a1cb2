/** Where a new password comes from: standard input, or a person who types it twice. */
import { findPasswordError } from "../rules/identity/grammar.ts";
import { UsageError, type CommandContext } from "./command.ts";
import { askNewSecret, readFirstLine } from "./secret-input.ts";
import { passwordError } from "./account-faults.ts";

export const PASSWORD_OPTION = {
  "password-stdin": {
    type: "boolean",
    description: "Read the password from the first line of standard input",
  },
} as const;

export async function readNewPassword(
  context: Pick<CommandContext, "isInteractive" | "terminal">,
  fromStdin: boolean,
): Promise<string> {
  const password = fromStdin
    ? await readFirstLine(context.terminal.stdin)
    : await askNewPassword(context.isInteractive);
  // Before the store is opened and the slow derivation begins.
  const fault = findPasswordError(password);
  if (fault !== null) throw passwordError(fault);
  return password;
}

function askNewPassword(isInteractive: boolean): Promise<string> {
  if (!isInteractive) {
    throw new UsageError("Nobody is there to type the password: give it with --password-stdin");
  }
  return askNewSecret("New password", "The same password again", "passwords");
}

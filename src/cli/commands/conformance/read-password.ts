/** The password of the account that a service is tested with. */
import { CommandError, UsageError, type CommandContext } from "../../command.ts";
import { askSecret, readFirstLine } from "../../secret-input.ts";

export async function readPassword(
  { terminal, isInteractive }: Pick<CommandContext, "terminal" | "isInteractive">,
  fromStdin: boolean,
): Promise<string> {
  if (!fromStdin && !isInteractive) {
    throw new UsageError("Nobody is there to type the password: give it with --password-stdin");
  }
  const password = fromStdin ? await readFirstLine(terminal.stdin) : await askSecret("Password");
  if (password === "") throw new CommandError("The password is empty");
  return password;
}

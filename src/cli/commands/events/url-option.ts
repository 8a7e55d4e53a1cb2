/** The address of a calendar often is a secret: it need not stand in a list of processes. */
import { UsageError, type CommandContext } from "../../command.ts";
import { readFirstLine } from "../../secret-input.ts";

export const URL_STDIN_OPTION = {
  "url-stdin": {
    type: "boolean",
    description: "Read the address from the first line of standard input",
  },
} as const;

/** Undefined when there is none. `given` was on the command line. */
export async function readUrl(
  { terminal }: Pick<CommandContext, "terminal">,
  given: string | undefined,
  fromStdin: boolean,
): Promise<string | undefined> {
  if (!fromStdin) return given;
  if (given !== undefined) throw new UsageError("Give the address once: as a word, or --url-stdin");
  return readFirstLine(terminal.stdin);
}

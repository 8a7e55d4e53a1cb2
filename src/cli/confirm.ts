/** Nothing that cannot be taken back happens without a yes. */
import { confirm, isCancel } from "@clack/prompts";
import { CommandError, type CommandContext } from "./command.ts";

export const YES_OPTION = {
  yes: { type: "boolean", description: "Do it without asking" },
} as const;

/** `consequence` says in numbers what would happen. */
export async function confirmOrStop(
  context: Pick<CommandContext, "isInteractive">,
  isYes: boolean,
  consequence: string,
): Promise<void> {
  if (isYes) return;
  if (!context.isInteractive) {
    throw new CommandError(`${consequence}: nothing was changed; add --yes to do it`);
  }
  const answer = await confirm({ message: `${consequence}. Go on?`, initialValue: false });
  if (isCancel(answer) || !answer) throw new CommandError("Cancelled, nothing was changed");
}

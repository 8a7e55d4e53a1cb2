/** Questions to the person at the terminal. */
import { confirm, isCancel, text } from "@clack/prompts";
import { CommandError, flag, type CommandContext } from "./command.ts";

export const YES_OPTION = {
  yes: flag("Do not ask for confirmation"),
} as const;

/** `consequence` says in numbers what would happen. */
export async function confirmOrFail(
  context: Pick<CommandContext, "isInteractive">,
  isYes: boolean,
  consequence: string,
): Promise<void> {
  if (isYes) return;
  if (!context.isInteractive) {
    throw new CommandError(`${consequence}: nothing was changed; add --yes to confirm`);
  }
  const answer = await confirm({ message: `${consequence}. Continue?`, initialValue: false });
  if (!expectInput(answer)) throw cancelled();
}

export async function askText(message: string, initialValue: string): Promise<string> {
  return expectInput(await text({ message, initialValue }));
}

/** Fails the command when the prompt was cancelled. */
export function expectInput<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw cancelled();
  return answer as Exclude<T, symbol>;
}

function cancelled(): CommandError {
  return new CommandError("Cancelled, nothing was changed");
}

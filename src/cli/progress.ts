/** A progress bar on standard error, only where somebody watches. */
import type { CommandContext } from "./command.ts";

const WIDTH = 30;

export type ShowProgress = (done: number, total: number) => void;

export function showProgress(
  context: Pick<CommandContext, "isJson" | "terminal">,
  label: string,
): ShowProgress | undefined {
  const { stderr } = context.terminal;
  if (context.isJson || !stderr.isTTY) return undefined;
  let shown = -1;
  return (done, total) => {
    const percent = total === 0 ? 100 : Math.floor((done * 100) / total);
    if (percent === shown) return;
    shown = percent;
    const filled = Math.floor((percent * WIDTH) / 100);
    const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
    stderr.write(percent === 100 ? "\r\u001B[K" : `\r${label} ${bar} ${percent} %`);
  };
}

/** How far a long work has come, on standard error, only where somebody watches. */
import type { CommandContext } from "./command.ts";

const WIDTH = 30;
const CLEAR = "\r\u001B[K";

export type ShowProgress = (done: number, total: number) => void;

type AnyContext = Pick<CommandContext, "isJson" | "terminal">;

export function showProgress(context: AnyContext, label: string): ShowProgress | undefined {
  const { stderr } = context.terminal;
  if (!isWatched(context)) return undefined;
  let shown = -1;
  return (done, total) => {
    const percent = total === 0 ? 100 : Math.floor((done * 100) / total);
    if (percent === shown) return;
    shown = percent;
    const filled = Math.floor((percent * WIDTH) / 100);
    const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
    stderr.write(percent === 100 ? CLEAR : `${CLEAR}${label} ${bar} ${percent} %`);
  };
}

/** For a work whose end nobody knows yet. */
export function showCount(
  context: AnyContext,
  label: string,
): ((done: number) => void) | undefined {
  const { stderr } = context.terminal;
  if (!isWatched(context)) return undefined;
  return (done) => void stderr.write(`${CLEAR}${label} ${done.toLocaleString("en-US")}`);
}

/** Takes away what is shown, before something else is said. */
export function clearProgress(context: AnyContext): void {
  if (isWatched(context)) context.terminal.stderr.write(CLEAR);
}

function isWatched({ isJson, terminal }: AnyContext): boolean {
  return !isJson && terminal.stderr.isTTY;
}

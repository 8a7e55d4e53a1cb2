/** Progress on standard error, shown only on a terminal and never under `--json`. */
import type { CommandContext } from "./command.ts";
import { formatNumber } from "./format.ts";

const WIDTH = 30;
const CLEAR = "\r\u001B[K";

export type ShowProgress = (done: number, total: number) => void;

type AnyContext = Pick<CommandContext, "isJson" | "terminal">;

export function showProgress(context: AnyContext, label: string): ShowProgress | undefined {
  const { stderr } = context.terminal;
  if (!isShown(context)) return undefined;
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

/** For work whose total is not known. */
export function showCount(
  context: AnyContext,
  label: string,
): ((done: number) => void) | undefined {
  const { stderr } = context.terminal;
  if (!isShown(context)) return undefined;
  return (done) => void stderr.write(`${CLEAR}${label} ${formatNumber(done)}`);
}

/** Clears the progress line before other output. */
export function clearProgress(context: AnyContext): void {
  if (isShown(context)) context.terminal.stderr.write(CLEAR);
}

function isShown({ isJson, terminal }: AnyContext): boolean {
  return !isJson && terminal.stderr.isTTY;
}

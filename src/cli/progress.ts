/** Progress on standard error, shown only at a terminal and never under `--json`. */
import type { CommandContext } from "./command.ts";
import { escapeLine } from "./escape-controls.ts";
import { formatBytes, formatDuration, formatNumber } from "./format.ts";

const BAR_WIDTH = 30;
const CLEAR = "\r\u001B[K";
/** A slow terminal would slow the work, and people do not read faster. */
const REDRAW_MS = 100;
/** The speed of a shorter time says little about the time left. */
const MEASURE_MS = 1000;
const DEFAULT_COLUMNS = 80;

export type ShowProgress = (done: number, total: number) => void;

type AnyContext = Pick<CommandContext, "isJson" | "terminal">;

/** Shows the progress of a number of things, with the time left. */
export const showProgress = createProgress(formatNumber);
/** Shows the progress of bytes, with the time left. */
export const showByteProgress = createProgress(formatBytes);

function createProgress(format: (amount: number) => string) {
  return (
    context: AnyContext,
    label: string,
    now: () => number = () => performance.now(),
  ): ShowProgress | undefined => {
    const { stderr } = context.terminal;
    if (!isShown(context)) return undefined;
    const startedAt = now();
    let shownAt = -Infinity;
    return (done, total) => {
      if (done >= total) {
        stderr.write(CLEAR);
        return;
      }
      const time = now();
      if (time - shownAt < REDRAW_MS) return;
      shownAt = time;
      const amount = `${format(done)} of ${format(total)}`;
      const left = describeTimeLeft(done, total, time - startedAt);
      const percent = Math.floor((done * 100) / total);
      const columns = stderr.columns ?? DEFAULT_COLUMNS;
      stderr.write(`${CLEAR}${fitLine(escapeLine(label), percent, `${amount}${left}`, columns)}`);
    };
  };
}

/** A line that the terminal wraps could not be cleared, so the bar and then the label give way. */
function fitLine(label: string, percent: number, amount: string, columns: number): string {
  const text = `${percent} %  ${amount}`;
  const filled = Math.floor((percent * BAR_WIDTH) / 100);
  const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
  const lines = [`${label} ${bar} ${text}`, `${label} ${text}`, text];
  return lines.find((line) => line.length < columns) ?? text.slice(0, Math.max(0, columns - 1));
}

function describeTimeLeft(done: number, total: number, elapsedMs: number): string {
  if (done === 0 || elapsedMs < MEASURE_MS) return "";
  return `, ${formatDuration((elapsedMs * (total - done)) / done)} left`;
}

/** Shows the progress of work whose total is not known. */
export function showCount(
  context: AnyContext,
  label: string,
): ((done: number) => void) | undefined {
  const { stderr } = context.terminal;
  if (!isShown(context)) return undefined;
  return (done) => void stderr.write(`${CLEAR}${escapeLine(label)} ${formatNumber(done)}`);
}

/** Clears the progress line before other output. */
export function clearProgress(context: AnyContext): void {
  if (isShown(context)) context.terminal.stderr.write(CLEAR);
}

function isShown({ isJson, terminal }: AnyContext): boolean {
  return !isJson && terminal.stderr.isTTY;
}

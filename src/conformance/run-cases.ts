/** Runs cases a few at a time, each within its time, and collects what came of them. */
import {
  NotTestable,
  ViolationError,
  type CaseOutcome,
  type CaseResult,
  type ConformanceCase,
} from "./case.ts";

export interface RunOptions {
  /** Cases at work at once: a server under test is not under load. */
  readonly concurrency?: number;
  readonly caseTimeoutMs?: number;
}

export const DEFAULT_CONCURRENCY = 4;
export const DEFAULT_CASE_TIMEOUT_MS = 60_000;

/** The results stand in the order of the cases, whichever ended first. */
export async function runCases<Target>(
  cases: readonly ConformanceCase<Target>[],
  target: Target,
  options: RunOptions = {},
): Promise<CaseResult[]> {
  const concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  const timeoutMs = options.caseTimeoutMs ?? DEFAULT_CASE_TIMEOUT_MS;
  const results: CaseResult[] = [];
  const waiting = cases.entries();
  const worker = async () => {
    for (const [index, item] of waiting) results[index] = await runCase(item, target, timeoutMs);
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, worker));
  return results;
}

async function runCase<Target>(
  item: ConformanceCase<Target>,
  target: Target,
  timeoutMs: number,
): Promise<CaseResult> {
  const startedAt = performance.now();
  const outcome = await settle(item, target, timeoutMs);
  const { id, title, section } = item;
  return { id, title, section, outcome, durationMs: Math.round(performance.now() - startedAt) };
}

async function settle<Target>(
  item: ConformanceCase<Target>,
  target: Target,
  timeoutMs: number,
): Promise<CaseOutcome> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const received = `no result within ${timeoutMs} ms`;
    late.reject(new ViolationError([{ asked: item.id, expected: "a timely answer", received }]));
  }, timeoutMs);
  try {
    await Promise.race([item.run(target), late.promise]);
    return { kind: "passed" };
  } catch (error) {
    return readFailure(item.id, error);
  } finally {
    clearTimeout(timer);
  }
}

/** An answer so strange that the case itself stumbled over it is a failure like any other. */
function readFailure(id: string, error: unknown): CaseOutcome {
  if (error instanceof NotTestable) return { kind: "skipped", reason: error.message };
  if (error instanceof ViolationError) return { kind: "failed", violations: error.violations };
  const received = `an answer the case could not read (${String(error)})`;
  return {
    kind: "failed",
    violations: [{ asked: id, expected: "an answer that can be judged", received }],
  };
}

import {
  ConformanceError,
  NotTestableError,
  type CaseOutcome,
  type CaseResult,
  type ConformanceCase,
} from "./case.ts";

export interface RunOptions {
  /** The ids of the cases to run; all when absent. */
  readonly only?: readonly string[];
  readonly concurrency?: number;
  readonly caseTimeoutMs?: number;
  /** Called with each result as soon as it is there, in the order in which the cases end. */
  readonly onResult?: (result: CaseResult) => void;
  /** Once it is aborted, no further case begins, and the report lacks those. */
  readonly signal?: AbortSignal;
}

// Few cases run at once: the run tests the server, not its load.
const DEFAULT_CONCURRENCY = 4;
const DEFAULT_CASE_TIMEOUT_MS = 60_000;

/** Returns the results in the order of the cases. */
export async function runCases<Server>(
  cases: readonly ConformanceCase<Server>[],
  server: Server,
  options: RunOptions = {},
): Promise<CaseResult[]> {
  const { only, concurrency = DEFAULT_CONCURRENCY, signal } = options;
  const timeoutMs = options.caseTimeoutMs ?? DEFAULT_CASE_TIMEOUT_MS;
  const selected = cases.filter(({ id }) => only === undefined || only.includes(id));
  const results: CaseResult[] = [];
  const waiting = selected.entries();
  const worker = async () => {
    for (const [index, item] of waiting) {
      if (signal?.aborted === true) return;
      const result = await runCase(item, server, timeoutMs);
      results[index] = result;
      options.onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, worker));
  return Object.values(results);
}

async function runCase<Server>(
  item: ConformanceCase<Server>,
  server: Server,
  timeoutMs: number,
): Promise<CaseResult> {
  const startedAt = performance.now();
  const outcome = await findOutcome(item, server, timeoutMs);
  const { id, title, section } = item;
  return { id, title, section, outcome, durationMs: Math.round(performance.now() - startedAt) };
}

async function findOutcome<Server>(
  item: ConformanceCase<Server>,
  server: Server,
  timeoutMs: number,
): Promise<CaseOutcome> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const received = `no result within ${timeoutMs} ms`;
    timeout.reject(
      new ConformanceError({ asked: item.id, expected: "a timely response", received }),
    );
  }, timeoutMs);
  try {
    await Promise.race([item.run(server), timeout.promise]);
    return { kind: "passed" };
  } catch (error) {
    return errorToOutcome(item.id, error);
  } finally {
    clearTimeout(timer);
  }
}

/** A response that makes the case itself throw is a failure of the server too. */
function errorToOutcome(id: string, error: unknown): CaseOutcome {
  if (error instanceof NotTestableError) return { kind: "skipped", reason: error.message };
  if (error instanceof ConformanceError) return { kind: "failed", violations: error.failures };
  const received = `a response the case could not read (${String(error)})`;
  return {
    kind: "failed",
    violations: [{ asked: id, expected: "a response that can be judged", received }],
  };
}

import { setTimeout as wait } from "node:timers/promises";

/** The result of the work, or `late` when it takes longer; the work itself goes on. */
export async function withTimeout<T, L>(work: Promise<T>, maxMs: number, late: L): Promise<T | L> {
  const timeout = new AbortController();
  const timer = wait(maxMs, late, { signal: timeout.signal }).catch(() => late);
  try {
    return await Promise.race([work, timer]);
  } finally {
    timeout.abort();
  }
}

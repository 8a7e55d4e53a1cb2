/**
 * What lost against another transaction runs again: PostgreSQL rolled it back, so nothing of it was written.
 * Engines that spread a database over machines refuse transactions so as a matter of course.
 */
import { setTimeout as wait } from "node:timers/promises";
import { StorageUnavailableError, TransactionConflictError } from "./database.ts";

/** How often one piece of work runs again. */
export const MAX_CONFLICTS = 8;
const FIRST_PAUSE_MS = 4;
const MAX_PAUSE_MS = 200;

/** Those that met each other must not meet again, so the time is random, and longer each time. */
export async function pauseAfterConflict(conflicts: number): Promise<void> {
  const mostMs = Math.min(FIRST_PAUSE_MS * 2 ** conflicts, MAX_PAUSE_MS);
  await wait(mostMs * Math.random());
}

export function conflictsError(): Error {
  return new StorageUnavailableError("other transactions keep getting in the way");
}

/** Runs what only reads, again when it met a conflict. */
export async function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let conflicts = 1; ; conflicts++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof TransactionConflictError)) throw error;
      if (conflicts > MAX_CONFLICTS) throw conflictsError();
      await pauseAfterConflict(conflicts);
    }
  }
}

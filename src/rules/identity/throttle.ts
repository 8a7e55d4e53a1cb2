/** How long somebody who failed must wait. One record per user name and one per client network. */

export interface FailureRecord {
  readonly failures: number;
  readonly lastFailureAt: number;
  /** Nothing is tried before this moment. */
  readonly blockedUntil: number;
}

/** A person mistypes a few times; a guesser needs thousands. */
export const FREE_FAILURES = 5;
export const FIRST_DELAY_MS = 15_000;
export const MAX_DELAY_MS = 5 * 60_000;
/** What happened longer ago no longer counts. */
export const FORGET_FAILURES_MS = 24 * 60 * 60_000;

export function recordFailure(record: FailureRecord | null, now: number): FailureRecord {
  const failures = (record === null || isForgotten(record, now) ? 0 : record.failures) + 1;
  return { failures, lastFailureAt: now, blockedUntil: now + delayAfter(failures) };
}

/** Milliseconds until the next try; 0 when it may be now. */
export function waitingTime(record: FailureRecord | null, now: number): number {
  // A failure further ahead than any delay was written by a clock that has been set back since.
  if (record === null || record.lastFailureAt > now + MAX_DELAY_MS) return 0;
  return Math.max(0, record.blockedUntil - now);
}

export function isForgotten(record: FailureRecord, now: number): boolean {
  return record.lastFailureAt + FORGET_FAILURES_MS <= now;
}

function delayAfter(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES), MAX_DELAY_MS);
}

/** The delay after failed sign-ins, for a user name or a client network. */

export interface FailureRecord {
  readonly failures: number;
  readonly lastFailureAt: number;
  readonly blockedUntil: number;
}

/** A person mistypes a few times; guessing takes thousands of attempts. */
export const FREE_FAILURES = 5;
export const FIRST_DELAY_MS = 15_000;
export const MAX_DELAY_MS = 5 * 60_000;
export const FORGET_FAILURES_MS = 24 * 60 * 60_000;

export function recordFailure(record: FailureRecord | null, now: number): FailureRecord {
  const isCounted = record !== null && now < record.lastFailureAt + FORGET_FAILURES_MS;
  const failures = (isCounted ? record.failures : 0) + 1;
  return { failures, lastFailureAt: now, blockedUntil: now + delayAfter(failures) };
}

/** Milliseconds until the next attempt is allowed; 0 when it is allowed now. */
export function waitingTime(record: FailureRecord | null, now: number): number {
  // A time further ahead than any delay was written before the clock was set back.
  if (record === null || record.lastFailureAt > now + MAX_DELAY_MS) return 0;
  return Math.max(0, record.blockedUntil - now);
}

/** Whether this failure is the one that the first delay follows. */
export function beginsDelay({ failures }: FailureRecord): boolean {
  return failures === FREE_FAILURES;
}

function delayAfter(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES), MAX_DELAY_MS);
}

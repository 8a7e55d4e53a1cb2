/** The delay after failed sign-ins, for a user name or a client network. */

export interface FailureRecord {
  readonly failures: number;
  readonly lastFailureAt: number;
  readonly blockedUntil: number;
}

/** A person mistypes a few times; guessing takes thousands of attempts. */
export const FREE_FAILURES = 5;
/** The failures of all clients of a wider network together. */
export const FREE_SITE_FAILURES = 4 * FREE_FAILURES;
export const FIRST_DELAY_MS = 15_000;
export const MAX_DELAY_MS = 5 * 60_000;
export const FORGET_FAILURES_MS = 24 * 60 * 60_000;

export function recordFailure(
  record: FailureRecord | null,
  now: number,
  free = FREE_FAILURES,
): FailureRecord {
  const failures = countFailures(record, now) + 1;
  return { failures, lastFailureAt: now, blockedUntil: now + delayAfter(failures, free) };
}

/** Whether failures have been followed by delays. */
export function isDelayed(record: FailureRecord | null, now: number): boolean {
  return countFailures(record, now) >= FREE_FAILURES;
}

/** Milliseconds until the next attempt is allowed; 0 when it is allowed now. */
export function waitingTime(record: FailureRecord | null, now: number): number {
  // A time further ahead than any delay was written before the clock was set back.
  if (record === null || record.lastFailureAt > now + MAX_DELAY_MS) return 0;
  return Math.max(0, record.blockedUntil - now);
}

/** Whether this failure is the one that the first delay follows. */
export function beginsDelay({ failures }: FailureRecord, free = FREE_FAILURES): boolean {
  return failures === free;
}

function countFailures(record: FailureRecord | null, now: number): number {
  const isCounted = record !== null && now < record.lastFailureAt + FORGET_FAILURES_MS;
  return isCounted ? record.failures : 0;
}

function delayAfter(failures: number, free: number): number {
  if (failures < free) return 0;
  return Math.min(FIRST_DELAY_MS * 2 ** (failures - free), MAX_DELAY_MS);
}

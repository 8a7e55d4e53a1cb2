/** When a scheduled backup is due, and when a failed one is tried again. */
import type { BackupFailure } from "../backup-state.ts";

export type BackupInterval = "hour" | "day" | "week";

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

export const INTERVAL_MS: Readonly<Record<BackupInterval, number>> = {
  hour: HOUR_MS,
  day: DAY_MS,
  week: WEEK_MS,
};

/** The epoch began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
/** Clocks of several machines differ a little; a time beyond that was written by a wrong clock. */
export const MAX_CLOCK_SKEW_MS = HOUR_MS;

/** The beginning of the hour, the day or the week (Monday) in UTC that `at` is in. */
export function periodStart(every: BackupInterval, at: number): number {
  const origin = every === "week" ? FIRST_MONDAY_MS : 0;
  const length = INTERVAL_MS[every];
  return origin + Math.floor((at - origin) / length) * length;
}

/**
 * Once in each period, and at once when a period went by without one. `last` is when the last backup of
 * the schedule was made.
 */
export function isBackupDue(every: BackupInterval, last: number | null, now: number): boolean {
  return last === null || last > now + MAX_CLOCK_SKEW_MS || last < periodStart(every, now);
}

const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = HOUR_MS;

/** After a minute, then after twice as long each time, at most an hour. */
export function isRetryDue({ attempts, lastAt }: BackupFailure, now: number): boolean {
  const pauseMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 30));
  const since = now - Date.parse(lastAt);
  return since >= pauseMs || since < -MAX_CLOCK_SKEW_MS;
}

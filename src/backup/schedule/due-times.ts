/** When a scheduled backup is due, and when a failed one is tried again. */
import { DAY_MS, HOUR_MS } from "../../contract/durations.ts";
import {
  isFuture,
  MAX_CLOCK_SKEW_MS,
  type BackupFailure,
  type BackupState,
} from "../backup-state.ts";
import type { BackupPlan } from "./backup-plan.ts";

export type BackupInterval = BackupPlan["every"];

const WEEK_MS = 7 * DAY_MS;

export const INTERVAL_MS: Readonly<Record<BackupInterval, number>> = {
  hour: HOUR_MS,
  day: DAY_MS,
  week: WEEK_MS,
};

/** The epoch began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The beginning of the hour, the day or the week (Monday) in UTC that `at` is in. */
export function periodStart(every: BackupInterval, at: number): number {
  const origin = every === "week" ? FIRST_MONDAY_MS : 0;
  const length = INTERVAL_MS[every];
  return origin + Math.floor((at - origin) / length) * length;
}

export interface BackupTimes {
  readonly every: BackupInterval;
  /** How long after the beginning of each period a backup is due; 0 when it is absent. */
  readonly offsetMs?: number;
}

/** A backup is due once in each period, and at once after a missed one; `last` is the time of the last. */
export function isBackupDue(times: BackupTimes, last: number | null, now: number): boolean {
  return last === null || isFuture(last, now) || last < lastDueAt(times, now);
}

function lastDueAt({ every, offsetMs = 0 }: BackupTimes, now: number): number {
  return periodStart(every, now - offsetMs) + offsetMs;
}

/** When a schedule is worth a look again; `now` or earlier means at once. */
export function nextBackupAt(
  times: BackupTimes,
  { scheduled, failure }: Pick<BackupState, "scheduled" | "failure">,
  now: number,
): number {
  const last = scheduled === null ? null : Date.parse(scheduled.createdAt);
  if (!isBackupDue(times, last, now)) return lastDueAt(times, now) + INTERVAL_MS[times.every];
  if (failure === null) return now;
  // A time that a wrong clock wrote must not end the attempts.
  return Math.min(Date.parse(failure.lastAt) + retryPause(failure), now + MAX_RETRY_MS);
}

const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = HOUR_MS;

/** A failed backup is tried again after a minute, then after twice as long each time, at most an hour. */
export function isRetryDue(failure: BackupFailure, now: number): boolean {
  const since = now - Date.parse(failure.lastAt);
  return since >= retryPause(failure) || since < -MAX_CLOCK_SKEW_MS;
}

function retryPause({ attempts }: BackupFailure): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 30));
}

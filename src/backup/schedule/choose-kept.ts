import { DAY_MS } from "../../contract/durations.ts";
import { isFuture } from "../backup-state.ts";
import type { BackupPlan } from "./backup-plan.ts";
import { periodStart } from "./due-times.ts";

/**
 * Keeps the backups of the last 24 hours, the newest one, and the last of each of the latest days,
 * weeks (from Monday) and months in UTC. Periods without a backup are not counted, so that nothing
 * is lost while a machine is off. Backups of the future are kept beside these.
 */
export function chooseKept<B extends { readonly createdAt: number }>(
  backups: readonly B[],
  keep: BackupPlan["keep"],
  now: number,
): ReadonlySet<B> {
  const newestFirst = [...backups].sort((a, b) => b.createdAt - a.createdAt);
  // Backups of a clock that was ahead would take the places of all that come after them.
  const dated = newestFirst.filter(({ createdAt }) => !isFuture(createdAt, now));
  return new Set([
    ...dated.slice(0, 1),
    ...newestFirst.filter(({ createdAt }) => createdAt > now - DAY_MS),
    ...lastOfPeriods(dated, keep.daily, (at) => periodStart("day", at)),
    ...lastOfPeriods(dated, keep.weekly, (at) => periodStart("week", at)),
    ...lastOfPeriods(dated, keep.monthly, monthOf),
  ]);
}

function lastOfPeriods<B extends { readonly createdAt: number }>(
  newestFirst: readonly B[],
  count: number,
  periodOf: (at: number) => number,
): B[] {
  const lastByPeriod = new Map<number, B>();
  for (const backup of newestFirst) {
    const period = periodOf(backup.createdAt);
    if (lastByPeriod.size < count && !lastByPeriod.has(period)) lastByPeriod.set(period, backup);
  }
  return [...lastByPeriod.values()];
}

function monthOf(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

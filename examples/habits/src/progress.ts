/** What was done of a habit, and when it is due. */
import { toLocalDate } from "trellis/client";
import { addDays, isDay, mondayOf, weekdayOf, weekFrom } from "./days.ts";
import { listEntries, type Habit, type HabitData, type HabitFields } from "./habit.ts";

export function countOn(data: HabitData, habit: Habit, day: string): number {
  return data.entries.get(`${habit.id}/${day}`)?.count ?? 0;
}

/** Whether the habit's goal of that day is reached. */
export function isDoneOn(data: HabitData, habit: Habit, day: string): boolean {
  return countOn(data, habit, day) >= dailyTarget(habit);
}

/** A weekly habit counts days, so one time a day is all of that day. */
export function dailyTarget({ frequency, targetCount }: HabitFields): number {
  return frequency === "weekly" ? 1 : targetCount;
}

export function isPlannedOn(habit: Habit, day: string): boolean {
  if (habit.source !== null) return day === habit.source.occursOn;
  return habit.frequency !== "custom" || (habit.customDays ?? []).includes(weekdayOf(day));
}

export function daysDoneInWeek(data: HabitData, habit: Habit, day: string): number {
  return weekFrom(mondayOf(day)).filter((each) => isDoneOn(data, habit, each)).length;
}

/** Whether the habit belongs among today's: planned, or imported and not done before. */
export function isForToday(data: HabitData, habit: Habit, today: string): boolean {
  if (habit.source === null) return isPlannedOn(habit, today);
  return isDoneOn(data, habit, today) || doneDays(data, habit).length === 0;
}

export function isFinishedToday(data: HabitData, habit: Habit, today: string): boolean {
  const { frequency, targetCount } = habit;
  return (
    isDoneOn(data, habit, today) ||
    (frequency === "weekly" && daysDoneInWeek(data, habit, today) >= targetCount)
  );
}

export function doneDays(data: HabitData, habit: Habit): string[] {
  return [...marksOf(data, habit).done];
}

export function isSkippedOn(data: HabitData, habit: Habit, day: string): boolean {
  const entry = data.entries.get(`${habit.id}/${day}`);
  return entry?.skipped === true && entry.count < dailyTarget(habit);
}

/** Days of a habit; what was done after all is not skipped. */
export interface Marks {
  readonly done: ReadonlySet<string>;
  readonly skipped: ReadonlySet<string>;
}

export function marksOf(data: HabitData, habit: Habit): Marks {
  const entries = listEntries(data, habit);
  const done = entries.filter(({ count }) => count >= dailyTarget(habit));
  const skipped = entries.filter(({ skipped }) => skipped === true);
  const days = new Set(done.map(({ date }) => date));
  const others = skipped.map(({ date }) => date).filter((day) => !days.has(day));
  return { done: days, skipped: new Set(others) };
}

/** An entry may have any date, and a streak is searched for day by day. */
const LONGEST_STREAK_DAYS = 36_525;

/** How many planned days, or weeks, were done without a gap; the current one may be open yet. */
export function streakOf(data: HabitData, habit: Habit, today: string): number {
  const { done, skipped } = marksOf(data, habit);
  const earliest = addDays(today, -LONGEST_STREAK_DAYS);
  const first = [...done].sort().find((day) => day >= earliest);
  if (first === undefined) return 0;
  if (habit.frequency === "weekly") return countWeeks(habit, { done, skipped }, first, today);
  let streak = 0;
  for (let day = today; day >= first; day = addDays(day, -1)) {
    if (done.has(day)) streak++;
    else if (day !== today && isPlannedOn(habit, day) && !skipped.has(day)) break;
  }
  return streak;
}

function countWeeks(habit: Habit, marks: Marks, first: string, today: string): number {
  const current = mondayOf(today);
  let streak = 0;
  for (let monday = current; monday >= mondayOf(first); monday = addDays(monday, -7)) {
    const { target, count } = weekOf(habit, marks, weekFrom(monday));
    if (target > 0 && count >= target) streak++;
    else if (target > 0 && monday !== current) break;
  }
  return streak;
}

/** No more is due in a week than it has days that are not skipped. */
function weekOf({ targetCount }: Habit, { done, skipped }: Marks, days: readonly string[]) {
  const target = Math.min(targetCount, days.filter((day) => !skipped.has(day)).length);
  return { target, count: days.filter((day) => done.has(day)).length };
}

/** How much of what was due was done; a weekly habit counts times in its weeks. */
export interface Rate {
  readonly done: number;
  readonly due: number;
}

/**
 * Of both days and those between. What is skipped is not due, nor what is before the habit was made or in the future;
 * the current day, or week, counts only as far as it is done.
 */
export function rateOf(habit: Habit, marks: Marks, from: string, to: string, today: string): Rate {
  const start = startOf(habit, marks, today);
  const last = to < today ? to : today;
  return habit.frequency === "weekly"
    ? rateOfWeeks(habit, marks, { start, from, last }, today)
    : rateOfDays(habit, marks, from < start ? start : from, last, today);
}

function rateOfDays(habit: Habit, marks: Marks, from: string, last: string, today: string): Rate {
  let [done, due] = [0, 0];
  for (let day = from; day <= last; day = addDays(day, 1)) {
    if (!isPlannedOn(habit, day) || marks.skipped.has(day)) continue;
    const isDone = marks.done.has(day);
    if (isDone) done++;
    if (isDone || day < today) due++;
  }
  return { done, due };
}

interface Weeks {
  readonly start: string;
  readonly from: string;
  readonly last: string;
}

/** A week belongs to the period in which it begins. */
function rateOfWeeks(habit: Habit, marks: Marks, weeks: Weeks, today: string): Rate {
  const { start, from, last } = weeks;
  const first = from < mondayOf(start) ? mondayOf(start) : from;
  let [done, due] = [0, 0];
  const begin = mondayOf(first) < first ? addDays(mondayOf(first), 7) : first;
  for (let monday = begin; monday <= last; monday = addDays(monday, 7)) {
    const days = weekFrom(monday).filter((day) => day >= start);
    const { target, count } = weekOf(habit, marks, days);
    const counted = Math.min(count, target);
    done += counted;
    due += monday === mondayOf(today) ? counted : target;
  }
  return { done, due };
}

/** The day on which the habit was made, or was done before. */
export function startOf({ createdAt }: Habit, { done }: Marks, today: string): string {
  const made = toLocalDate(Date.parse(createdAt));
  const earliest = addDays(today, -LONGEST_STREAK_DAYS);
  const days = [isDay(made) ? made : today, ...done].filter((day) => day >= earliest);
  return days.reduce((one, other) => (other < one ? other : one), today);
}

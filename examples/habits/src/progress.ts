/** What was done of a habit, and when it is due. */
import { addDays, mondayOf, weekdayOf, weekFrom } from "./days.ts";
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
  return listEntries(data, habit)
    .filter(({ count }) => count >= dailyTarget(habit))
    .map(({ date }) => date);
}

/** An entry may have any date, and a streak is searched for day by day. */
const LONGEST_STREAK_DAYS = 36_525;

/** How many planned days, or weeks, were done without a gap; the current one may be open yet. */
export function streakOf(data: HabitData, habit: Habit, today: string): number {
  const done = new Set(doneDays(data, habit));
  const earliest = addDays(today, -LONGEST_STREAK_DAYS);
  const first = [...done].sort().find((day) => day >= earliest);
  if (first === undefined) return 0;
  if (habit.frequency === "weekly") return countWeeks(done, habit.targetCount, first, today);
  let streak = 0;
  for (let day = today; day >= first; day = addDays(day, -1)) {
    if (done.has(day)) streak++;
    else if (day !== today && isPlannedOn(habit, day)) break;
  }
  return streak;
}

function countWeeks(
  done: ReadonlySet<string>,
  target: number,
  first: string,
  today: string,
): number {
  const current = mondayOf(today);
  let streak = 0;
  for (let monday = current; monday >= mondayOf(first); monday = addDays(monday, -7)) {
    if (weekFrom(monday).filter((day) => done.has(day)).length >= target) streak++;
    else if (monday !== current) break;
  }
  return streak;
}

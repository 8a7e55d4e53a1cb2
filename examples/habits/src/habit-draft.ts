/** A habit while it is being edited. */
import type { Frequency, HabitFields } from "./habit.ts";

export const FREQUENCIES = ["daily", "custom", "weekly"] as const satisfies readonly Frequency[];
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;
const MAX_TIMES_A_DAY = 99;

export const EMPTY_HABIT: HabitFields = {
  name: "",
  description: null,
  tone: "green",
  icon: "star",
  category: "",
  frequency: "daily",
  targetCount: 1,
  customDays: null,
};

export type DraftError = "name-missing" | "days-missing";

export function findDraftError({ name, frequency, customDays }: HabitFields): DraftError | null {
  if (name.trim() === "") return "name-missing";
  return frequency === "custom" && (customDays ?? []).length === 0 ? "days-missing" : null;
}

/** As it is stored: without spaces around, with a category, with nothing of another frequency. */
export function completeDraft(draft: HabitFields, defaultCategory: string): HabitFields {
  const { name, tone, icon, frequency, targetCount } = draft;
  const category = draft.category.trim();
  const description = draft.description?.trim() ?? "";
  return {
    name: name.trim(),
    description: description === "" ? null : description,
    tone,
    icon,
    category: category === "" ? defaultCategory : category,
    frequency,
    targetCount: Math.min(targetCount, maxTarget(frequency)),
    customDays: frequency === "custom" ? (draft.customDays ?? []) : null,
  };
}

export function maxTarget(frequency: Frequency): number {
  return frequency === "weekly" ? WEEKDAYS.length : MAX_TIMES_A_DAY;
}

/** Only what differs. */
export function findChanges(before: HabitFields, after: HabitFields): Partial<HabitFields> {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(before[name as keyof HabitFields] ?? null) !== JSON.stringify(value);
  return Object.fromEntries(Object.entries(after).filter(isChanged));
}

export function toggleDay(days: readonly number[], day: number): number[] {
  return WEEKDAYS.filter((each) => (each === day ? !days.includes(day) : days.includes(each)));
}

/** All habits with their days as one file, and what a file is that a person brings; nothing of it is stored here. */
import * as v from "valibot";
import { isDay } from "./days.ts";
import { listEntries, listHabits, toHabitId, type HabitData, type HabitFields } from "./habit.ts";
import { TONE_NAMES } from "./tone.ts";

const FORMAT = "trellis-habits";
const VERSION = 1;
export const MAX_FILE_BYTES = 10_000_000;
export const MAX_HABITS = 1000;
export const MAX_DAYS = 100_000;

export interface BackupDay {
  readonly date: string;
  readonly count: number;
  readonly skipped: boolean;
}

export interface BackupHabit extends HabitFields {
  /** Null when the file says nothing of it. */
  readonly id: string | null;
  readonly isActive: boolean;
  readonly createdAt: string | null;
  readonly days: readonly BackupDay[];
}

export type ReadError =
  | "too-large"
  | "not-readable"
  | "other-format"
  | "newer-version"
  | "no-columns"
  | "wrong-value"
  | "too-many"
  | "empty";

export type ReadBackup =
  | { readonly kind: "read"; readonly habits: readonly BackupHabit[] }
  /** `where` is the line of a table, or the path in JSON. */
  | { readonly kind: "refused"; readonly reason: ReadError; readonly where: string };

/** Without tasks of a planner: they come from there again. */
export function toBackup(data: HabitData): BackupHabit[] {
  return listHabits(data)
    .filter(({ source }) => source === null)
    .map((habit) => {
      const { name, description, tone, icon, category, frequency, targetCount } = habit;
      const { customDays = null, isActive, createdAt } = habit;
      const days = listEntries(data, habit).map(({ date, count, skipped = false }) => ({
        date,
        count,
        skipped,
      }));
      const plan = { frequency, targetCount, customDays };
      const own = { name, description, category, icon, tone, ...plan, isActive, createdAt };
      return { id: toHabitId(habit), ...own, days: days.sort(byDate) };
    });
}

const byDate = (one: BackupDay, other: BackupDay) => (one.date < other.date ? -1 : 1);

export function formatJson(habits: readonly BackupHabit[]): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, habits }, null, 2)}\n`;
}

const Text = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.check((text) => text.isWellFormed()),
);
const Moment = v.pipe(
  v.string(),
  v.check((text) => isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))),
  v.transform((text) => new Date(text).toISOString()),
);
const Weekdays = v.pipe(
  v.array(v.picklist([1, 2, 3, 4, 5, 6, 7])),
  v.check((days) => new Set(days).size === days.length),
);
const finite = (minimum: number) => v.pipe(v.number(), v.finite(), v.minValue(minimum));

/** Also of a row in a table. */
export const BackupDaySchema = v.object({
  date: v.custom<string>(isDay),
  count: finite(0),
  skipped: v.optional(v.boolean(), false),
});
export const BackupHabitSchema = v.pipe(
  v.object({
    id: v.nullish(v.pipe(Text, v.maxLength(200)), null),
    name: v.pipe(
      Text,
      v.check((name) => name.trim() !== ""),
    ),
    description: v.nullish(v.string(), null),
    category: Text,
    icon: v.optional(Text, "star"),
    tone: v.optional(v.picklist(TONE_NAMES), "green"),
    frequency: v.optional(v.picklist(["daily", "weekly", "custom"]), "daily"),
    targetCount: v.optional(finite(1), 1),
    customDays: v.nullish(Weekdays, null),
    isActive: v.optional(v.boolean(), true),
    createdAt: v.nullish(Moment, null),
    days: v.array(BackupDaySchema),
  }),
  v.forward(
    v.check(({ frequency, customDays }) => frequency !== "custom" || customDays !== null),
    ["customDays"],
  ),
);
const BackupSchema = v.object({ habits: v.array(BackupHabitSchema) });

export function readJson(text: string): ReadBackup {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return refuse("not-readable");
  }
  const head = v.safeParse(v.object({ format: v.literal(FORMAT), version: v.number() }), file);
  if (!head.success) return refuse("other-format");
  if (head.output.version > VERSION) return refuse("newer-version");
  const parsed = v.safeParse(BackupSchema, file, { abortEarly: true });
  if (parsed.success) return limit(parsed.output.habits);
  return refuse("wrong-value", v.getDotPath(parsed.issues[0]) ?? "");
}

export function limit(habits: readonly BackupHabit[]): ReadBackup {
  const days = habits.reduce((sum, habit) => sum + habit.days.length, 0);
  if (habits.length > MAX_HABITS || days > MAX_DAYS) return refuse("too-many");
  return habits.length === 0 ? refuse("empty") : { kind: "read", habits };
}

export const refuse = (reason: ReadError, where = ""): ReadBackup => ({
  kind: "refused",
  reason,
  where,
});

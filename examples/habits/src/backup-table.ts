/** All habits with their days as a table: a row for each day, and one for a habit without any. */
import * as v from "valibot";
import {
  BackupDaySchema,
  BackupHabitSchema,
  limit,
  refuse,
  type BackupDay,
  type BackupHabit,
  type ReadBackup,
} from "./backup.ts";
import { formatCsv, parseCsv } from "./csv.ts";

/** The first two are needed in a file that a person brings. */
const COLUMNS = [
  "habit",
  "date",
  "count",
  "skipped",
  "category",
  "frequency",
  "target",
  "weekdays",
  "icon",
  "colour",
  "note",
  "active",
  "created",
  "id",
] as const;
type Column = (typeof COLUMNS)[number];
type Cells = Readonly<Partial<Record<Column, string>>>;

export function formatTable(habits: readonly BackupHabit[]): string {
  const rows = habits.flatMap((habit) =>
    habit.days.length === 0 ? [toRow(habit, null)] : habit.days.map((day) => toRow(habit, day)),
  );
  return formatCsv([COLUMNS, ...rows.map((row) => COLUMNS.map((column) => row[column] ?? ""))]);
}

function toRow(habit: BackupHabit, day: BackupDay | null): Cells {
  return {
    habit: habit.name,
    date: day?.date ?? "",
    count: day === null ? "" : `${day.count}`,
    skipped: day?.skipped === true ? "yes" : "",
    category: habit.category,
    frequency: habit.frequency,
    target: `${habit.targetCount}`,
    weekdays: (habit.customDays ?? []).join(" "),
    icon: habit.icon,
    colour: habit.tone,
    note: habit.description ?? "",
    active: habit.isActive ? "yes" : "no",
    created: habit.createdAt ?? "",
    id: habit.id ?? "",
  };
}

export function readTable(text: string, defaultCategory: string): ReadBackup {
  const [head, ...rows] = parseCsv(text) ?? [];
  if (head === undefined) return refuse(text.trim() === "" ? "empty" : "not-readable");
  const columns = head.cells.map((name) => name.trim().toLowerCase());
  if (!columns.includes("habit") || !columns.includes("date")) return refuse("no-columns");
  const habits = new Map<string, BackupHabit & { readonly days: BackupDay[] }>();
  for (const { line, cells } of rows) {
    const row: Cells = Object.fromEntries(
      cells.flatMap((cell, index) => (cell === "" ? [] : [[columns[index] ?? "", cell]])),
    );
    const category = row.category ?? defaultCategory;
    const key = JSON.stringify([row.id, row.habit, category]);
    const habit = habits.get(key) ?? readHabit(row, category);
    const day =
      row.date === undefined
        ? null
        : readDay(row, habit?.frequency === "weekly" ? 1 : habit?.targetCount);
    if (habit === null || day === undefined) return refuse("wrong-value", `${line}`);
    if (day !== null) habit.days.push(day);
    habits.set(key, habit);
  }
  return limit([...habits.values()]);
}

function readHabit(row: Cells, category: string) {
  const parsed = v.safeParse(BackupHabitSchema, {
    id: row.id,
    name: row.habit,
    description: row.note,
    category,
    icon: row.icon,
    tone: row.colour,
    frequency: row.frequency,
    targetCount: row.target === undefined ? undefined : Number(row.target),
    customDays: row.weekdays?.trim().split(/\s+/).map(Number),
    isActive: toBoolean(row.active),
    createdAt: row.created,
    days: [],
  });
  return parsed.success ? parsed.output : null;
}

/** Without a count, the day was done. Undefined: something is wrong. */
function readDay(row: Cells, target: number | undefined): BackupDay | undefined {
  const skipped = toBoolean(row.skipped);
  const count = row.count === undefined ? (skipped === true ? 0 : target) : Number(row.count);
  const parsed = v.safeParse(BackupDaySchema, { date: row.date, count, skipped });
  return parsed.success ? parsed.output : undefined;
}

/** What is neither stays, and is refused. */
function toBoolean(text: string | undefined): unknown {
  const values: Readonly<Record<string, boolean>> = { yes: true, no: false };
  return text === undefined ? undefined : (values[text.trim().toLowerCase()] ?? text);
}

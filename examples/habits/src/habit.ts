/**
 * Habits and entries, read from the entities of the profile `habits`. A server, or another app of this person, may
 * have stored any value: an entity that does not have the fields of its type is damaged, and every other one is shown.
 */
import { parseEntityId, type EntityView, type StoredEntity } from "trellis/client";
import { isDay } from "./days.ts";

export type Frequency = "daily" | "weekly" | "custom";

/** The fields of a habit that a person edits. */
export interface HabitFields {
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
  readonly icon: string;
  readonly category: string;
  readonly frequency: Frequency;
  /** How often on a day; in a week if the frequency is weekly. */
  readonly targetCount: number;
  /** 1 is Monday. Other apps may leave it out. */
  readonly customDays?: readonly number[] | null;
}

export interface Habit extends HabitFields {
  readonly id: string;
  readonly isActive: boolean;
  readonly createdAt: string;
  readonly source: HabitSource | null;
}

/** The event that a habit was imported from. */
export interface HabitSource {
  readonly eventId: string;
  readonly occursOn: string;
  readonly serviceName: string;
}

/** How often a habit was done on a day. */
export interface Entry {
  readonly habitId: string;
  readonly date: string;
  readonly count: number;
}

/** In the order in which they were made; without those that are damaged. */
export function listHabits(entities: EntityView, { isActive }: { isActive: boolean }): Habit[] {
  return entities
    .list("habit")
    .flatMap((entity) => readHabit(entity) ?? [])
    .filter((habit) => habit.isActive === isActive)
    .sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
}

export function listDamaged(entities: EntityView): StoredEntity[] {
  return [
    ...entities.list("habit").filter((entity) => readHabit(entity) === null),
    ...entities.list("entry").filter((entity) => readEntry(entity) === null),
  ];
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isNumber = (value: unknown, minimum: number) =>
  typeof value === "number" && Number.isFinite(value) && value >= minimum;
const isDayList: Check = (value) => Array.isArray(value) && value.every((day) => isNumber(day, 1));

const HABIT_FIELDS: Readonly<Record<Exclude<keyof Habit, "id" | "source">, Check>> = {
  name: isText,
  description: (value) => value === null || isText(value),
  color: isText,
  icon: isText,
  category: isText,
  frequency: (value) => value === "daily" || value === "weekly" || value === "custom",
  targetCount: (value) => isNumber(value, 1),
  customDays: (value) => value === undefined || value === null || isDayList(value),
  isActive: (value) => typeof value === "boolean",
  createdAt: isText,
};

/** Null when the entity is damaged. */
export function readHabit({ entityId, payload, metadata }: StoredEntity): Habit | null {
  const id = parseEntityId(entityId, "habits");
  const source = metadata["source"] ?? null;
  if (id?.type !== "habit" || payload["id"] !== id.habitId || !isSource(source)) return null;
  const isValid = Object.entries(HABIT_FIELDS).every(([name, accepts]) => accepts(payload[name]));
  return isValid ? { ...(payload as unknown as Omit<Habit, "source">), source } : null;
}

function isSource(value: unknown): value is HabitSource | null {
  if (value === null) return true;
  if (typeof value !== "object") return false;
  const { eventId, occursOn, serviceName } = value as Record<string, unknown>;
  return isText(eventId) && isDay(occursOn) && isText(serviceName);
}

/** Null when the entity is damaged. */
export function readEntry({ entityId, payload }: StoredEntity): Entry | null {
  const id = parseEntityId(entityId, "habits");
  const { habitId, date, count } = payload;
  if (id?.type !== "entry" || habitId !== id.habitId || date !== id.date) return null;
  return isNumber(count, 0) ? { habitId, date, count: count as number } : null;
}

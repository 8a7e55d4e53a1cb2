/**
 * The collections of the app: habits and entries, as the profile `habits` has them. A server, or another app of this
 * person, may have stored any value: an entity that its schema refuses is damaged, and every other one is shown.
 */
import type { Collection, Entity, SyncClient } from "trellis/client";
import * as v from "valibot";
import { isDay } from "./days.ts";
import { TONE_NAMES, TONES, toTone } from "./tone.ts";

const FREQUENCIES = ["daily", "weekly", "custom"] as const;
export type Frequency = (typeof FREQUENCIES)[number];

const HabitSchema = v.object({
  /** That of the entity, decoded: the profile wants it among the fields, too. */
  id: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  tone: v.picklist(TONE_NAMES),
  icon: v.string(),
  category: v.string(),
  frequency: v.picklist(FREQUENCIES),
  /** How often on a day; in a week if the frequency is weekly. */
  targetCount: v.pipe(v.number(), v.minValue(1)),
  /** 1 is Monday. Other apps may leave it out. */
  customDays: v.nullish(v.array(v.pipe(v.number(), v.minValue(1)))),
  isActive: v.boolean(),
  createdAt: v.string(),
  /** Its place in the person's own order; older versions and other apps give it none. */
  order: v.optional(v.string()),
});

const Day = v.custom<string>(isDay);

/** How often a habit was done on a day; its id is `<habit id>/<day>`. */
const EntrySchema = v.object({
  id: v.string(),
  habitId: v.string(),
  date: Day,
  count: v.pipe(v.number(), v.minValue(0)),
  completed: v.boolean(),
  /** Whether the day does not count: of a holiday, or an illness. Other apps see a day that is not done. */
  skipped: v.optional(v.boolean()),
  timestamp: v.string(),
});

/** The event that a habit was imported from. */
const SourceSchema = v.object({ eventId: v.string(), occursOn: Day, serviceName: v.string() });

export type StoredHabit = v.InferOutput<typeof HabitSchema>;
export type StoredEntry = v.InferOutput<typeof EntrySchema>;
/** The fields of a habit that a person edits. */
export type HabitFields = Omit<StoredHabit, "id" | "isActive" | "createdAt" | "order">;
type HabitSource = v.InferOutput<typeof SourceSchema>;
export type Habit = Entity<StoredHabit> & { readonly source: HabitSource | null };

export type HabitData = ReturnType<typeof openHabits>;

export function openHabits(sync: Pick<SyncClient, "collection" | "entities">) {
  return {
    habits: sync.collection("habit", {
      schema: HabitSchema,
      indexes: ["createdAt"],
      kinds: { order: "order" },
      // Never settled: the profile has `color`, and other apps of the account write it.
      evolve: {
        tone: {
          from: ["color"],
          read: ({ color }) => toTone(color),
          write: (tone) => ({ color: TONES[tone] }),
        },
      },
    }),
    entries: sync.collection("entry", { schema: EntrySchema, indexes: ["habitId"] }),
    /** The source is metadata, which only the calls by entity id have. */
    sourceOf: (id: string) => sync.entities.get(`habit/${id}`)?.metadata["source"] ?? null,
  };
}

/** In the person's own order, without those that are damaged. Those without a place come first, as they were made. */
export function listHabits(data: HabitData): Habit[] {
  const placed = data.habits.list().filter(({ order = "" }) => order !== "");
  return [...listUnplaced(data), ...placed].flatMap((habit) => addSource(data, habit) ?? []);
}

export function listUnplaced({ habits }: HabitData): readonly Entity<StoredHabit>[] {
  return habits.list({ orderBy: "createdAt" }).filter(({ order = "" }) => order === "");
}

/** Of active habits, in the order of the alphabet. */
export function listCategories(data: HabitData, locale: string): string[] {
  const active = listHabits(data).filter(({ isActive }) => isActive);
  return [...new Set(active.map(({ category }) => category))].sort((one, other) =>
    one.localeCompare(other, locale),
  );
}

/** Null when there is no such habit, or it is damaged. */
export function findHabit(data: HabitData, id: string): Habit | null {
  const habit = data.habits.get(id);
  return habit === undefined ? null : addSource(data, habit);
}

function addSource({ sourceOf }: HabitData, habit: Entity<StoredHabit>): Habit | null {
  const source = sourceOf(habit.id);
  return source === null || v.is(SourceSchema, source) ? { ...habit, source } : null;
}

/** An entity, and the collection that it can be removed from. */
export interface Removable {
  readonly id: string;
  readonly collection: Pick<Collection<object>, "remove" | "restore">;
}

export function listDamaged(data: HabitData): Removable[] {
  const { habits, entries } = data;
  const withoutSource = habits.list().filter((habit) => addSource(data, habit) === null);
  return [
    ...[...habits.invalid(), ...withoutSource].map(({ id }) => ({ id, collection: habits })),
    ...entries.invalid().map(({ id }) => ({ id, collection: entries })),
  ];
}

export function isDamaged(data: HabitData, habitId: string): boolean {
  return listDamaged(data).some(
    ({ id, collection }) => id === habitId && collection === data.habits,
  );
}

export function listEntries({ entries }: HabitData, habit: Habit) {
  const habitId = toHabitId(habit);
  return entries.list({ where: { habitId } });
}

/** As the profile wants it in payloads: an id of a collection is encoded. */
export function toHabitId({ id }: Habit): string {
  return decodeURIComponent(id);
}

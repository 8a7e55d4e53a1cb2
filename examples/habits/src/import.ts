/** What a file would add to the habits of this device: shown first, then stored. */
import type { SyncClient } from "trellis/client";
import type { BackupDay, BackupHabit } from "./backup.ts";
import { listHabits, toHabitId, type Habit, type HabitData, type Removable } from "./habit.ts";
import { dailyTarget } from "./progress.ts";

export interface PlannedImport {
  /** New habits, each with an id that the device does not have. */
  readonly added: readonly (BackupHabit & { readonly id: string })[];
  /** Days, by the ids of collections: of new habits, and of those that the device has. */
  readonly days: readonly PlannedDay[];
  readonly knownHabits: number;
  readonly knownDays: number;
}

interface PlannedDay extends BackupDay {
  /** As payloads have it. */
  readonly habitId: string;
  readonly entryId: string;
  readonly completed: boolean;
}

/** A habit is known by its id, or by its name and category; of a day that both have, the device's stays. */
export function planImport(data: HabitData, habits: readonly BackupHabit[]): PlannedImport {
  const byId = new Map<string, string>();
  const byName = new Map<string, string>();
  const remember = (id: string, habit: BackupHabit | Habit) => {
    byId.set(id, id);
    byName.set(nameOf(habit), id);
  };
  for (const habit of listHabits(data)) remember(toHabitId(habit), habit);
  const known = new Set(byId.keys());
  const added: (BackupHabit & { readonly id: string })[] = [];
  const days = new Map<string, PlannedDay>();
  let knownDays = 0;
  for (const habit of habits) {
    const found = byId.get(habit.id ?? "") ?? byName.get(nameOf(habit));
    const id = found ?? habit.id ?? crypto.randomUUID();
    if (found === undefined) {
      added.push({ ...habit, id });
      remember(id, habit);
    }
    for (const day of habit.days) {
      const entryId = `${encodeURIComponent(id)}/${day.date}`;
      const isKnown =
        days.has(entryId) || (known.has(id) && data.entries.get(entryId) !== undefined);
      if (isKnown) knownDays++;
      else
        days.set(entryId, {
          ...day,
          habitId: id,
          entryId,
          completed: day.count >= dailyTarget(habit),
        });
    }
  }
  const knownHabits = habits.length - added.length;
  return { added, days: [...days.values()], knownHabits, knownDays };
}

const nameOf = ({ name, category }: Pick<BackupHabit, "name" | "category">) =>
  JSON.stringify([name, category].map((text) => text.trim().normalize().toLowerCase()));

/** So many edits are stored together, and the rest with the next. */
const EDITS_TOGETHER = 500;

export interface ImportResult {
  /** Null when all is stored. */
  readonly refused: string | null;
  readonly stored: readonly Removable[];
}

/** After a failure the same file can be imported again: what is stored is known then. */
export async function runImport(
  sync: SyncClient,
  data: HabitData,
  { added, days }: PlannedImport,
): Promise<ImportResult> {
  const now = new Date().toISOString();
  const works: readonly ((edit: Edit) => Removable)[] = [
    ...added.map((habit) => (edit: Edit) => {
      const { id, days: _, createdAt, ...fields } = habit;
      const made = { ...fields, id, createdAt: createdAt ?? now };
      edit(data.habits).upsert(encodeURIComponent(id), made);
      return { id: encodeURIComponent(id), collection: data.habits };
    }),
    ...days.map((day) => (edit: Edit) => {
      const { entryId, skipped, ...fields } = day;
      const made = {
        ...fields,
        ...(skipped && { skipped }),
        id: crypto.randomUUID(),
        timestamp: now,
      };
      edit(data.entries).upsert(entryId, made);
      return { id: entryId, collection: data.entries };
    }),
  ];
  const stored: Removable[] = [];
  for (let start = 0; start < works.length; start += EDITS_TOGETHER) {
    const part: Removable[] = [];
    const result = await sync.transaction((edit) => {
      for (const work of works.slice(start, start + EDITS_TOGETHER)) part.push(work(edit));
    });
    if (result.kind === "refused") return { refused: result.message, stored };
    stored.push(...part);
  }
  return { refused: null, stored };
}

type Edit = Parameters<Parameters<SyncClient["transaction"]>[0]>[0];

/** Everything that this app and the sync client say to each other; the collections are those of `habit.ts`. */
import {
  createIndexedDbStorage,
  createSyncClient,
  type Fetch,
  type OrderPlace,
  type SyncClient,
  type SyncStatus,
} from "trellis/client";
import { useEffect, useState } from "preact/hooks";
import type { Config } from "./config.ts";
import {
  listEntries,
  listUnplaced,
  toHabitId,
  type Habit,
  type HabitData,
  type HabitFields,
  type Removable,
  type StoredEntry,
  type StoredHabit,
} from "./habit.ts";
import { dailyTarget } from "./progress.ts";
import { LoadError } from "./start-error.ts";

const PATIENCE_MS = 2500;

/** Whether the server takes only what is encrypted; null without a response. */
export async function fetchIsSealed(baseUrl: string, fetch: Fetch): Promise<boolean | null> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`${baseUrl}/v1/capabilities`, { signal });
    const { sync } = (await response.json()) as { sync: { profile?: string } };
    return sync.profile === "sealed";
  } catch {
    return null;
  }
}

/** With encryption the profile is what the app's own data obeys; the server gets none of it in the clear. */
export async function openSync(config: Config, isSealed: boolean, fetch: Fetch) {
  const { sync, storageName, deviceName } = config;
  const options = {
    baseUrl: sync.baseUrl,
    redirectUri: `${location.origin}/callback`,
    storage: createIndexedDbStorage(storageName),
    deviceName,
    profile: "habits",
    fetch,
  } as const;
  if (!isSealed) return { sync: await createSyncClient(options), keys: null };
  // An app whose server takes habits in the clear never loads the ciphers.
  const { createEncryption } = await import("trellis/client/encryption").catch((cause: unknown) => {
    throw new LoadError("unreachable", cause);
  });
  const client = await createSyncClient({ ...options, encryption: createEncryption() });
  return { sync: client, keys: client.encryption };
}

/** Renders again whenever data or status have changed; in React: `useSyncExternalStore`. */
export function useStatus(sync: SyncClient): SyncStatus {
  const [status, setStatus] = useState(sync.status);
  useEffect(() => {
    const update = () => setStatus(sync.status);
    update();
    return sync.subscribe(update);
  }, [sync]);
  return status;
}

const now = () => new Date().toISOString();

export function addHabit({ habits }: HabitData, fields: HabitFields) {
  const id = crypto.randomUUID();
  return habits.create({ id, ...fields, isActive: true, createdAt: now() }, { id });
}

/** Sends only what changed, so that edits of different fields on two devices both survive. */
export function editHabit(
  { habits }: HabitData,
  { id }: Habit,
  changes: Partial<Omit<StoredHabit, "order">>,
) {
  return habits.patch(id, changes);
}

/** Those without a place get one first, so that the order stays the one that the person saw. */
export function moveHabit(sync: SyncClient, data: HabitData, { id }: Habit, place: OrderPlace) {
  const unplaced = listUnplaced(data);
  return sync.transaction((edit) => {
    const { move } = edit(data.habits);
    for (const habit of unplaced.toReversed()) move(habit.id, { first: true });
    move(id, place);
  });
}

/** The profile wants `count` as one number, so it cannot be a counter. */
export function setCount({ entries }: HabitData, habit: Habit, date: string, count: number) {
  const id = `${habit.id}/${date}`;
  if (count === 0) return entries.remove(id);
  const wasSkipped = entries.get(id)?.skipped === true;
  const completed = count >= dailyTarget(habit);
  return writeEntry(entries, habit, date, {
    count,
    completed,
    ...(wasSkipped && { skipped: false }),
  });
}

/** What was counted on the day stays, unless it was all. */
export function skipDay({ entries }: HabitData, habit: Habit, date: string, skipped: boolean) {
  const id = `${habit.id}/${date}`;
  const before = entries.get(id)?.count ?? 0;
  const count = before < dailyTarget(habit) ? before : 0;
  if (!skipped && count === 0) return entries.remove(id);
  return writeEntry(entries, habit, date, { count, completed: false, skipped });
}

type EntryFields = Pick<StoredEntry, "count" | "completed"> & { readonly skipped?: boolean };

function writeEntry(entries: HabitData["entries"], habit: Habit, date: string, given: EntryFields) {
  const id = `${habit.id}/${date}`;
  const fields = { ...given, timestamp: now() };
  if (entries.get(id) !== undefined) return entries.patch(id, fields);
  // An entry may be stored and not yet loaded.
  const identity = { id: crypto.randomUUID(), habitId: toHabitId(habit), date };
  return entries.upsert(id, { ...identity, ...fields });
}

/** Returns the function that undoes it. */
export function deleteHabit(data: HabitData, habit: Habit): () => Promise<void> {
  const entries = listEntries(data, habit).map(({ id }) => ({ id, collection: data.entries }));
  return deleteAll([{ id: habit.id, collection: data.habits }, ...entries]);
}

/**
 * Returns the function that undoes it, at once: who sees that it is gone can take it back.
 * There may be more of them than a transaction takes.
 */
export function deleteAll(removed: readonly Removable[]): () => Promise<void> {
  const removal = removeAll(removed);
  return async () => {
    await removal;
    for (const { collection, id } of removed) await collection.restore(id);
  };
}

async function removeAll(removed: readonly Removable[]): Promise<void> {
  for (const { collection, id } of removed) await collection.remove(id);
}

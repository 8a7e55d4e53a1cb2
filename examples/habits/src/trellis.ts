/** Everything that this app and Trellis say to each other; the collections are those of `habit.ts`. */
import {
  createEventsClient,
  createIndexedDbStorage,
  createSyncClient,
  createUpdateClient,
  formatEntityId,
  importEvents,
  type EventsClient,
  type EventsSyncState,
  type Fetch,
  type ImportedHabit,
  type PendingLogin,
  type SyncClient,
  type SyncStatus,
  type UpdateClient,
} from "trellis/client";
import { useEffect, useState } from "preact/hooks";
import type { Config, ReleaseConfig } from "./config.ts";
import { weekdayOf } from "./days.ts";
import {
  listEntries,
  listHabits,
  toHabitId,
  type Habit,
  type HabitData,
  type HabitFields,
  type Removable,
  type StoredHabit,
} from "./habit.ts";
import { dailyTarget } from "./progress.ts";
import { createLocalValue } from "./local-value.ts";

// Sync: the habits of this person, on all their devices

export const openSync = ({ sync, storageName, deviceName }: Config, fetch: Fetch) =>
  createSyncClient({
    baseUrl: sync.baseUrl,
    redirectUri: `${location.origin}/callback`,
    storage: createIndexedDbStorage(storageName),
    deviceName,
    profile: "habits",
    fetch,
  });

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
export function editHabit({ habits }: HabitData, { id }: Habit, changes: Partial<StoredHabit>) {
  return habits.patch(id, changes);
}

/** The profile wants `count` as one number, so it cannot be a counter. */
export function setCount({ entries }: HabitData, habit: Habit, date: string, count: number) {
  const id = `${habit.id}/${date}`;
  if (count === 0) return entries.remove(id);
  const fields = { count, completed: count >= dailyTarget(habit), timestamp: now() };
  if (entries.get(id) !== undefined) return entries.patch(id, fields);
  // An entry may be stored and not yet loaded.
  const identity = { id: crypto.randomUUID(), habitId: toHabitId(habit), date };
  return entries.upsert(id, { ...identity, ...fields });
}

/** Returns the function that undoes it. */
export function deleteHabit(data: HabitData, habit: Habit): Promise<() => Promise<void>> {
  const entries = listEntries(data, habit).map(({ id }) => ({ id, collection: data.entries }));
  return deleteAll([{ id: habit.id, collection: data.habits }, ...entries]);
}

/** Returns the function that undoes it. There may be more of them than a transaction takes. */
export async function deleteAll(removed: readonly Removable[]): Promise<() => Promise<void>> {
  for (const { collection, id } of removed) await collection.remove(id);
  return async () => {
    for (const { collection, id } of removed) await collection.restore(id);
  };
}

// The planner: tasks of another service, imported as habits

export interface PlannerConnection {
  readonly origin: string;
  readonly name: string;
  /** Between the way to the service's page and back. */
  readonly pending?: PendingLogin;
  readonly accessToken?: string;
  readonly state?: EventsSyncState | null;
}

export const openPlanner = (origin: string, clientId: string, fetch: Fetch) =>
  createEventsClient({ origin, clientId, redirectUri: `${location.origin}/connected`, fetch });

export async function importTasks(
  sync: SyncClient,
  data: HabitData,
  planner: EventsClient,
  connection: PlannerConnection,
) {
  const { accessToken = "", name: serviceName } = connection;
  const result = await planner.syncEvents({ accessToken, state: connection.state ?? null });
  const { imported } = importEvents(result.events, listHabits(data), { serviceName });
  for (const task of imported) await addTask(sync, connection, task);
  return { result: result.kind, state: result.state, count: imported.length };
}

/**
 * Two devices that import the same event give the habit the same id, so it stays one habit. Its source is
 * metadata, which only the calls by entity id write.
 */
async function addTask(sync: SyncClient, connection: PlannerConnection, task: ImportedHabit) {
  const { source, name, icon, category } = task;
  const event = new TextEncoder().encode(`${connection.origin} ${source.eventId}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", event)).slice(0, 16);
  const id = `event-${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const plan = { frequency: "custom", customDays: [weekdayOf(source.occursOn)], targetCount: 1 };
  const looks = { name, icon, category, color: "#2f6fb3", description: null };
  const payload = { id, ...looks, ...plan, isActive: true, createdAt: now() };
  const metadata = { source: { ...source, serviceName: connection.name } };
  return sync.create(formatEntityId("habit", id), payload, metadata);
}

// Updates: only what the signed manifest says

export function openUpdates(release: ReleaseConfig, storageName: string, fetch: Fetch) {
  const saved = createLocalValue<string>(`${storageName}/updates`);
  const client: UpdateClient = createUpdateClient({
    ...release,
    storage: { load: saved.read, save: saved.write },
    fetch,
  });
  return client;
}

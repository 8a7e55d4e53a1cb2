/**
 * Everything that this app and Trellis say to each other. The guide `add-sync-to-your-app.md` walks
 * through it.
 */
import {
  createEventsClient,
  createIndexedDbStorage,
  createSyncClient,
  createUpdateClient,
  formatEntityId,
  importEvents,
  type EditResult,
  type StoredEntity,
  type EventsClient,
  type EventsSyncState,
  type Fetch,
  type ImportedHabit,
  type PendingLogin,
  type SyncClient,
  type SyncSnapshot,
  type UpdateClient,
} from "trellis/client";
import { useEffect, useState } from "preact/hooks";
import type { Config, ReleaseConfig } from "./config.ts";
import { weekdayOf } from "./days.ts";
import { readHabit, type Habit, type HabitFields } from "./habit.ts";
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
export function useSnapshot(sync: SyncClient): SyncSnapshot {
  const [snapshot, setSnapshot] = useState(sync.getSnapshot());
  useEffect(() => {
    const update = () => setSnapshot(sync.getSnapshot());
    update();
    return sync.subscribe(update);
  }, [sync]);
  return snapshot;
}

const now = () => new Date().toISOString();

export function addHabit(sync: SyncClient, fields: HabitFields): Promise<EditResult> {
  const id = crypto.randomUUID();
  const payload = { id, ...fields, isActive: true, createdAt: now() };
  return sync.create(formatEntityId("habit", id), payload);
}

/** Sends only what changed, so that edits of different fields on two devices both survive. */
export function editHabit(sync: SyncClient, { id }: Habit, changes: Partial<Habit>) {
  return sync.patch(formatEntityId("habit", id), changes);
}

export function setCount(sync: SyncClient, habit: Habit, date: string, count: number) {
  const entityId = formatEntityId("entry", habit.id, date);
  if (count === 0) return sync.remove(entityId);
  const fields = { count, completed: count >= dailyTarget(habit), timestamp: now() };
  if (sync.entities.get(entityId) !== undefined) return sync.patch(entityId, fields);
  return sync.create(entityId, { id: crypto.randomUUID(), habitId: habit.id, date, ...fields });
}

/** Returns the function that undoes it. */
export function deleteHabit(sync: SyncClient, { id }: Habit): Promise<() => Promise<void>> {
  const { entities } = sync.getSnapshot();
  const habit = entities.get(formatEntityId("habit", id));
  const entries = entities.list("entry").filter(({ payload }) => payload["habitId"] === id);
  return deleteEntities(sync, [...(habit === undefined ? [] : [habit]), ...entries]);
}

/** Returns the function that undoes it. */
export async function deleteEntities(
  sync: SyncClient,
  removed: readonly StoredEntity[],
): Promise<() => Promise<void>> {
  for (const { entityId } of removed) await sync.remove(entityId);
  return async () => {
    for (const { entityId, payload, metadata } of removed) {
      await sync.restore(entityId, payload, metadata);
    }
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
  planner: EventsClient,
  connection: PlannerConnection,
) {
  const { accessToken = "", name: serviceName } = connection;
  const result = await planner.syncEvents({ accessToken, state: connection.state ?? null });
  const known = sync.entities.list("habit").flatMap((entity) => readHabit(entity) ?? []);
  const { imported } = importEvents(result.events, known, { serviceName });
  for (const task of imported) await addTask(sync, connection, task);
  return { result: result.kind, state: result.state, count: imported.length };
}

/** Two devices that import the same event give the habit the same id, so it stays one habit. */
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

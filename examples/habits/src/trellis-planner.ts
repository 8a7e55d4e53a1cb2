/** Everything that this app and the events client say to each other: tasks of a planner become habits. */
import {
  createEventsClient,
  formatEntityId,
  importEvents,
  type EventsClient,
  type EventsSyncState,
  type Fetch,
  type ImportedHabit,
  type PendingLogin,
  type SyncClient,
} from "trellis/client";
import { weekdayOf } from "./days.ts";
import { listHabits, type HabitData } from "./habit.ts";

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
  return { result, count: imported.length };
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
  const payload = { id, ...looks, ...plan, isActive: true, createdAt: new Date().toISOString() };
  const metadata = { source: { ...source, serviceName: connection.name } };
  return sync.create(formatEntityId("habit", id), payload, metadata);
}

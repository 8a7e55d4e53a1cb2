/** An app that is connected to an events service: its driver runs against the services that a case plays. */
import { describeValue, expectSame, fail } from "../../expect.ts";
import type { ClientUnderTest } from "../../drivers/client-under-test.ts";
import {
  jsonReply,
  withService,
  type Reply,
  type Respond,
  type SeenRequest,
} from "../../drivers/loopback-service.ts";
import {
  EVENTS_TASK_RESULT,
  type EventsTask,
  type EventsTaskResult,
  type ImportedEvent,
} from "./task.ts";

export const SERVICE_ADDRESS = "https://events.example";
export const SERVICE_NAME = "My planner";
export const EVENTS_PATH = "/api/events";

export type Habit = NonNullable<EventsTask["habits"]>[number];

export interface ConnectedApp {
  readonly accessToken: string;
  /** Lets the client sync with this service. What it imports is a habit from then on. */
  sync(asked: string, respond: Respond): Promise<EventsSync>;
}

export interface EventsSync {
  readonly asked: string;
  readonly result: EventsTaskResult;
  readonly imported: readonly ImportedEvent[];
  readonly requests: readonly SeenRequest[];
}

export interface AppOptions {
  readonly address?: string;
  readonly habits?: readonly Habit[];
}

/** The members that every task of a case has. */
export const TASK = {
  address: SERVICE_ADDRESS,
  serviceName: SERVICE_NAME,
  clientId: "habits-app",
  redirectUri: "habits-app://auth/callback",
} as const;

export function connect(client: ClientUnderTest, options: AppOptions = {}): ConnectedApp {
  const { address = SERVICE_ADDRESS } = options;
  const accessToken = client.secret("access token");
  let state: unknown = null;
  let habits = options.habits ?? [];
  return {
    accessToken,
    sync: (asked, respond) =>
      withService(respond, async ({ url, requests }) => {
        const app = { ...TASK, address, connectTo: url, accessToken, habits: [...habits], state };
        const task: EventsTask = { do: "sync", ...app };
        const result = await client.tell(asked, task, EVENTS_TASK_RESULT);
        state = result.state ?? null;
        const { imported = [] } = result;
        habits = [...habits, ...imported.map(toHabit)];
        return { asked, result, imported, requests };
      }),
  };
}

function toHabit({ name, eventId, occursOn }: ImportedEvent): Habit {
  return { name, archived: false, source: { eventId, occursOn } };
}

/** A service that has these entries, and nothing but what the contract asks for. */
export function listing(entries: readonly unknown[]): () => Reply {
  return () => jsonReply({ events: entries });
}

/** A minimal event that becomes a habit; undefined members are left out. */
export function createEvent(changes: Readonly<Record<string, unknown>> = {}) {
  return { id: "event-1", type: "homework", title: "Read", date: "2026-09-01", ...changes };
}

/** At the end of a list, so that a client which stops early is noticed. */
export const LAST_EVENT = createEvent({ id: "last", title: "The last one" });

export function expectSyncKind(
  { asked, result }: EventsSync,
  kind: EventsTaskResult["kind"],
): void {
  if (result.kind !== kind) fail(asked, kind, describeResult(result));
}

/** The client synced, and imported the events with these ids, in any order. */
export function expectImportedIds(sync: EventsSync, ids: readonly string[]): void {
  expectSyncKind(sync, "synced");
  const received = sync.imported.map(({ eventId }) => eventId);
  expectSame(sync.asked, "imported events", received.toSorted(), ids.toSorted());
}

/** The client synced, and imported the event with these members. */
export function expectImported(
  sync: EventsSync,
  eventId: string,
  members: Partial<ImportedEvent>,
): void {
  expectSyncKind(sync, "synced");
  const found = sync.imported.find((one) => one.eventId === eventId);
  if (found === undefined) {
    return fail(sync.asked, `the event ${eventId} imported`, describeResult(sync.result));
  }
  for (const [name, value] of Object.entries(members)) {
    const what = `${name} of the event ${eventId}`;
    expectSame(sync.asked, what, found[name as keyof ImportedEvent], value);
  }
}

/** The sync failed, and nothing was imported. */
export function expectFailed(sync: EventsSync, kind: "failed" | "reconnect-needed" = "failed") {
  expectSyncKind(sync, kind);
  expectSame(sync.asked, "imported events", sync.imported, []);
}

export function expectNoRequest({ asked, requests }: Pick<EventsSync, "asked" | "requests">): void {
  const [first] = requests;
  if (first !== undefined) fail(asked, "no request", first.asked);
}

function describeResult(result: EventsTaskResult): string {
  const { state: _state, ...shown } = result;
  return describeValue(shown);
}

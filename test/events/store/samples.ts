import type { DeletedEvent, WireEvent } from "../../../src/contract/events/schemas.ts";
import type { BrowserSession } from "../../../src/identity/browser-sessions.ts";
import type {
  EventChange,
  EventContent,
  EventPage,
  EventsStore,
  Grant,
  Interaction,
  Source,
  Subscription,
} from "../../../src/events/store.ts";

export const NOW = Date.UTC(2026, 7, 21);
export const DAY_MS = 86_400_000;

export async function addAccount(store: EventsStore, name: string): Promise<string> {
  const accountId = `account-of-${name}`;
  await store.transaction(({ identity }) =>
    identity.addAccount({
      accountId,
      username: name,
      sealedVerifier: "c2VhbGVk",
      createdAt: NOW,
      passwordChangedAt: NOW,
      hasPassword: true,
    }),
  );
  return accountId;
}

export function sampleSource(accountId: string, name: string, given: Partial<Source> = {}): Source {
  return {
    sourceId: `source-${name}-of-${accountId}`,
    accountId,
    kind: "file",
    name,
    createdAt: NOW,
    ...given,
  };
}

export function addSource(
  store: EventsStore,
  accountId: string,
  name: string,
  given: Partial<Source> = {},
): Promise<Source> {
  return store.transaction(({ sources }) =>
    sources.findOrAdd(sampleSource(accountId, name, given)),
  );
}

/** An account with one source. */
export async function prepare(store: EventsStore, name = "ada"): Promise<[string, string]> {
  const accountId = await addAccount(store, name);
  return [accountId, (await addSource(store, accountId, "school")).sourceId];
}

export function sketchContent(
  date: string | null,
  given: Partial<EventContent> = {},
): EventContent {
  return {
    type: "homework",
    subjectName: "Maths",
    title: 'Übung 1: "Σ" 🌱',
    date,
    dateAt: date === null ? null : Date.parse(date),
    ...given,
  };
}

export function put(
  eventId: string,
  date: string | null = "2026-09-01",
  given: Partial<EventContent> = {},
): EventChange {
  return {
    kind: "put",
    eventId,
    content: sketchContent(date, given),
    createdAt: "2026-08-01T00:00:00Z",
  };
}

export function remove(eventId: string): EventChange {
  return { kind: "delete", eventId };
}

export function write(
  store: EventsStore,
  [accountId, sourceId]: readonly [string, string],
  changes: readonly EventChange[],
  now: number = NOW,
): Promise<{ readonly taken: readonly string[] }> {
  return store.transaction(({ events }) => events.write(accountId, sourceId, changes, now));
}

export function sampleSession(
  accountId: string,
  sessionHash: string,
  given: Partial<BrowserSession> = {},
): Omit<BrowserSession, "username"> {
  return {
    sessionHash,
    accountId,
    createdAt: NOW,
    idleExpiresAt: NOW + DAY_MS / 2,
    absoluteExpiresAt: NOW + 7 * DAY_MS,
    browser: null,
    system: null,
    ...given,
  };
}

export function sampleGrant(accountId: string, name: string, given: Partial<Grant> = {}): Grant {
  return {
    grantId: `grant-${name}`,
    accountId,
    clientId: "app",
    scope: "read:events",
    tokenHash: `hash-of-${name}`,
    createdAt: NOW,
    lastUsedAt: NOW,
    idleExpiresAt: NOW + 180 * DAY_MS,
    absoluteExpiresAt: NOW + 365 * DAY_MS,
    ...given,
  };
}

export function sampleInteraction(name: string, given: Partial<Interaction> = {}): Interaction {
  return {
    interactionHash: `interaction-${name}`,
    bindingHash: `binding-${name}`,
    clientId: "app",
    redirectUri: "demo://auth/callback",
    state: 'any \u0000 "state" \ud800',
    codeChallenge: "a".repeat(43),
    scope: "read:events",
    createdAt: NOW,
    expiresAt: NOW + 600_000,
    ...given,
  };
}

export function sampleSubscription(
  { sourceId, accountId, name }: Source,
  given: Partial<Subscription> = {},
): Subscription {
  return {
    sourceId,
    accountId,
    name,
    sealedUrl: "c2VhbGVk",
    urlHash: `hash-of-${name}`,
    defaultType: "task",
    rules: [{ words: ["Klausur", "exam"], type: "exam" }],
    createdAt: NOW,
    etag: null,
    lastModified: null,
    lastFetchedAt: null,
    lastSucceededAt: null,
    lastError: null,
    warning: null,
    nextFetchAt: NOW,
    failures: 0,
    entryCount: null,
    report: null,
    ...given,
  };
}

/** The events of a page as apps receive them. */
export function eventsOf({ text }: Pick<EventPage, "text">) {
  return JSON.parse(`[${text}]`) as (WireEvent | DeletedEvent)[];
}

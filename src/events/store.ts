/**
 * The port of the events store.
 *
 * When a method settles, its changes are durable and visible to all later calls; when it throws,
 * nothing has changed. A store that cannot be used now throws a StorageUnavailableError. Times are
 * milliseconds since 1970; a record that expires at a time has expired at that time.
 */
import type { RateLimitCounters } from "../http/shared-rate-limit.ts";
import type { BrowserSession, BrowserSessionRecords } from "../identity/browser-sessions.ts";
import type { IdentityRecords } from "../identity/identity-records.ts";
import type { ParsedEntry, WordRule } from "../rules/events/ingest/entry.ts";
import type { EventFilter } from "../contract/events/page-views.ts";
import type { EventPage } from "../rules/events/wire/list-response.ts";

export type { EventPage, WordRule };

/** Separates the accounts of this service from those of others in the same database. */
export const EVENTS_REALM = "events";

/**
 * The store of an events service. Open it with `openEventsStore` and give it to `createEventsService`, which
 * closes it.
 */
export interface EventsStore {
  /**
   * Runs `work` atomically; transactions are serial. `work` may run again, so it changes only the
   * records and awaits nothing else. What may be lost is gone, as a whole, if the machine fails at once.
   */
  transaction<T>(
    work: (records: EventsRecords) => Promise<T>,
    options?: { readonly mayBeLost?: boolean },
  ): Promise<T>;
  /** A grant that is live at `now`. Called by every request of an app. */
  findGrant(tokenHash: string, now: number): Promise<Grant | null>;
  /** A session that is live at `now`. Called by every page. */
  findSession(sessionHash: string, now: number): Promise<BrowserSession | null>;
  /** The reads of pages and of the administration, outside a transaction. */
  readonly reads: EventsReads;
  /** The reads of a list of events, which do not wait for writers. */
  readonly events: EventReader;
  /** Throws when the store cannot be used. */
  ping(): Promise<void>;
  /** Commits a write without meaning. Throws when the store cannot be written. */
  probeWrite(now: number): Promise<void>;
  /**
   * Removes expired sessions, grants, interactions, challenges, secrets past `keepUntil`, failures
   * after a day, rate limit counters and tombstones. Called every few minutes; nothing relies on it.
   */
  prune(now: number): Promise<void>;
  /** Waits for running transactions, then closes the database. */
  close(): Promise<void>;
}

export interface EventsRecords {
  /** The identity records of the realm `events`. */
  readonly identity: IdentityRecords;
  readonly profiles: ProfileRecords;
  readonly sessions: BrowserSessionRecords;
  readonly interactions: InteractionRecords;
  readonly grants: GrantRecords;
  readonly sources: SourceRecords;
  readonly subscriptions: SubscriptionRecords;
  readonly events: EventRecords;
  readonly rateLimitCounters: RateLimitCounters;
}

/** Reads outside of a transaction, which do not wait for writers. */
export interface EventsReads {
  readonly identity: Pick<
    IdentityRecords,
    "findAccount" | "findKnownBrowsers" | "readFailures" | "listPasskeys" | "listSignIns"
  >;
  readonly profiles: Pick<ProfileRecords, "find">;
  readonly interactions: Pick<InteractionRecords, "find">;
  readonly grants: Pick<GrantRecords, "list">;
  readonly sessions: Pick<BrowserSessionRecords, "list">;
  readonly sources: Pick<SourceRecords, "find">;
  readonly subscriptions: Pick<SubscriptionRecords, "find" | "list">;
  readonly events: Pick<EventRecords, "find">;
}

export interface Profile {
  readonly accountId: string;
  /** An IANA name. */
  readonly timeZone: string;
  /** Null: the language of the browser. */
  readonly language: "de" | "en" | null;
}

export interface ProfileRecords {
  /** Inserts or replaces the profile. */
  put(profile: Profile): Promise<void>;
  find(accountId: string): Promise<Profile | null>;
}

/** An authorization request that passed its checks, while a person signs in and decides. */
export interface Interaction {
  /** SHA-256 of the random id in the forms. */
  readonly interactionHash: string;
  /** The SHA-256 of the browser cookie. */
  readonly bindingHash: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly codeChallenge: string;
  readonly scope: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface InteractionRecords {
  /** Keeps the newest `maxLive` interactions, this one included. */
  add(interaction: Interaction, maxLive: number): Promise<void>;
  find(interactionHash: string, now: number): Promise<Interaction | null>;
  /** Removes and returns the interaction. */
  take(interactionHash: string, now: number): Promise<Interaction | null>;
}

/** An app's access to the events of an account: made from one code, with one token. */
export interface Grant {
  /** The id is the Base64URL of 16 random bytes, and not secret. */
  readonly grantId: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly scope: string;
  /** SHA-256 of the token, in Base64URL. The token itself is not stored. */
  readonly tokenHash: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly idleExpiresAt: number;
  readonly absoluteExpiresAt: number;
}

export interface GrantRecords {
  add(grant: Grant): Promise<void>;
  touch(grantId: string, lastUsedAt: number, idleExpiresAt: number): Promise<void>;
  /** False when there was no such grant, or not one of the given account. */
  revoke(grantId: string, accountId?: string): Promise<boolean>;
  /** Revokes the codes of the account too; returns how many grants there were. */
  revokeAll(accountId: string): Promise<number>;
  /** Grows when the codes of the account are revoked. A code of an earlier epoch is invalid. */
  codeEpoch(accountId: string): Promise<number>;
  /** Revokes the codes of the account that were not redeemed yet. */
  revokeCodes(accountId: string): Promise<void>;
  /** RFC 7009: only a token of this client. */
  revokeToken(tokenHash: string, clientId: string): Promise<boolean>;
  /** Lists the grants that are live at `now`, newest first; of all accounts when none is given. */
  list(now: number, accountId?: string): Promise<(Grant & { readonly username: string })[]>;
}

/** A source is where events come from. Each account has at most one source of the kind `manual`. */
export interface Source {
  readonly sourceId: string;
  readonly accountId: string;
  readonly kind: "manual" | "file" | "subscription";
  /** The name is unique among the sources of one kind and account. */
  readonly name: string;
  readonly createdAt: number;
}

export interface SourceRecords {
  /** The existing one of this account, kind and name, or the given one. */
  findOrAdd(source: Source): Promise<Source>;
  list(accountId: string): Promise<Source[]>;
  find(sourceId: string): Promise<Source | null>;
  /** Removes the subscription of the source too; throws when the source has live events. */
  remove(sourceId: string): Promise<void>;
}

export interface Subscription {
  readonly sourceId: string;
  readonly accountId: string;
  readonly name: string;
  /** The URL is sealed under the instance key, because a feed URL is often a secret. */
  readonly sealedUrl: string;
  /** A keyed hash, unique within an account. */
  readonly urlHash: string;
  readonly defaultType: string;
  readonly rules: readonly WordRule[];
  readonly createdAt: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly lastFetchedAt: number | null;
  readonly lastSucceededAt: number | null;
  /** The error code of the last fetch. */
  readonly lastError: string | null;
  /** The code of why missing entries were kept. */
  readonly warning: string | null;
  readonly nextFetchAt: number;
  readonly failures: number;
  /** The number of entries in the last successful fetch. */
  readonly entryCount: number | null;
  /** The report is JSON about the last successful fetch. */
  readonly report: string | null;
}

export interface SubscriptionRecords {
  /** False when the account has a subscription to this URL already. */
  add(subscription: Subscription): Promise<boolean>;
  /** Writes all members that can change. */
  update(subscription: Subscription): Promise<void>;
  find(sourceId: string): Promise<Subscription | null>;
  /** Lists the oldest subscription first; those of all accounts when none is given. */
  list(accountId?: string): Promise<Subscription[]>;
  /** Claims due subscriptions, longest due first, until `claimedUntil`, which becomes their `nextFetchAt`. */
  claimDue(now: number, claimedUntil: number, limit: number): Promise<Subscription[]>;
}

export type EventContent = Pick<ParsedEntry, "type" | "subjectName" | "title" | "date" | "dateAt">;

export interface StoredEvent extends EventContent {
  readonly eventId: string;
  readonly sourceId: string;
  /** RFC 3339. Never changes. */
  readonly createdAt: string;
  /** The stamp of the last change: unique within the account, and strictly increasing. */
  readonly updatedAt: number;
  readonly deletedAt: number | null;
  /** The number of successful fetches in a row that the event was missing from. */
  readonly missing: number;
}

export type EventChange =
  /** Adds, changes or restores an event; `createdAt` applies only to a new one. */
  | {
      readonly kind: "put";
      readonly eventId: string;
      readonly content: EventContent;
      readonly createdAt: string;
    }
  | { readonly kind: "delete"; readonly eventId: string }
  /** Counts a missing event without a new stamp, because apps do not see the count. */
  | { readonly kind: "missing"; readonly eventId: string; readonly missing: number };

export interface EventRecords {
  /** All events of a source, tombstones included, by id. */
  listSource(accountId: string, sourceId: string): Promise<StoredEvent[]>;
  find(accountId: string, eventId: string): Promise<StoredEvent | null>;
  /**
   * Writes changes of one source in their order. Each `put` and `delete` gets its own stamp: the
   * greater of `now` and one past the account's last stamp, whatever the clock does. Ids of live events
   * of another source are not written but returned as `taken`; ids of tombstones can be reused. The
   * deletion of an unknown event changes nothing.
   */
  write(
    accountId: string,
    sourceId: string,
    changes: readonly EventChange[],
    now: number,
  ): Promise<{ readonly taken: readonly string[] }>;
}

export interface ManagedEvent extends StoredEvent {
  readonly sourceKind: Source["kind"];
  readonly sourceName: string;
}

/** Pages of events, read outside of a transaction. */
export interface EventReader {
  /** Lists events from `upcomingFrom` on by date, then earlier ones newest first, then undated ones. */
  listAll(accountId: string, upcomingFrom: number, limit: number): Promise<EventPage>;
  /** Events with a stamp of at least `since`, by stamp. */
  listChanges(
    accountId: string,
    since: number,
    limit: number,
    includeDeleted: boolean,
  ): Promise<EventPage>;
  /** Lists events for the account page, in the order of `listAll`. */
  listManaged(
    accountId: string,
    upcomingFrom: number,
    offset: number,
    limit: number,
  ): Promise<{ readonly events: readonly ManagedEvent[]; readonly total: number }>;
  /** The same of the events that a person looks for. It reads all events of the account. */
  searchManaged(
    accountId: string,
    upcomingFrom: number,
    filter: EventFilter,
    offset: number,
    limit: number,
  ): Promise<{ readonly events: readonly ManagedEvent[]; readonly total: number }>;
  /** Where the events of an account come from, by name. */
  listSources(accountId: string): Promise<NamedSource[]>;
}

/** A subscription has the name that its person gave it. */
export type NamedSource = Pick<Source, "sourceId" | "kind" | "name">;

/**
 * The persistence of the events service: what a store must be able to do, and what it must promise.
 *
 * When a method settles, what it says has happened survives a power cut, and everybody who asks from
 * then on finds it; when it throws, nothing has happened. A store that cannot be used now throws a
 * StorageUnavailableError. Times are milliseconds since 1970; what ends at a moment is over at it.
 */
import type { IdentityRecords } from "../identity/identity-records.ts";

export interface EventsStore {
  /**
   * Runs `work` whole or not at all, one after the other. `work` may be run again, so it changes
   * nothing but the records, and it awaits nothing else.
   */
  transaction<T>(work: (records: EventsRecords) => Promise<T>): Promise<T>;
  /** Whose access token this is, when it is alive at `now`. Asked by every request of an app. */
  findGrant(tokenHash: string, now: number): Promise<Grant | null>;
  /** Whose browser this is, when the session is alive at `now`. Asked by every page. */
  findSession(sessionHash: string, now: number): Promise<BrowserSession | null>;
  readonly reads: EventsReads;
  readonly events: EventReader;
  /** Throws when the store cannot be used. */
  ping(): Promise<void>;
  /**
   * Removes what has expired: sessions, grants, interactions, challenges, secrets past `keepUntil`,
   * failures a day after the last one, hit counts of past windows, tombstones after their time. It is
   * asked every few minutes; nothing relies on it.
   */
  prune(now: number): Promise<void>;
  close(): Promise<void>;
}

export interface EventsRecords {
  /** Those of the realm `events`. */
  readonly identity: IdentityRecords;
  readonly profiles: ProfileRecords;
  readonly sessions: SessionRecords;
  readonly interactions: InteractionRecords;
  readonly grants: GrantRecords;
  readonly sources: SourceRecords;
  readonly subscriptions: SubscriptionRecords;
  readonly events: EventRecords;
  readonly rateLimitCounters: RateLimitCounters;
}

/**
 * What pages ask of the records, beside whatever is being written: nobody who only looks waits for a
 * writer. Each is a question of its own.
 */
export interface EventsReads {
  readonly profiles: Pick<ProfileRecords, "find">;
  readonly interactions: Pick<InteractionRecords, "find">;
  readonly grants: Pick<GrantRecords, "list">;
  readonly sources: Pick<SourceRecords, "find">;
  readonly subscriptions: Pick<SubscriptionRecords, "find" | "list">;
  readonly events: Pick<EventRecords, "find">;
}

/** What an account says of itself, beside its name and its password. */
export interface Profile {
  readonly accountId: string;
  /** An IANA name. */
  readonly timeZone: string;
  /** Null: as the browser asks. */
  readonly language: "de" | "en" | null;
}

export interface ProfileRecords {
  /** Writes it, new or not. */
  put(profile: Profile): Promise<void>;
  find(accountId: string): Promise<Profile | null>;
}

/** A signed-in browser. The id is in its cookie, the store knows only the hash. */
export interface BrowserSession {
  readonly sessionHash: string;
  readonly accountId: string;
  readonly username: string;
  readonly createdAt: number;
  readonly idleExpiresAt: number;
  readonly absoluteExpiresAt: number;
}

export interface SessionRecords {
  open(session: Omit<BrowserSession, "username">): Promise<void>;
  /** Moves the idle end. */
  touch(sessionHash: string, idleExpiresAt: number): Promise<void>;
  close(sessionHash: string): Promise<void>;
  /** Ends all of an account; answers how many there were. */
  closeAll(accountId: string): Promise<number>;
}

/** An authorization request that was found right, kept while a person signs in and decides. */
export interface Interaction {
  /** SHA-256 of the random id that forms carry. */
  readonly interactionHash: string;
  /** SHA-256 of the cookie the browser got with it. */
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
  /** Keeps the `maxLive` that were made last, this one among them. */
  add(interaction: Interaction, maxLive: number): Promise<void>;
  find(interactionHash: string, now: number): Promise<Interaction | null>;
  /** Removes it and gives it, so that nobody gets it again. */
  take(interactionHash: string, now: number): Promise<Interaction | null>;
}

/** One app's leave to read one account's events: made from one code, good for one token. */
export interface Grant {
  /** Base64URL of 16 random bytes; shown to people, no secret. */
  readonly grantId: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly scope: string;
  /** SHA-256 of the token, in Base64URL: the token itself is nowhere. */
  readonly tokenHash: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly idleExpiresAt: number;
  readonly absoluteExpiresAt: number;
}

export interface GrantRecords {
  add(grant: Grant): Promise<void>;
  touch(grantId: string, lastUsedAt: number, idleExpiresAt: number): Promise<void>;
  /** False when there was none. With an account, only one of that account is ended. */
  revoke(grantId: string, accountId?: string): Promise<boolean>;
  /** Ends all of an account, and its codes; answers how many there were. */
  revokeAll(accountId: string): Promise<number>;
  /** How often the codes of an account were ended: one made before the last time counts no more. */
  codeEpoch(accountId: string): Promise<number>;
  /** Ends the codes of an account that nobody has redeemed yet. */
  endCodes(accountId: string): Promise<void>;
  /** RFC 7009: ends what this token stands for, when it is this client's. */
  revokeToken(tokenHash: string, clientId: string): Promise<boolean>;
  /** Those alive at `now`, newest first; of everybody when no account is named. */
  list(now: number, accountId?: string): Promise<(Grant & { readonly username: string })[]>;
}

/** Where events come from. Every account has one source `manual`, made when it is first needed. */
export interface Source {
  readonly sourceId: string;
  readonly accountId: string;
  readonly kind: "manual" | "file" | "subscription";
  /** Unique among those of one kind and account. */
  readonly name: string;
  readonly createdAt: number;
}

export interface SourceRecords {
  /** The one there is, or the one given, which is added. */
  findOrAdd(source: Source): Promise<Source>;
  list(accountId: string): Promise<Source[]>;
  find(sourceId: string): Promise<Source | null>;
  /** Removes it with its subscription; its events must be gone or tombstones. */
  remove(sourceId: string): Promise<void>;
}

export interface WordRule {
  readonly words: readonly string[];
  readonly type: string;
}

export interface Subscription {
  readonly sourceId: string;
  readonly accountId: string;
  readonly name: string;
  /** The address often is a secret of its own: only sealed under the instance key. */
  readonly sealedUrl: string;
  /** A keyed hash of the address, unique within an account. */
  readonly urlHash: string;
  readonly defaultType: string;
  readonly rules: readonly WordRule[];
  readonly createdAt: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly lastFetchedAt: number | null;
  readonly lastSucceededAt: number | null;
  /** The code of what went wrong at the last fetch, or null. */
  readonly lastFault: string | null;
  /** The code of why entries that are missing from the feed were held, or null. */
  readonly warning: string | null;
  readonly nextFetchAt: number;
  readonly failures: number;
  /** How many entries the last good fetch had, or null before the first. */
  readonly entryCount: number | null;
  /** JSON text that only the importer understands: counts and skipped entries of the last good fetch. */
  readonly report: string | null;
}

export interface SubscriptionRecords {
  /** False when the account has one of that address already. */
  add(subscription: Subscription): Promise<boolean>;
  /** Writes everything that may change. */
  update(subscription: Subscription): Promise<void>;
  find(sourceId: string): Promise<Subscription | null>;
  /** Of everybody when no account is named; oldest first. */
  list(accountId?: string): Promise<Subscription[]>;
  /**
   * Up to `limit` that are due at `now`, longest due first, moved to `claimedUntil` so that no other
   * process takes them before.
   */
  claimDue(now: number, claimedUntil: number, limit: number): Promise<Subscription[]>;
}

/** What a person sees of an event, and what a change of it is. */
export interface EventContent {
  readonly type: string;
  readonly subjectName: string | null;
  readonly title: string | null;
  /** `YYYY-MM-DD`, or RFC 3339 with an offset. */
  readonly date: string | null;
  /** The moment of `date`, for the order: midnight UTC for a whole day. */
  readonly dateAt: number | null;
}

export interface StoredEvent extends EventContent {
  readonly eventId: string;
  readonly sourceId: string;
  /** RFC 3339. Never changes. */
  readonly createdAt: string;
  /** Unique within the account, strictly increasing with every change. */
  readonly updatedAt: number;
  readonly deletedAt: number | null;
  /** How many good fetches in a row had it not. */
  readonly missing: number;
}

export type EventChange =
  /** New, changed, or back again after a deletion; `createdAt` counts only when it is new. */
  | {
      readonly kind: "put";
      readonly eventId: string;
      readonly content: EventContent;
      readonly createdAt: string;
    }
  | { readonly kind: "delete"; readonly eventId: string }
  /** Changes no stamp: nobody who reads events can tell. */
  | { readonly kind: "missing"; readonly eventId: string; readonly missing: number };

export interface EventRecords {
  /** Everything of a source, tombstones included, ordered by id. */
  listSource(accountId: string, sourceId: string): Promise<StoredEvent[]>;
  find(accountId: string, eventId: string): Promise<StoredEvent | null>;
  /**
   * Writes changes of one source in their order. Each `put` and `delete` gets its own stamp: the
   * later of `now` and one past the account's last, so that the stamps of an account are unique and
   * only ever grow, whatever the clock does. An id that a live event of another source has is left
   * alone and given back; a tombstone belongs to nobody. To delete what is not there changes nothing.
   */
  write(
    accountId: string,
    sourceId: string,
    changes: readonly EventChange[],
    now: number,
  ): Promise<{ readonly taken: readonly string[] }>;
}

export interface EventPage {
  /** The events as they go over the wire, as JSON text. */
  readonly texts: readonly string[];
  readonly hasMore: boolean;
  /** The greatest stamp among them, or null when there is none. */
  readonly lastStamp: number | null;
}

export interface ManagedEvent extends StoredEvent {
  readonly sourceKind: Source["kind"];
  readonly sourceName: string;
}

/** Reads beside whatever is being written. Each page is one question to one index. */
export interface EventReader {
  /** From `upcomingFrom` on by date, then those before it newest first, then those without a date. */
  listAll(accountId: string, upcomingFrom: number, limit: number): Promise<EventPage>;
  /** Those with a stamp of `since` or later, in the order of their stamps. */
  listChanges(
    accountId: string,
    since: number,
    limit: number,
    includeDeleted: boolean,
  ): Promise<EventPage>;
  /** For the page: in the order of `listAll`, `offset` left out. */
  listManaged(
    accountId: string,
    upcomingFrom: number,
    offset: number,
    limit: number,
  ): Promise<{ readonly events: readonly ManagedEvent[]; readonly total: number }>;
}

export interface RateLimitCounters {
  /**
   * Takes up to `wanted` of the requests that a subject may make in the window that begins at
   * `windowStart`, and returns how many it took. Subjects are keyed hashes.
   */
  take(subject: string, windowStart: number, wanted: number, limit: number): Promise<number>;
}

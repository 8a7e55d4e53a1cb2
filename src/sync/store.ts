/**
 * The store port of the sync service. `trellis/sync/store-contract` tests an adapter.
 *
 * When a method resolves, its change is durable and visible to every later read; when it rejects,
 * nothing has changed. A store that cannot be used now rejects with a StorageUnavailableError. Times
 * are milliseconds since 1970; a record is expired at its expiry time.
 */
import type { RateLimitCounters } from "../http/shared-rate-limit.ts";
import type { BrowserSession, BrowserSessionRecords } from "../identity/browser-sessions.ts";
import type { IdentityRecords } from "../identity/identity-records.ts";
import type { AccountKey } from "../contract/sync/schemas.ts";
import type { KeyError, KeyProof } from "./keys/key-proof.ts";
import type { AddKeyError } from "./keys/plan-key.ts";
import type { MarkedHead } from "./log/cursor.ts";

export type { LogHead, MarkedHead } from "./log/cursor.ts";

/** Separates sync's accounts, challenges and codes from those of other services in one database. */
export const SYNC_REALM = "sync";

/**
 * The port of a store: the interface that a database needs to hold an account, its devices and its log.
 * `openSyncStore` opens one on SQLite or PostgreSQL; implement it for another database.
 */
export interface SyncStore {
  /**
   * Runs `work` in one serializable transaction. `work` may run again, so it changes only the records. What
   * may be lost need not be durable when this resolves: it is gone if the machine fails, as a whole.
   */
  transaction<T>(
    work: (records: SyncRecords) => Promise<T>,
    options?: { readonly mayBeLost?: boolean },
  ): Promise<T>;
  /** Null unless token and session are alive at `now`. Every request with a token calls it. */
  findAccess(tokenHash: string, now: number): Promise<AccessGrant | null>;
  /** The families of the sessions alive at `now`; like `findAccess`, it does not wait for writers. */
  listFamilies(now: number): Promise<string[]>;
  /** Null unless the browser session is alive at `now`. Every request of the owner's page calls it. */
  findBrowserSession(sessionHash: string, now: number): Promise<BrowserSession | null>;
  /** Reads like those of `IdentityRecords` that do not wait for writers: a flood of sign-ins calls them. */
  findKnownBrowsers: IdentityRecords["findKnownBrowsers"];
  /** Reads failed sign-ins; it does not wait for writers. */
  readFailures: IdentityRecords["readFailures"];
  /** Whether there is an account; like `findAccess`, it does not wait for writers. */
  hasAccount(): Promise<boolean>;
  /** What the store uses, and the operations of each day from the day of `from` on. */
  readUsage(from: number): Promise<StoreUsage>;
  /** Appends, pages and snapshots of the log. */
  readonly operations: OperationStore;
  /** The keys of an encrypted account. */
  readonly keys: AccountKeyStore;
  /**
   * Calls `onChange` within 250 ms after any process has moved the head, added a key or ended a session, until
   * the watch is closed. `onChange` may be called without a change. The watch never rejects: while
   * the store is away, nothing changes.
   */
  watch(onChange: () => void): StoreWatch;
  /** Rejects when the store cannot be used. */
  ping(): Promise<void>;
  /** Commits a write without meaning. Rejects when the store cannot be written. */
  probeWrite(now: number): Promise<void>;
  /**
   * Removes expired sessions of devices and browsers, access tokens, streams, challenges and known
   * browsers, secrets past `keepUntil`, failures after a day, sign-ins of the history after 90 days, and
   * rate limit counters when their window ends. Pruning only frees space: expired records have no effect anyway.
   */
  prune(now: number): Promise<void>;
  /** Waits for running transactions, then closes the database. */
  close(): Promise<void>;
}

/** A watch that `SyncStore.watch` began; closing it ends its calls. */
export interface StoreWatch {
  /** Ends the calls. */
  close(): Promise<void>;
}

/** The records that one transaction of a store reads and writes, by what they are about. */
export interface SyncRecords {
  /** The identity records of the realm of sync, which has at most one account. */
  readonly identity: IdentityRecords;
  /** The sign-ins of devices. */
  readonly sessions: SessionRecords;
  /** The sessions of the owner's page. */
  readonly browserSessions: BrowserSessionRecords;
  /** The log of operations. */
  readonly log: LogRecords;
  /** The counters of rate limits. */
  readonly rateLimitCounters: RateLimitCounters;
  /** The open streams of live changes. */
  readonly streams: StreamRecords;
}

/** What a store uses, for the page of the owner and for metrics. */
export interface StoreUsage {
  /** The bytes that the store uses on the disk; null when the store cannot tell. */
  readonly bytes: number | null;
  /** The counts of the days, oldest first; days without operations are left out. */
  readonly days: readonly DayCount[];
}

/** The operations that were stored on a day of UTC, those that compaction removed included. */
export interface DayCount {
  /** The start of the day in UTC, in milliseconds since 1970. */
  readonly startsAt: number;
  /** How many operations were stored on that day. */
  readonly operations: number;
}

/** An open stream of changes, of any process. */
export interface StreamRecord {
  /** The id of the stream, which is random and unique. */
  readonly streamId: string;
  /** The device that reads the stream. */
  readonly deviceId: string;
}

/** How many streams of changes may be open at once, of one device and of the whole instance. */
export interface StreamLimits {
  /** Open streams of one device. */
  readonly perDevice: number;
  /** Open streams of all devices. */
  readonly perInstance: number;
}

/** When a new stream expires, the time now, and the limits that it must keep. */
export interface StreamOpening {
  /** When the stream counts as closed unless it is renewed, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How many streams may be open, this one included. */
  readonly limits: StreamLimits;
}

/** The open streams of all processes that share a store, so that their limits count for all together. */
export interface StreamRecords {
  /** Adds a stream; false, and no change, when the streams that are alive at `now` reach a limit. */
  open(stream: StreamRecord, opening: StreamOpening): Promise<boolean>;
  /** Moves the expiry of open streams, and adds streams again that were removed as expired. */
  renew(streams: readonly StreamRecord[], expiresAt: number): Promise<void>;
  /** Removes streams; those that are unknown do not matter. */
  close(streamIds: readonly string[]): Promise<void>;
}

/** The sign-in of a device, with the state of its refresh token and its expiry. */
export interface DeviceSession {
  /** Base64URL of 16 random bytes; identifies this sign-in. */
  readonly family: string;
  /** The id that the device chose. */
  readonly deviceId: string;
  /** The counter of the current refresh token. */
  readonly counter: number;
  /** SHA-256 of the current refresh token, in Base64URL. */
  readonly refreshHash: string;
  /** The time of the sign-in, in milliseconds since 1970. */
  readonly createdAt: number;
  /** When the refresh token was replaced last, in milliseconds since 1970. */
  readonly rotatedAt: number;
  /** The time of the last refresh, in milliseconds since 1970. */
  readonly lastUsedAt: number;
  /** The session ends then unless it is used. */
  readonly idleExpiresAt: number;
  /** The session ends then in any case. */
  readonly absoluteExpiresAt: number;
}

/** A device as the list of the owner shows it: its session and its name. */
export interface ListedDevice extends DeviceSession {
  /** The name that the owner gave the device; it stays when the device signs in again. */
  readonly name: string | null;
}

/** An access token that a session was given; the store has only its hash. */
export interface NewAccess {
  /** SHA-256 of the token, in Base64URL; the token itself is not stored. */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What an access token allows: the session that it belongs to, and until when. */
export interface AccessGrant {
  /** The session that the token belongs to. */
  readonly session: DeviceSession;
  /** Milliseconds since 1970. */
  readonly accessExpiresAt: number;
}

/** The sign-ins of devices in a transaction: opening, renewing and revoking them. */
export interface SessionRecords {
  /** Adds a session, which replaces an earlier one of the same device and keeps its name. Others get this one. */
  open(session: DeviceSession, name?: string | null): Promise<void>;
  /** Finds the session of a sign-in; null when it was ended. */
  find(family: string): Promise<DeviceSession | null>;
  /** Updates the counter and the times of a session. */
  renew(session: DeviceSession): Promise<void>;
  /** Adds an access token to a session. */
  addAccess(family: string, access: NewAccess): Promise<void>;
  /** Removes a session with its access tokens; false when there was none. */
  revokeFamily(family: string): Promise<boolean>;
  /** Removes the session of a device with its access tokens; false when there was none. */
  revokeDevice(deviceId: string): Promise<boolean>;
  /** Removes all sessions, and returns how many there were. */
  revokeAll(): Promise<number>;
  /** The devices whose sessions are alive at `now`, newest sign-in first. */
  list(now: number): Promise<ListedDevice[]>;
  /** Names a device; null removes the name. Returns false when no such device is signed in. */
  nameDevice(deviceId: string, name: string | null): Promise<boolean>;
}

/** What a rollback or the owner changes about the log. */
export interface LogRecords {
  /** The name of the log's history; null until it was named. */
  readHistory(): Promise<string | null>;
  /** Names the history of the log: the marks of all later appends begin with the name. */
  nameHistory(name: string): Promise<void>;
  /** Begins a new generation, which refuses every cursor of the generations before; offsets go on. */
  beginGeneration(): Promise<void>;
  /**
   * Removes every operation, entity, key and count, also from what the store has left free in its files, and begins a
   * new generation. Until a device signs in, appends are refused: a push that came in before may still be on
   * its way.
   */
  clear(): Promise<void>;
}

/** A valid operation as strings only, which are cheap to send from a worker thread. */
export interface NewOperation {
  /** The operation as it was pushed, and as it is sent to every device. */
  readonly text: string;
  /** A push of an id that the log has is a duplicate. */
  readonly operationId: string;
  /** The entity that it changes. */
  readonly entityId: string;
  /** The text of the state that the operation alone adds up to. */
  readonly state: string;
  /** The key that the operation is sealed under; absent of one in the clear. */
  readonly keyId?: string;
}

/** Where one operation of a push was stored, and whether it changed its entity. */
export interface StoredReceipt {
  /** The place of the operation in the log. */
  readonly offset: number;
  /** The mark of the offset's commit: of this append, or of the first one of a duplicate. */
  readonly mark: string;
  /** Whether the log had the operation before. */
  readonly duplicate: boolean;
  /** Whether the operation changed the state of its entity. */
  readonly changed: boolean;
}

/** What an append came to: receipts of what was stored, or the reason why nothing was. */
export type AppendResult =
  | { readonly kind: "stored"; readonly generation: string; readonly receipts: StoredReceipt[] }
  /** Nothing was stored: the log was cleared, and no device has signed in since. */
  | { readonly kind: "cleared" }
  /** Nothing was stored. */
  | KeyError
  | AppendError;

/** Why an append stored nothing, with the operations that are to blame. */
export type AppendError =
  /** The ids of the operations were used before with other content. */
  | RefusedOperations<"conflict">
  /** The sequences of the operations are too far above all others. It is looked for before conflicts. */
  | RefusedOperations<"sequence-jump">
  /** The list does not have the keys that the operations are sealed under. It is looked for before all others. */
  | RefusedOperations<"under-unknown-key">;

/** The operations of a push that a rule refuses, so that the app can set them aside. */
export interface RefusedOperations<Kind extends string> {
  /** Why they are refused. */
  readonly kind: Kind;
  /** All indexes, in order: an app sets these operations aside and pushes the others. */
  readonly indexes: readonly number[];
}

/** A page of the log with its place: what a device pulls at a time. */
export interface LogPage extends MarkedHead {
  /** The operations as they were pushed, in the order of their offsets, with a comma between two. */
  readonly text: string;
  /** How many operations the page has. */
  readonly count: number;
  /**
   * Where the next page begins: the end of the last push that a full page has whole, or its last operation
   * when it has none; otherwise the head, across the gaps of compaction, but never less than `after`.
   */
  readonly lastOffset: number;
  /** The mark of the commit that `lastOffset` belongs to; beyond the head, the mark of the head. */
  readonly lastMark: string;
  /** The mark of the commit that `after` belongs to; null beyond the head. */
  readonly afterMark: string | null;
  /** Whether the page ends inside a push, which then has more operations than the page may have. */
  readonly endsInside: boolean;
}

/** The log of operations in a store: appending, reading pages, and the snapshot of the states. */
export interface OperationStore {
  /**
   * Appends the operations that are new, in order, and merges them into the entities' states: all
   * or nothing. Offsets follow the order of commits and are never reused, not even after
   * compaction. `planAppend` decides what to write, and what to refuse: the store keeps the clock of
   * the log for it, which compaction does not change, and reads the account's key in the same transaction, so that
   * no push of a former key follows the new one.
   *
   * Each append that stores something has a new mark of `createMark`, kept with its last offset.
   * The mark begins with the name of the log's history, when the history has one. An offset belongs
   * to the first append whose last offset is not smaller. Offset 0 has a mark too.
   */
  append(
    operations: readonly NewOperation[],
    now: number,
    proof?: KeyProof | null,
  ): Promise<AppendResult>;
  /** The head of the log, with its mark. */
  head(): Promise<MarkedHead>;
  /** Operations after an offset, up to the head that is returned with them, and pushes whole where `limit` allows. */
  page(after: number, limit: number): Promise<LogPage>;
  /**
   * The head and every entity's state text, ordered by entity id in code units, as of one moment. A
   * log without entities yields its head once, with null. A snapshot is read while it is consumed,
   * blocks no writer, and may be abandoned at any point.
   */
  snapshot(): AsyncIterable<{ readonly head: MarkedHead; readonly state: string | null }>;
  /** The same with the operations, as pushed, that own a register of the entity, in the order of the log. */
  sealedSnapshot(): AsyncIterable<{
    readonly head: MarkedHead;
    readonly entity: { readonly state: string; readonly operations: readonly string[] } | null;
  }>;
}

/** The keys of an end-to-end encrypted account. Keys are only added, until everything is deleted. */
export interface AccountKeyStore {
  /** Oldest first; the last is the account's key. Read while it is consumed, and may be abandoned at any point. */
  list(): AsyncIterable<AccountKey>;
  /** Adds a record at the end, all or nothing; `planKey` decides. Of several at once that follow one key, one is added. */
  add(record: AccountKey, proof: KeyProof | null): Promise<AddKeyResult>;
}

/** What adding a key to an end-to-end encrypted account came to. */
export type AddKeyResult =
  /** `keyId` is the account's key now: of a record that is repeated, another one may have replaced it. */
  | { readonly kind: "added" | "repeated"; readonly keyId: string }
  /** Everything was deleted, and no device has signed in since. */
  | { readonly kind: "cleared" }
  | AddKeyError;

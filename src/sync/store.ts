/**
 * The persistence adapter of the sync service: what a store must be able to do, and what it must
 * promise. `trellis/sync/store-contract` proves an adapter.
 *
 * When a method settles, what it says has happened survives a power cut, and everybody who asks from
 * then on finds it; when it throws, nothing has happened. A store that cannot be used now throws a
 * StorageUnavailableError. Times are milliseconds since 1970; what ends at a moment is over at it.
 */
import type { IdentityRecords } from "../identity/identity-records.ts";
import type { LogHead } from "./cursor.ts";

export type { LogHead } from "./cursor.ts";

export interface SyncStore {
  /**
   * Sign-in and sessions: runs `work` whole or not at all, one after the other. `work` may be run
   * again, so it changes nothing but the records.
   */
  transaction<T>(work: (records: SyncRecords) => Promise<T>): Promise<T>;
  /** Whose token this is, when token and session are alive at `now`. Asked by every request. */
  findAccess(tokenHash: string, now: number): Promise<AccessGrant | null>;
  readonly operations: OperationStore;
  /** Throws when the store cannot be used. */
  ping(): Promise<void>;
  /**
   * Removes what has expired: sessions, access tokens, challenges, secrets past `keepUntil`, and
   * failures a day after the last one. It is asked every few minutes; nothing relies on it.
   */
  prune(now: number): Promise<void>;
  close(): Promise<void>;
}

export interface SyncRecords {
  /** Those of sync, which has one account and no more. */
  readonly identity: IdentityRecords;
  readonly sessions: SessionRecords;
}

/** A signed-in device. */
export interface DeviceSession {
  /** Base64URL of 16 random bytes: the identity of this sign-in. */
  readonly family: string;
  readonly deviceId: string;
  /** Of the current refresh token. */
  readonly counter: number;
  readonly createdAt: number;
  readonly rotatedAt: number;
  readonly lastUsedAt: number;
  readonly idleExpiresAt: number;
  readonly absoluteExpiresAt: number;
}

export interface NewAccess {
  /** SHA-256 of the token, in Base64URL: the token itself is nowhere. */
  readonly hash: string;
  readonly expiresAt: number;
}

export interface AccessGrant {
  readonly session: DeviceSession;
  readonly accessExpiresAt: number;
}

export interface SessionRecords {
  /** Opens a device's session; one that the device had before ends. */
  open(session: DeviceSession): Promise<void>;
  find(family: string): Promise<DeviceSession | null>;
  /** Writes the counter and the times of a session. */
  renew(session: DeviceSession): Promise<void>;
  addAccess(family: string, access: NewAccess): Promise<void>;
  /** Ends one sign-in with its access tokens; false when there was none. */
  revokeFamily(family: string): Promise<boolean>;
  revokeDevice(deviceId: string): Promise<boolean>;
  /** Ends all; answers how many there were. */
  revokeAll(): Promise<number>;
  /** Those alive at `now`, newest sign-in first. */
  list(now: number): Promise<DeviceSession[]>;
}

/** A valid operation, as texts: so it can also come from a worker thread. */
export interface NewOperation {
  /** As pushed, and as sent to every device. */
  readonly text: string;
  readonly operationId: string;
  readonly entityId: string;
  /** The text of the state that the operation alone adds up to. */
  readonly state: string;
}

export interface StoredReceipt {
  readonly offset: number;
  readonly duplicate: boolean;
  readonly changed: boolean;
}

export type AppendResult =
  | { readonly kind: "stored"; readonly generation: string; readonly receipts: StoredReceipt[] }
  /** An id was used before with other content, such as that at `index`; nothing was stored. */
  | { readonly kind: "conflict"; readonly index: number };

export interface LogPage extends LogHead {
  /** The operations as they were pushed, in the order of their offsets. */
  readonly texts: readonly string[];
  /**
   * Where the next page begins: the offset of the last operation when the page is full; else the
   * head, also over what compaction has removed, but never less than `after`.
   */
  readonly lastOffset: number;
}

export interface OperationStore {
  /**
   * Appends the operations that are new, in order, and merges them into the entities' states: all
   * or nothing. Offsets follow the order of commits and are never used again, not even those of
   * operations that are gone. `planAppend` decides what is to be written.
   */
  append(operations: readonly NewOperation[], now: number): Promise<AppendResult>;
  head(): Promise<LogHead>;
  /** Operations after an offset, none of them beyond the head that stands beside them. */
  page(after: number, limit: number): Promise<LogPage>;
  /**
   * The head and every entity's state text, ordered by entity id in code units, as of one moment. A
   * log without entities gives its head once, with null. It is read as it is consumed, holds nobody
   * up who writes meanwhile, and may be left at any point.
   */
  snapshot(): AsyncIterable<{ readonly head: LogHead; readonly state: string | null }>;
}

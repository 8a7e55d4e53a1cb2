/**
 * Where a sync client keeps its data: texts by key, in one ordered space, changed in transactions.
 * `trellis/client/storage-contract` tests an implementation.
 */
export interface SyncStorage {
  /**
   * Names the stored data: clients whose storages have the same name, such as the tabs of an app, see
   * the same records. Absent when no other client can open this storage.
   */
  readonly name?: string;
  /**
   * Runs the work alone: no other transaction writes in between, also not one of another tab or
   * process. Resolves when every write is durable; when the work throws, nothing is written and the
   * promise rejects with its error. The work awaits nothing but the transaction's own reads.
   */
  transaction<T>(
    mode: "read" | "write",
    work: (transaction: StorageTransaction) => Promise<T>,
  ): Promise<T>;
  /** Closes the storage: later transactions are refused, and closing it again is no error. */
  close(): Promise<void>;
  /** Calls back whenever the platform has closed the storage by itself: its records may be gone. */
  onClosed?(listener: () => void): void;
}

/** Keys are visible ASCII without spaces, so every storage orders them the same. Reads see earlier writes. */
export interface StorageTransaction {
  /** Returns the value of the key; undefined when there is no such record. */
  get(key: string): Promise<string | undefined>;
  /** The records of a range, ascending by key. */
  list(range: KeyRange): Promise<readonly StoredRecord[]>;
  /** A write that fails makes the transaction fail. */
  put(key: string, value: string): void;
  /** Deletes the record; it is no error when there is none. */
  delete(key: string): void;
}

/** Which records `StorageTransaction.list` reads: keys from `from` on, before `below`, at most `limit`. */
export interface KeyRange {
  /** The first key that can be in the range. */
  readonly from: string;
  /** The first key behind the range. */
  readonly below: string;
  /** The greatest number of records. */
  readonly limit: number;
}

/** A record of a storage: its key and its value. */
export type StoredRecord = readonly [key: string, value: string];

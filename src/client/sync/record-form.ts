/**
 * The form in which a device stores operations: as the app made them or, once it has the account's keys, with
 * opaque ids and names. Queues, merges and recovery are the same for both.
 */
import type { Operation, Revision } from "../../contract/sync/operation.ts";
import { parseOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import type { EntityState } from "../../rules/sync/merge.ts";
import { operationIdOf } from "../../rules/sync/operation.ts";
import { mergeStored, type StoredOperations } from "./entity-record.ts";
import { isSameValue } from "./same-value.ts";
import type { StorageTransaction } from "./storage.ts";

export interface RecordForm {
  /** `locked`: the device waits for its key, and stores operations as the app made them. */
  readonly kind: "clear" | "locked" | "sealed";
  /** The id of the record of an app's entity. */
  recordIdOf(entityId: string): string;
  /** The app's id of a record's entity; undefined while no operation that was opened has told it. */
  entityIdOf(recordId: string): string | undefined;
  /** The state of the operations that can be read, with the app's id and names; null without one. */
  merge(stored: StoredOperations): EntityState | null;
  /** Whether an operation that a page brought can be read. */
  isReadable(operation: ParsedOperation): boolean;
  /** Whether two operations of one id are the same change. */
  isSame(one: ParsedOperation, other: ParsedOperation): boolean;
  listUnreadable(stored: StoredOperations): readonly UnreadableOperation[];
  /** An operation of the app as the device stores it. */
  toStored(operation: ParsedOperation): ParsedOperation;
  /** How what waits gets what a server takes; absent where it is stored so already. */
  readonly sealing?: Sealing;
  /** The same change under another revision, as the device stores it; null when it cannot be read. */
  withRevision(operation: ParsedOperation, revision: Revision): ParsedOperation | null;
}

export interface Sealing {
  /** Whether the operation is sealed under no key that a server takes, or not at all. */
  isDue(operation: ParsedOperation): boolean;
  /** Seals those of the queue that are due; false, without a change, when the device has another key by now. */
  seal(transaction: SealingTransaction, batch: readonly ParsedOperation[]): Promise<boolean>;
}

/** What sealing uses of a transaction. */
export interface SealingTransaction extends Pick<StorageTransaction, "get" | "put"> {
  /** The id of the key that seals, as the device's record has it. */
  keyId(): string | null;
  readStored(recordId: string): Promise<StoredOperations>;
  writeStored(recordId: string, stored: StoredOperations, isShown?: boolean): void;
}

/** Why a device cannot read an operation: it was never sealed, its key is not the account's, or it was changed. */
export type UnreadableReason = "not-sealed" | "unknown-key" | "damaged";

/** An operation of the server that this device cannot read, and so does not show. */
export interface UnreadableOperation {
  /** The id of the operation in the log of the server. */
  readonly operationId: string;
  /** Absent where nothing that can be read tells it. */
  readonly entityId?: string;
  readonly reason: UnreadableReason;
}

const SEALED_PREFIX = "sealed/";

export function isSealedId(entityId: string): boolean {
  return entityId.startsWith(SEALED_PREFIX);
}

export const CLEAR_FORM: RecordForm = {
  kind: "clear",
  recordIdOf: (entityId) => entityId,
  entityIdOf: (recordId) => recordId,
  merge: mergeStored,
  isReadable: () => true,
  // Another spelling is the same change, and what a device has queued has no number that JSON.parse would round.
  isSame: (one, other) => isSameValue(JSON.parse(one.text), JSON.parse(other.text)),
  listUnreadable: () => [],
  toStored: (operation) => operation,
  withRevision: ({ text }, revision) =>
    parseOperation(
      JSON.stringify({
        ...(JSON.parse(text) as Operation),
        operationId: operationIdOf(revision),
        revision,
      }),
    ),
};

/**
 * The form in which a device stores operations: as the app made them or, once it has the account's key,
 * sealed. Queues, merges and recovery are the same for both: sealed operations have other ids, names and values.
 */
import type { Operation, Revision } from "../../contract/sync/operation.ts";
import type { ParsedOperation, ScannedOperation } from "../../rules/sync/operation-text.ts";
import type { OperationResult } from "../../rules/sync/validate-operation.ts";
import { operationIdOf } from "../../rules/sync/operation.ts";
import type { StoredOperations } from "./entity-record.ts";

export interface RecordForm {
  /** `locked`: the device waits for its key, and stores operations as the app made them. */
  readonly kind: "clear" | "locked" | "sealed";
  /** The id of the record of an app's entity. */
  recordIdOf(entityId: string): string;
  /** The app's id of a record's entity; undefined while no operation that was opened has told it. */
  entityIdOf(recordId: string): string | undefined;
  /** The operations as the app made them, without those that cannot be read. */
  open(stored: StoredOperations): StoredOperations;
  /** Whether the operation can be read, and leaves out nothing of the one of its id that is known. */
  isReadable(operation: ParsedOperation, known?: ParsedOperation): boolean;
  listUnreadable(stored: StoredOperations): readonly UnreadableOperation[];
  /** Checks an operation as it is pushed; absent where that is the one that the app made. */
  readonly validateSealed?: (operation: ScannedOperation) => OperationResult;
  /** The operation as it is pushed. */
  seal(operation: ParsedOperation): ParsedOperation;
  /** The text of the same change under another revision; null when it cannot be read. */
  withRevision(
    operation: ParsedOperation,
    revision: Revision,
    stored: StoredOperations,
  ): string | null;
}

/**
 * Why a device cannot read an operation: a value was changed or moved, its key is not of this account, its
 * creation or deletion is not vouched for, or it was never sealed.
 */
export type UnreadableReason = "damaged" | "unknown-key" | "lifecycle" | "not-sealed";

/** An operation of the server that this device cannot read, and so does not show. */
export interface UnreadableOperation {
  /** Absent where nothing that can be read tells it. */
  readonly entityId?: string;
  readonly field?: string;
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
  open: (stored) => stored,
  isReadable: () => true,
  listUnreadable: () => [],
  seal: (operation) => operation,
  withRevision: ({ text }, revision) =>
    JSON.stringify({
      ...(JSON.parse(text) as Operation),
      operationId: operationIdOf(revision),
      revision,
    }),
};

/**
 * The entity of a stored record that needs no merge: one operation wrote all of it, as most entities of an app with many
 * are. What `JSON.parse` made of the operation is the entity, which takes a fifth of the time of a merge.
 */
import type { Operation } from "../../contract/sync/operation.ts";
import { freeze, NO_METADATA, type StoredEntity } from "./entity.ts";
import { REFUSED, type StoredOperations } from "./entity-record.ts";

/** Undefined for every other record. The text is trusted, because `storedOperationsToText` made it. */
export function readPlainEntity(text: string): StoredEntity | undefined {
  const { confirmedIn, operations } = JSON.parse(text) as {
    confirmedIn: readonly number[];
    operations: readonly Operation[];
  };
  return operations.length === 1 ? toEntity(operations[0], confirmedIn[0]) : undefined;
}

/** The same of operations that were read before. */
export function findPlainEntity(stored: StoredOperations): StoredEntity | undefined {
  const [one] = stored;
  return stored.length === 1 ? toEntity(one?.operation.value, one?.confirmedIn) : undefined;
}

function toEntity(
  operation: Operation | undefined,
  confirmedIn = REFUSED,
): StoredEntity | undefined {
  if (operation === undefined || confirmedIn <= REFUSED) return undefined;
  const { kind, document, changedFields, changedMetadataFields } = operation;
  const isShown = kind === "create" || kind === "restore";
  if (!isShown || changedMetadataFields.length > 0) return undefined;
  const { entityId, payload } = document;
  // An operation of another client may have more in its payload than it changes.
  if (payload === undefined || Object.keys(payload).length !== changedFields.length)
    return undefined;
  return freeze({ entityId, payload, metadata: NO_METADATA });
}

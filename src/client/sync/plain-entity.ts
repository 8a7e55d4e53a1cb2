/**
 * Reads the entity of a stored record that needs no merge: one operation wrote all of it, as most entities of an app
 * with many are. It parses the text once and copies no field, which takes a fifth of the time of a merge.
 */
import type { Operation } from "../../contract/sync/operation.ts";
import { freeze, NO_METADATA, type StoredEntity } from "./entity.ts";
import { REFUSED } from "./entity-record.ts";

/** Undefined for every other record. The text is trusted, because `storedOperationsToText` made it. */
export function readPlainEntity(text: string): StoredEntity | undefined {
  const { confirmedIn, operations } = JSON.parse(text) as {
    confirmedIn: readonly number[];
    operations: readonly Operation[];
  };
  const [operation] = operations;
  if (operation === undefined || operations.length > 1) return undefined;
  const { kind, document, changedFields, changedMetadataFields } = operation;
  const isShown = kind === "create" || kind === "restore";
  const isAside = (confirmedIn[0] ?? REFUSED) <= REFUSED;
  if (!isShown || isAside || changedMetadataFields.length > 0) return undefined;
  const { entityId, payload } = document;
  // An operation of another client may have more in its payload than it changes.
  if (payload === undefined || Object.keys(payload).length !== changedFields.length)
    return undefined;
  return freeze({ entityId, payload, metadata: NO_METADATA });
}

/** What was deleted, and how it is brought back. */
import {
  MAX_FIELDS,
  MAX_OPERATION_BYTES,
  type ClearProfile,
} from "../../contract/sync/operation-limits.ts";
import { utf8Length } from "../../rules/sync/operation-bounds.ts";
import type { VisibleEntity } from "../../rules/sync/visible-entity.ts";
import type { FieldTexts, OperationEdit } from "./encode-edit.ts";
import { parseStoredOperations, toRestorable } from "./entity-record.ts";
import { compareEntities, isOfType } from "./entity-view.ts";
import { parseEntity, type StoredEntity } from "./entity.ts";
import type { LocalStore } from "./local-store.ts";
import { ENTITY_PREFIX, readPages } from "./records.ts";

/** Deleted entities of one type, or all, with every field that a restore brings back. */
export async function listDeleted(
  { read, form }: Pick<LocalStore, "read" | "form">,
  type = "",
): Promise<readonly StoredEntity[]> {
  const deleted: StoredEntity[] = [];
  const isClear = form().kind === "clear";
  const prefix = type === "" || !isClear ? ENTITY_PREFIX : `${ENTITY_PREFIX}${type}/`;
  for await (const page of readPages(read, prefix)) {
    for (const [, text] of page) {
      const entity = toRestorable(form(), parseStoredOperations(text));
      if (entity?.deleted === true && isOfType(entity.entityId, type)) {
        deleted.push(parseEntity(entity));
      }
    }
  }
  return isClear ? deleted : deleted.sort(compareEntities);
}

/** Of an operation, what is not fields: names of members, and ids. */
const ENVELOPE_BYTES = 1024;

/**
 * Fields from before a delete are visible again only if they are written again. An entity may have more
 * of them than one operation holds: the restore writes the first, patches the others.
 */
export function planRestore(
  { entityId, payload, metadata: heldMetadata }: VisibleEntity,
  given: FieldTexts,
  profile: ClearProfile,
): readonly OperationEdit[] {
  const metadata = new Map([...heldMetadata, ...given]);
  // The rules of `habits` judge a whole payload.
  const parts =
    profile === "habits" ? [{ payload, metadata }] : splitFields(entityId, { payload, metadata });
  return parts.map((part, index) => ({
    kind: index === 0 ? "restore" : "patch",
    entityId,
    ...part,
  }));
}

/** The fields as parts that each fit one operation. */
export function splitFields(entityId: string, fields: Record<Part, FieldTexts>) {
  const maxBytes = MAX_OPERATION_BYTES - ENVELOPE_BYTES - entityId.length;
  let part = { payload: new Map<string, string>(), metadata: new Map<string, string>() };
  const parts = [part];
  let bytes = 0;
  for (const name of ["payload", "metadata"] as const) {
    for (const [field, json] of fields[name]) {
      // The name stands in the document and among the changed fields.
      const added = 2 * utf8Length(JSON.stringify(field)) + utf8Length(json) + 3;
      if (bytes > 0 && (bytes + added > maxBytes || part[name].size === MAX_FIELDS)) {
        part = { payload: new Map(), metadata: new Map() };
        parts.push(part);
        bytes = 0;
      }
      part[name].set(field, json);
      bytes += added;
    }
  }
  return parts;
}

type Part = "payload" | "metadata";

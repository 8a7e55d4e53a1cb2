/** The operations that an edit of the app is, by what the device has of its entity. */
import type { ClearProfile } from "../../contract/sync/operation-limits.ts";
import { NO_FIELDS } from "../../rules/sync/evolved-fields.ts";
import { isCount, partField } from "../../rules/sync/field-kinds.ts";
import { encodeFieldTexts, type EncodedEdit, type FieldTexts } from "./encode-edit.ts";
import { dateRegisters, type EntityRegisters } from "./entity.ts";
import { isRefused, toRestorable, toVisible, type StoredOperations } from "./entity-record.ts";
import { refuseEdit, type RefusedEdit } from "./errors.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import { operationToText } from "./operation-to-text.ts";
import { planRestore } from "./restore.ts";

/**
 * Returns the texts of the operations: one, except for a restore of more fields than one can have, and none
 * for a patch that has nothing to write.
 */
export async function editToOperations(
  transaction: LocalTransaction,
  edit: EncodedEdit,
  profile: ClearProfile,
): Promise<readonly string[] | RefusedEdit> {
  const { entityId } = edit;
  const { form } = transaction;
  const stored = await transaction.readStored(form.recordIdOf(entityId));
  if (edit.payload === null) return bringBack(transaction, edit, stored, profile);
  const needsNone = edit.kind === "create" || edit.kind === "restore";
  const visible = needsNone ? null : toVisible(form, stored);
  const upserted = visible === null ? "create" : "patch";
  const kind = edit.kind === "upsert" || edit.kind === "add" ? upserted : edit.kind;
  if (edit.kind === "add" && visible !== null) {
    return refuseEdit("entity_exists", `"${entityId}" exists: use upsert or patch`);
  }
  if ((kind === "patch" || kind === "delete") && visible === null) {
    return refuseEdit(
      "entity_not_found",
      `there is no entity "${entityId}" on this device: create it, or restore it if it was removed`,
    );
  }
  const completed = completeEdit(edit, visible);
  if ("kind" in completed) return completed;
  const payload = new Map([...edit.payload, ...completed.texts]);
  if (edit.complete !== undefined && payload.size === 0) return [];
  if (kind === "create") for (const [name, text] of edit.initial ?? []) payload.set(name, text);
  for (const [field, by] of edit.increments ?? []) {
    const own = partField(field, transaction.deviceId);
    const count = addCount(visible?.payload.get(own), by);
    if (count === null) return refuseEdit("count", "the counter would be 2^53 or more", field);
    payload.set(own, String(count));
  }
  // The rules of `habits` judge a whole payload, in which a refused field would be refused again; elsewhere a
  // patch carries what it changes.
  const isWhole = kind === "patch" && profile === "habits";
  const accepted = isWhole
    ? toVisible(
        form,
        stored.filter((one) => !isRefused(one)),
      )
    : null;
  const rest = isWhole ? (accepted ?? visible)?.payload : undefined;
  const whole = rest && { payload: new Map([...rest, ...payload]) };
  return [operationToText({ ...edit, kind, payload }, transaction.nextRevision(), whole)];
}

function bringBack(
  transaction: LocalTransaction,
  edit: EncodedEdit,
  stored: StoredOperations,
  profile: ClearProfile,
): readonly string[] | RefusedEdit {
  const { entityId, metadata } = edit;
  const held = toRestorable(transaction.form, stored);
  if (held === null) {
    return refuseEdit("entity_not_found", `nothing of "${entityId}" is on this device: create it`);
  }
  if (!held.deleted)
    return refuseEdit("not_deleted", `"${entityId}" is not deleted: restore what deleted() lists`);
  const completed = completeEdit(edit, held);
  if ("kind" in completed) return completed;
  // They come last: of several operations, the later ones have the greater revisions.
  const rest = [...held.payload].filter(([name]) => !completed.names.has(name));
  const payload = new Map([...rest, ...completed.texts]);
  const { deviceId, sequence } = transaction.nextRevision();
  return planRestore({ ...held, payload }, metadata, profile).map((part, index) =>
    operationToText(part, { deviceId, sequence: sequence + index }),
  );
}

interface CompletedFields {
  readonly texts: FieldTexts;
  /** Includes those that a restore leaves out. */
  readonly names: ReadonlySet<string>;
}

function completeEdit(
  { complete }: EncodedEdit,
  held: EntityRegisters | null,
): CompletedFields | RefusedEdit {
  if (complete === undefined) return { texts: new Map(), names: new Set() };
  const fields = Object.entries(complete(held === null ? NO_FIELDS : dateRegisters(held)));
  const present = fields.filter(([, value]) => value !== undefined);
  const texts = encodeFieldTexts("payload", Object.fromEntries(present));
  return "kind" in texts ? texts : { texts, names: new Set(fields.map(([name]) => name)) };
}

/** Null when the sum is too great to be exact. */
function addCount(text: string | undefined, by: number): number | null {
  const before: unknown = text === undefined ? 0 : JSON.parse(text);
  const count = (isCount(before) ? before : 0) + by;
  return isCount(count) ? count : null;
}

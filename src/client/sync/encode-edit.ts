/** An edit of the app, with its values as JSON texts. */
import { DOCUMENT_MEMBERS, type OperationKind } from "../../contract/sync/operation-limits.ts";
import type { DatedFields } from "../../rules/sync/evolved-fields.ts";
import type { Fields } from "./entity.ts";
import { refuseEdit, type RefusedEdit } from "./errors.ts";
import { isPlainObject, toJsonText } from "./json-text.ts";
import { formatPath } from "./value-path.ts";

interface EditOf<Values> {
  /**
   * An upsert is a create or a patch: the storage tells which. An add is a create of what does not exist: a
   * second one would set the device's part of a counter back, and the entity last in its order.
   */
  readonly kind: OperationKind | "upsert" | "add";
  readonly entityId: string;
  /** Null for a restore with every field that the device holds. */
  readonly payload: Values | null;
  readonly metadata: Values;
  /** Further fields of the payload when an upsert makes the entity. */
  readonly initial?: Values;
  /** What to add to counters, by field. */
  readonly increments?: ReadonlyMap<string, number>;
  /**
   * Says what the operation writes besides, by what the storage has then: another tab may have edited the
   * entity. Of a restore, undefined leaves a field out. A patch of nothing else that gives nothing is none.
   */
  readonly complete?: CompleteEdit;
}

export type CompleteEdit = (held: DatedFields) => Fields;

export type Edit = EditOf<Fields>;
export type EncodedEdit = EditOf<FieldTexts>;
/** An edit as it is written in one operation. */
export type OperationEdit = Pick<EncodedEdit, "entityId" | "metadata"> & {
  readonly kind: OperationKind;
  readonly payload: FieldTexts;
};

/** JSON texts by field name. */
export type FieldTexts = ReadonlyMap<string, string>;

export function encodeEdit({
  kind,
  entityId,
  payload,
  metadata,
  initial = {},
  increments = new Map(),
  complete,
}: Edit): EncodedEdit | RefusedEdit {
  // Apps in JavaScript may pass anything: edits share a transaction, and a bad one must not harm the others.
  if (typeof entityId !== "string") return refuseEdit("entity_id", "entityId must be text");
  const isKept = kind === "restore" && payload === null;
  const payloadTexts = isKept ? null : encodeFieldTexts("payload", payload);
  if (payloadTexts !== null && "kind" in payloadTexts) return payloadTexts;
  const initialTexts = encodeFieldTexts("payload", initial);
  if ("kind" in initialTexts) return initialTexts;
  const metadataTexts = encodeFieldTexts("metadata", metadata);
  if ("kind" in metadataTexts) return metadataTexts;
  const reserved = DOCUMENT_MEMBERS.find((name) => metadataTexts.has(name));
  if (reserved !== undefined) {
    return refuseEdit("metadata_name", `metadata cannot have the name "${reserved}"`);
  }
  const texts = { payload: payloadTexts, metadata: metadataTexts, initial: initialTexts };
  return { kind, entityId, increments, ...texts, ...(complete && { complete }) };
}

export function encodeFieldTexts(
  part: "payload" | "metadata",
  fields: Fields | null,
): FieldTexts | RefusedEdit {
  if (!isPlainObject(fields)) return refuseEdit("not_json", `${part} must be a plain object`);
  const texts = new Map<string, string>();
  for (const [field, value] of Object.entries(fields)) {
    const json = toJsonText(value, [part, field]);
    if (json.kind === "not-json") {
      return refuseEdit(
        "not_json",
        `${formatPath(json.path)} is ${json.found}: JSON has text, finite numbers, true, false, null, lists and plain objects`,
        formatPath(json.path.slice(1)),
      );
    }
    texts.set(field, json.text);
  }
  return texts;
}

/** An edit of the app, with its values as JSON texts. */
import { isObject } from "../../contract/is-object.ts";
import { DOCUMENT_MEMBERS, type OperationKind } from "../../contract/sync/operation-limits.ts";
import type { FieldContext, SyncCodec } from "./codec.ts";
import type { Fields } from "./entity.ts";
import { refuseEdit, type RefusedEdit } from "./errors.ts";

interface EditOf<Values> {
  /** An upsert is a create or a patch: the storage tells which. */
  readonly kind: OperationKind | "upsert";
  readonly entityId: string;
  /** Null restores the fields that the entity had. */
  readonly payload: Values | null;
  readonly metadata: Values;
  /** Further fields of the payload when an upsert makes the entity. */
  readonly initial?: Values;
  /** What to add to counters, by field. */
  readonly increments?: ReadonlyMap<string, number>;
}

export type Edit = EditOf<Fields>;
export type EncodedEdit = EditOf<FieldTexts>;

/** JSON texts by field name. */
export type FieldTexts = ReadonlyMap<string, string>;

/** The codec is called before the transaction, which can wait for nothing but the storage. */
export async function encodeEdit(
  { kind, entityId, payload, metadata, initial = {}, increments = new Map() }: Edit,
  codec: SyncCodec | null,
): Promise<EncodedEdit | RefusedEdit> {
  // Apps in JavaScript may pass anything: edits share a transaction, and a bad one must not harm the others.
  if (typeof entityId !== "string") return refuseEdit("entity_id", "the entity id must be a text");
  if (codec !== null && increments.size > 0) {
    return refuseEdit("codec_failed", "a counter needs a client without a codec");
  }
  const [payloadTexts, initialTexts, metadataTexts] = await Promise.all([
    payload === null && kind === "restore"
      ? null
      : encodeFields(payload, codec, { entityId, part: "payload" }),
    encodeFields(initial, codec, { entityId, part: "payload" }),
    encodeFields(metadata, codec, { entityId, part: "metadata" }),
  ]);
  if (payloadTexts !== null && "kind" in payloadTexts) return payloadTexts;
  if ("kind" in initialTexts) return initialTexts;
  if ("kind" in metadataTexts) return metadataTexts;
  const reserved = DOCUMENT_MEMBERS.find((name) => metadataTexts.has(name));
  if (reserved !== undefined) {
    return refuseEdit("metadata_name", `metadata cannot have the name "${reserved}"`);
  }
  const texts = { payload: payloadTexts, metadata: metadataTexts, initial: initialTexts };
  return { kind, entityId, increments, ...texts };
}

async function encodeFields(
  fields: Fields | null,
  codec: SyncCodec | null,
  context: Omit<FieldContext, "field">,
): Promise<FieldTexts | RefusedEdit> {
  if (!isObject(fields)) return refuseEdit("not_json", `${context.part} is not an object`);
  const texts = new Map<string, string>();
  for (const [field, value] of Object.entries(fields)) {
    let encoded = value;
    try {
      if (codec !== null) encoded = await codec.encode(value, { ...context, field });
    } catch {
      return refuseEdit("codec_failed", `${context.part}.${field} cannot be encoded`);
    }
    const text = toJsonText(encoded);
    if (text === null)
      return refuseEdit("not_json", `${context.part}.${field} is not a JSON value`);
    texts.set(field, text);
  }
  return texts;
}

/** Null for what JSON cannot represent, such as undefined, NaN, a function or a circle. */
function toJsonText(value: unknown): string | null {
  try {
    return JSON.stringify(value, refuseNonFinite) ?? null;
  } catch {
    return null;
  }
}

/** JSON.stringify would write null for a number that is not finite. */
function refuseNonFinite(_name: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value))
    throw new TypeError("Not a JSON number");
  return value;
}

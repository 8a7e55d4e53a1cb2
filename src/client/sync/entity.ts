/** The entity that an app reads, and how its fields become one. */
import { fieldsToText, type VisibleEntity } from "../../rules/sync/visible-entity.ts";
import type { FieldContext, SyncCodec } from "./codec.ts";
import { isPlainObject } from "./json-text.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** An entity is frozen, values included. */
export interface StoredEntity {
  readonly entityId: string;
  readonly payload: Fields;
  readonly metadata: Fields;
  /** The server refused edits of this entity: they are shown here, and no other device has them. */
  readonly refused?: true;
}

export async function readEntity(
  { entityId, payload, metadata }: VisibleEntity,
  flags: Pick<StoredEntity, "refused">,
  codec: SyncCodec,
): Promise<StoredEntity> {
  return freeze({
    ...flags,
    entityId,
    payload: await decodeFields(payload, codec, { entityId, part: "payload" }),
    metadata: await decodeFields(metadata, codec, { entityId, part: "metadata" }),
  });
}

/** Parses without a promise, because there may be many entities. */
export function parseEntity(
  { entityId, payload, metadata }: VisibleEntity,
  flags: Pick<StoredEntity, "refused">,
): StoredEntity {
  return freeze({
    ...flags,
    entityId,
    payload: parseFields(payload),
    metadata: parseFields(metadata),
  });
}

function parseFields(fields: ReadonlyMap<string, string>): Fields {
  return JSON.parse(fieldsToText(fields)) as Fields;
}

async function decodeFields(
  fields: ReadonlyMap<string, string>,
  codec: SyncCodec,
  context: Omit<FieldContext, "field">,
): Promise<Fields> {
  const decoded: [string, unknown][] = [];
  for (const [field, json] of fields) {
    try {
      decoded.push([field, await codec.decode(JSON.parse(json), { ...context, field })]);
    } catch {
      // A value that cannot be decoded, such as one of another key, leaves the other fields readable.
    }
  }
  return Object.fromEntries(decoded);
}

/** An app that changed a value in place would show something that no device stores. */
export function freeze<T>(value: T): T {
  // Bytes, which a codec may make, cannot be frozen, and other objects of a class may change themselves.
  if (!Object.isFrozen(value) && (Array.isArray(value) || isPlainObject(value))) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

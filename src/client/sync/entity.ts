/** The entity that an app reads, and how its fields become one. */
import { fieldsToText, type VisibleEntity } from "../../rules/sync/visible-entity.ts";
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

export function parseEntity(
  { entityId, payload, metadata }: VisibleEntity,
  flags: Pick<StoredEntity, "refused"> = {},
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

/** An app that changed a value in place would show something that no device stores. */
export function freeze<T>(value: T): T {
  // Objects of a class, which a schema may make, may change themselves; bytes cannot be frozen.
  if (!Object.isFrozen(value) && (Array.isArray(value) || isPlainObject(value))) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

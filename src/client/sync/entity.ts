/** The entity that an app reads, and how its fields become one. */
import type { Revision } from "../../contract/sync/operation.ts";
import type { DatedFields } from "../../rules/sync/evolved-fields.ts";
import type { Registers } from "../../rules/sync/merge.ts";
import { fieldsToText, type VisibleEntity } from "../../rules/sync/visible-entity.ts";
import { isPlainObject } from "./json-text.ts";
import { isSameValue } from "./same-value.ts";

/** The fields of an entity whose type the app did not declare. */
export type Fields = Readonly<Record<string, unknown>>;

/** An entity is frozen, values included. */
export interface StoredEntity {
  /** The type and the id in the collection, with a slash between them. */
  readonly entityId: string;
  readonly payload: Fields;
  readonly metadata: Fields;
  /** The server refused edits of this entity: they are shown here, and no other device has them. */
  readonly refused?: true;
}

/** A visible entity with the registers of its payload. */
export interface EntityRegisters extends VisibleEntity {
  readonly registers: Registers;
}

type Revisions = DatedFields["revisions"];

export const NO_METADATA: Fields = Object.freeze({});

/** Beside the entities, because an app sees their members. Most were written by one operation and have none. */
const revisionsOf = new WeakMap<StoredEntity, NonNullable<Revisions>>();

export function parseEntity(
  { entityId, payload, metadata, registers }: EntityRegisters,
  flags: Pick<StoredEntity, "refused"> = {},
): StoredEntity {
  const entity = freeze({
    ...flags,
    entityId,
    payload: parseFields(payload),
    metadata: parseFields(metadata),
  });
  const revisions = toRevisions(registers);
  if (revisions !== null) revisionsOf.set(entity, revisions);
  return entity;
}

/** The payload of an entity, and when each field was written. */
export function datePayload(entity: StoredEntity): DatedFields {
  return { fields: entity.payload, revisions: revisionsOf.get(entity) ?? null };
}

/** The same of registers. */
export function dateRegisters({ payload, registers }: EntityRegisters): DatedFields {
  return { fields: parseFields(payload), revisions: toRevisions(registers) };
}

/** An entity as it is stored to be read again at once: most have no metadata and no revisions. */
export type PackedEntity = readonly [entityId: string, payload: Fields, rest?: PackedRest];

interface PackedRest extends Pick<StoredEntity, "metadata" | "refused"> {
  readonly revisions?: readonly (readonly [name: string, revision: Revision])[];
}

export function packEntity(entity: StoredEntity): PackedEntity {
  const { entityId, payload, metadata, refused } = entity;
  const revisions = revisionsOf.get(entity);
  const isPlain = revisions === undefined && refused === undefined;
  if (isPlain && Object.keys(metadata).length === 0) return [entityId, payload];
  const rest = {
    metadata,
    ...(refused === true && { refused }),
    ...(revisions !== undefined && { revisions: [...revisions] }),
  };
  return [entityId, payload, rest];
}

export function unpackEntity([entityId, payload, rest]: PackedEntity): StoredEntity {
  if (rest === undefined) return freeze({ entityId, payload, metadata: NO_METADATA });
  const { metadata, refused, revisions } = rest;
  const flags = refused === true ? { refused } : {};
  const entity = freeze({ ...flags, entityId, payload, metadata });
  if (revisions !== undefined) revisionsOf.set(entity, new Map(revisions));
  return entity;
}

/** Whether two entities are equal, and their fields were written in the same operations. */
export function isSameEntity(
  one: StoredEntity | undefined,
  other: StoredEntity | undefined,
): boolean {
  if (one === undefined || other === undefined) return one === other;
  const [a, b] = [revisionsOf.get(one), revisionsOf.get(other)];
  const isSameAge =
    a === undefined || b === undefined
      ? a === b
      : [...a].every(([name, revision]) => isSameValue(revision, b.get(name)));
  return isSameAge && isSameValue(one, other);
}

/** Registers of one operation share its revision. */
function toRevisions(registers: Registers): Revisions {
  const dated = [...registers].map(([name, { revision }]) => [name, revision] as const);
  return dated.every(([, revision]) => revision === dated[0]?.[1]) ? null : new Map(dated);
}

function parseFields(fields: ReadonlyMap<string, string>): Fields {
  return JSON.parse(fieldsToText(fields)) as Fields;
}

/** An app that changed a value in place would show something that no device stores. */
export function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  // Objects of a class, which a schema may make, may change themselves; bytes cannot be frozen.
  if (!Object.isFrozen(value) && (Array.isArray(value) || isPlainObject(value))) {
    Object.freeze(value);
    for (const member of Object.values(value)) freeze(member);
  }
  return value;
}

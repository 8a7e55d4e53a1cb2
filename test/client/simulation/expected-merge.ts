/** The rules of the merge, written once more, so that an error in `rules/sync` is not its own witness. */
import type { Operation, Revision } from "../../../src/contract/sync/operation.ts";

/** Visible entities by id; the fields of payload and metadata. */
export type EntityFields = ReadonlyMap<string, ShownEntity>;

export interface ShownEntity {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

interface ExpectedEntity {
  lifecycle: Revision | null;
  deletion: Revision | null;
  deleted: boolean;
  /** By `payload name` or `metadata name`. */
  readonly fields: Map<string, { readonly value: unknown; readonly revision: Revision }>;
}

export type Expected = ReadonlyMap<string, ExpectedEntity>;

export function mergeAll(operations: readonly Operation[]): Expected {
  const entities = new Map<string, ExpectedEntity>();
  for (const operation of operations) {
    const { entityId } = operation.document;
    const entity = entities.get(entityId) ?? createExpected();
    entities.set(entityId, entity);
    const { revision, kind } = operation;
    if (kind !== "patch" && isGreater(revision, entity.lifecycle)) {
      entity.lifecycle = revision;
      entity.deleted = kind === "delete";
    }
    if (kind === "delete" && isGreater(revision, entity.deletion)) entity.deletion = revision;
    for (const [name, value] of namedChanges(operation)) {
      if (isGreater(revision, entity.fields.get(name)?.revision ?? null)) {
        entity.fields.set(name, { value, revision });
      }
    }
  }
  return entities;
}

function createExpected(): ExpectedEntity {
  return { lifecycle: null, deletion: null, deleted: false, fields: new Map() };
}

export function namedChanges(operation: Operation): [string, unknown][] {
  return nameFields(changesOf(operation));
}

export function nameFields({ payload, metadata }: ShownEntity): [string, unknown][] {
  return [
    ...Object.entries(payload).map(([name, value]): [string, unknown] => [
      `payload ${name}`,
      value,
    ]),
    ...Object.entries(metadata).map(([name, value]): [string, unknown] => [
      `metadata ${name}`,
      value,
    ]),
  ];
}

export function isGreater(a: Revision, b: Revision | null): boolean {
  if (b === null) return true;
  return a.sequence === b.sequence ? a.deviceId > b.deviceId : a.sequence > b.sequence;
}

export function isOverwritten(expected: Expected, operation: Operation): boolean {
  const entity = expected.get(operation.document.entityId);
  if (entity === undefined) return false;
  const { revision, kind } = operation;
  const isOwnedByLater = (owner: Revision | null) => owner !== null && isGreater(owner, revision);
  return (
    (kind === "patch" || isOwnedByLater(entity.lifecycle)) &&
    (kind !== "delete" || isOwnedByLater(entity.deletion)) &&
    namedChanges(operation).every(([name]) =>
      isOwnedByLater(entity.fields.get(name)?.revision ?? null),
    )
  );
}

export function showAll(expected: Expected): EntityFields {
  const shown = new Map<string, ShownEntity>();
  for (const [entityId, { lifecycle, deletion, deleted, fields }] of expected) {
    if (lifecycle === null || deleted) continue;
    const visible = [...fields].filter(
      ([, { revision }]) => deletion === null || !isGreater(deletion, revision),
    );
    shown.set(entityId, toShown(visible));
  }
  return shown;
}

/** Deleted entities with every field that they ever had. */
export function showDeleted(expected: Expected): EntityFields {
  const deleted = [...expected].filter(([, entity]) => entity.deleted);
  return new Map(deleted.map(([entityId, { fields }]) => [entityId, toShown([...fields])]));
}

function toShown(fields: readonly (readonly [string, { readonly value: unknown }])[]): ShownEntity {
  const part = (prefix: string) =>
    Object.fromEntries(
      fields
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, { value }]) => [name.slice(prefix.length), value]),
    );
  return { payload: part("payload "), metadata: part("metadata ") };
}

export function changesOf({
  document,
  changedFields,
  changedMetadataFields,
}: Operation): ShownEntity {
  const pick = (fields: Readonly<Record<string, unknown>>, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, fields[name]]));
  return {
    payload: pick(document.payload ?? {}, changedFields),
    metadata: pick(document, changedMetadataFields),
  };
}

/** What an index sorts by: texts by code unit, numbers, dates, false before true. */
export type IndexKey = boolean | number | string | undefined;

/** An entity as an index reads it. */
export interface IndexedEntity {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Undefined for what has no order, such as a list. */
export function toIndexKey(value: unknown): IndexKey {
  switch (typeof value) {
    case "boolean":
    case "string":
      return value;
    case "number":
      return Number.isNaN(value) ? undefined : value;
    case "object":
      return value instanceof Date ? toIndexKey(value.getTime()) : undefined;
    default:
      return undefined;
  }
}

/** Keys of different types sort by type, so that a field of mixed ones has an order at all; undefined comes first. */
export function compareKeys(one: IndexKey, other: IndexKey): number {
  if (one === other) return 0;
  if (typeof one !== typeof other) return compareTypes(one, other);
  return (one as string) < (other as string) ? -1 : 1;
}

export function compareTypes(one: IndexKey, other: IndexKey): number {
  return TYPES.indexOf(typeof one) - TYPES.indexOf(typeof other);
}

const TYPES = ["undefined", "boolean", "number", "string"];

export function compareIds(one: { readonly id: string }, other: { readonly id: string }): number {
  return compareKeys(one.id, other.id);
}

/** By the fields and then by id. */
export function compareByFields(fields: readonly string[]) {
  return (one: IndexedEntity, other: IndexedEntity): number => {
    for (const field of fields) {
      const order = compareKeys(toIndexKey(one[field]), toIndexKey(other[field]));
      if (order !== 0) return order;
    }
    return compareIds(one, other);
  };
}

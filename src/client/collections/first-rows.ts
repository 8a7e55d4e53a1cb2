/** The first rows of a query, by a stored index: before all entities were read. */
import type { StoredEntity } from "../sync/entity.ts";
import { isOfType } from "../sync/entity-view.ts";
import type { IndexRow, StoredIndex } from "../sync/stored-indexes.ts";
import type { ShownEntity } from "./collection-view.ts";
import { toIndexKey, type IndexedEntity } from "./index-keys.ts";
import { isAbove, isBelow, meets, type ReadQuery } from "./read-query.ts";

/** How many rows of a query without a limit are shown before all are. */
const FIRST_ROWS = 100;

export interface FirstRowsOptions {
  readonly type: string;
  readonly query: ReadQuery;
  /** The fields of the index. */
  readonly fields: readonly string[];
  readonly show: (entities: readonly StoredEntity[]) => readonly ShownEntity[];
  readonly compare: (one: ShownEntity, other: ShownEntity) => number;
}

/**
 * The fields of the index whose rows are in the order of the query, those with one value first; an empty list is the
 * collection's own order. Null for a query that no index serves alone.
 */
export function findOrder(
  { conditions, orderBy, after }: ReadQuery,
  indexes: readonly (readonly string[])[],
): readonly string[] | null {
  if (after !== null) return null;
  if (orderBy === null) return conditions.length === 0 ? [] : null;
  const isEqual = (field: string) =>
    conditions.some((one) => one.isEquality && one.field === field);
  const found = indexes.find((fields) => {
    const equal = fields.length - orderBy.length;
    return (
      fields.every((field, at) => (at < equal ? isEqual(field) : field === orderBy[at - equal])) &&
      conditions.every(({ field }) => fields.includes(field))
    );
  });
  return found ?? null;
}

/** Null when an entity is shown with another value than it was indexed with, such as by an update of the app. */
export async function readFirstRows(
  index: StoredIndex,
  options: FirstRowsOptions,
): Promise<readonly ShownEntity[] | null> {
  const { type, query, fields, show, compare } = options;
  const { conditions, desc } = query;
  const limit = Math.min(query.limit, FIRST_ROWS);
  const meetsAll = (row: IndexedEntity) =>
    conditions.every((condition) => meets(condition, toIndexKey(row[condition.field])));
  const toEntityId = ({ id }: IndexRow) => `${type}/${id}`;
  const unindexed = index.unindexed.filter((entityId) => isOfType(entityId, type));
  const written = new Set(unindexed);
  const found: ShownEntity[] = [];
  for (const page of pagesOf(index.starts, query, fields[0])) {
    if (found.length >= limit) break;
    const rows = (await index.readPage(page)).filter(
      (row) => !written.has(toEntityId(row)) && meetsAll(row),
    );
    if (desc) rows.reverse();
    while (rows.length > 0 && found.length < limit) {
      const next = rows.splice(0, limit - found.length);
      const shown = show(await index.readEntities(next.map(toEntityId)));
      const byId = new Map(shown.map((entity) => [entity.id, entity]));
      const entities = next.flatMap(({ id }) => byId.get(id) ?? []);
      const isSame = (row: IndexRow, entity = byId.get(row.id)) =>
        entity === undefined ||
        fields.every((field) => toIndexKey(entity[field]) === toIndexKey(row[field]));
      if (!next.every((row) => isSame(row))) return null;
      found.push(...entities);
    }
  }
  const others = show(await index.readEntities(unindexed)).filter(meetsAll);
  const sorted = [...found, ...others].sort(desc ? (one, other) => compare(other, one) : compare);
  return sorted.slice(0, limit);
}

/** The pages that may have rows of the query, in its order. */
function* pagesOf(
  starts: readonly IndexRow[],
  { conditions, desc }: ReadQuery,
  first: string | undefined,
): Generator<number> {
  const bounds = conditions.find(({ field }) => field === first);
  for (let step = 0; step < starts.length; step++) {
    const page = desc ? starts.length - 1 - step : step;
    if (bounds === undefined || first === undefined) yield page;
    else {
      const next = starts[page + 1];
      const isAfter = isAbove(bounds, toIndexKey(starts[page]?.[first]));
      const isBefore = next !== undefined && isBelow(bounds, toIndexKey(next[first]));
      if (!isAfter && !isBefore) yield page;
    }
  }
}

/** Finds the rows of queries among the entities of a collection, with the indexes that they need. */
import { findFirst } from "../find-first.ts";
import { compareByFields, toIndexKey, type IndexedEntity } from "./index-keys.ts";
import { planQuery, type EntityIndex, type QueryPlan } from "./plan-query.ts";
import { meets, type ReadQuery } from "./read-query.ts";
import { createSortedList, type SortedList } from "./sorted-list.ts";

export interface RowFinderOptions<T> {
  readonly indexes: readonly (readonly string[])[];
  /** All entities in the collection's own order. */
  readonly own: SortedList<T>;
  readonly compareOwn: (one: T, other: T) => number;
  /** Whether that is the order of the ids. */
  readonly isOrderedById: boolean;
}

export function createRowFinder<T extends IndexedEntity>(options: RowFinderOptions<T>) {
  const { own, compareOwn, isOrderedById } = options;
  const ownIndex: EntityIndex<T> = { fields: [], items: own.current };
  const indexes = options.indexes.map((fields) => createIndex(fields, own));

  const plan = (query: Pick<ReadQuery, "conditions" | "orderBy">) =>
    planQuery(query, ownIndex, indexes, isOrderedById);

  const compareIn = ({ orderBy }: Pick<ReadQuery, "orderBy">) =>
    orderBy === null ? compareOwn : compareByFields(orderBy);

  return {
    compareIn,
    change(removed: readonly T[], added: readonly T[]): void {
      for (const index of indexes) index.change(removed, added);
    },
    rows(query: ReadQuery): readonly T[] {
      const planned = plan(query);
      return planned.isSorted
        ? walk(planned, query, compareIn(query))
        : cut(matching(planned).sort(compareIn(query)), query, compareIn(query));
    },
    count(query: ReadQuery): number {
      const planned = plan(query);
      const { start, end, others } = planned;
      return others.length === 0 ? end - start : matching(planned).length;
    },
    matching: (query: ReadQuery): readonly T[] => matching(plan(query)),
  };
}

/** An index is sorted when it is first asked. */
function createIndex<T extends IndexedEntity>(fields: readonly string[], own: SortedList<T>) {
  const [first = ""] = fields;
  const isIndexed = (entity: T) => toIndexKey(entity[first]) !== undefined;
  let sorted: SortedList<T> | null = null;
  return {
    fields,
    items(): readonly T[] {
      if (sorted === null) {
        sorted = createSortedList<T>(compareByFields(fields));
        sorted.change([], own.current().filter(isIndexed));
      }
      return sorted.current();
    },
    change: (removed: readonly T[], added: readonly T[]) =>
      sorted?.change(removed.filter(isIndexed), added.filter(isIndexed)),
  };
}

function matching<T extends IndexedEntity>({ items, start, end, others }: QueryPlan<T>): T[] {
  const found = items.slice(start, end);
  return others.length === 0 ? found : found.filter(meetsAll(others));
}

function meetsAll(conditions: QueryPlan<unknown>["others"]) {
  return (item: IndexedEntity) =>
    conditions.every((condition) => meets(condition, toIndexKey(item[condition.field])));
}

/** The rows of a range that is sorted as the query wants it. */
function walk<T extends IndexedEntity>(
  { items, start, end, others }: QueryPlan<T>,
  query: ReadQuery,
  compare: (one: T, other: T) => number,
): readonly T[] {
  const { limit } = query;
  const [low, high] = findPage(items, start, end, query, compare);
  if (others.length === 0) {
    const isCut = high - low > limit;
    if (query.desc) return items.slice(isCut ? high - limit : low, high).toReversed();
    return items.slice(low, isCut ? low + limit : high);
  }
  const test = meetsAll(others);
  const rows: T[] = [];
  for (let step = 0; step < high - low && rows.length < limit; step++) {
    const item = items[query.desc ? high - 1 - step : low + step] as T;
    if (test(item)) rows.push(item);
  }
  return rows;
}

/** The page of sorted rows that the query wants. */
export function cut<T extends IndexedEntity>(
  rows: readonly T[],
  query: ReadQuery,
  compare: (one: T, other: T) => number,
): readonly T[] {
  const plan = { items: rows, start: 0, end: rows.length, others: [], isSorted: true };
  return walk(plan, query, compare);
}

/** The items behind the last row of the page before. */
function findPage<T>(
  items: readonly T[],
  start: number,
  end: number,
  { after, desc }: ReadQuery,
  compare: (one: T, other: T) => number,
): readonly [low: number, high: number] {
  if (after === null) return [start, end];
  // An entity that has changed since stands where it stood.
  const last = after as T;
  return desc
    ? [start, findFirst(items, (item) => compare(item, last) >= 0, start, end)]
    : [findFirst(items, (item) => compare(item, last) > 0, start, end), end];
}

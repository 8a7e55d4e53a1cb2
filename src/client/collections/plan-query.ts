/** Which index finds the rows of a query, and what is left to be done with its items. */
import { findFirst } from "../find-first.ts";
import { toIndexKey, type IndexedEntity } from "./index-keys.ts";
import { IndexNeededError } from "./query-error.ts";
import { isAbove, isBelow, type Condition, type ReadQuery } from "./read-query.ts";

export interface EntityIndex<T> {
  /** Empty for the collection's own order. */
  readonly fields: readonly string[];
  /** Sorted by the fields and then by id. An entity without a value in the first field is not among them. */
  items(): readonly T[];
}

export interface QueryPlan<T> {
  readonly items: readonly T[];
  /** The items from `start` up to `end` meet all conditions but the others. */
  readonly start: number;
  readonly end: number;
  readonly others: readonly Condition[];
  /** Whether these items are in the order of the query. */
  readonly isSorted: boolean;
}

/** Sorting an item costs about as much as looking at this number of items. */
const SORT_COST = 4;

/** `own` is the collection's own order. The indexes must suffice. */
export function planQuery<T extends IndexedEntity>(
  query: Pick<ReadQuery, "conditions" | "orderBy">,
  own: EntityIndex<T>,
  indexes: readonly EntityIndex<T>[],
  isOrderedById: boolean,
): QueryPlan<T> {
  const { conditions, orderBy } = query;
  const items = own.items();
  const isInOwnOrder = orderBy === null;
  let best = { items, start: 0, end: items.length, others: conditions, isSorted: isInOwnOrder };
  for (const index of indexes) {
    const { start, end, covered, equalities } = findRange(index, conditions);
    if (covered.length === 0) continue;
    const others = conditions.filter((one) => !covered.includes(one));
    const rest = index.fields.slice(equalities);
    const isSorted = isSameFields(rest, orderBy ?? []) && (!isInOwnOrder || isOrderedById);
    const plan = { items: index.items(), start, end, others, isSorted };
    if (costOf(plan) < costOf(best)) best = plan;
  }
  return best;
}

function costOf({ start, end, others, isSorted }: QueryPlan<unknown>): number {
  if (!isSorted) return 1 + (end - start) * SORT_COST;
  return others.length === 0 ? 0 : 1 + end - start;
}

/** Narrows an index by equalities on its first fields, and by a range on the next one. */
function findRange<T extends IndexedEntity>(
  index: EntityIndex<T>,
  conditions: readonly Condition[],
) {
  const covered: Condition[] = [];
  let equalities = 0;
  for (const field of index.fields) {
    const condition = conditions.find((one) => one.field === field);
    if (condition === undefined) break;
    covered.push(condition);
    if (!condition.isEquality) break;
    equalities++;
  }
  const items = covered.length === 0 ? [] : index.items();
  let [start, end] = [0, items.length];
  for (const condition of covered) {
    const keyOf = (item: T) => toIndexKey(item[condition.field]);
    start = findFirst(items, (item) => !isBelow(condition, keyOf(item)), start, end);
    end = findFirst(items, (item) => isAbove(condition, keyOf(item)), start, end);
  }
  return { start, end, covered, equalities };
}

/** Throws when the query needs another index than these, given by their fields. */
export function checkIndexes(
  type: string,
  { conditions, orderBy }: Pick<ReadQuery, "conditions" | "orderBy">,
  indexes: readonly (readonly string[])[],
): void {
  const isEqual = (field: string) =>
    conditions.some((one) => one.isEquality && one.field === field);
  for (const { field } of conditions) {
    const isIndexed = indexes.some((fields) => {
      const at = fields.indexOf(field);
      return at >= 0 && fields.slice(0, at).every(isEqual);
    });
    if (isIndexed || orderBy?.includes(field) === true) continue;
    throw new IndexNeededError(type, `where.${field}`, [field]);
  }
  const order = orderBy ?? [];
  const isSortable = indexes.some((fields) => {
    const first = fields.findIndex((field) => !isEqual(field));
    return first >= 0 && isSameFields(fields.slice(first, first + order.length), order);
  });
  if (order.length === 0 || isSortable) return;
  throw new IndexNeededError(type, `orderBy ${JSON.stringify(toField(order))}`, order);
}

/** The name of a single field, or the list of several. */
function toField(fields: readonly string[]): string | readonly string[] {
  const [first = ""] = fields;
  return fields.length === 1 ? first : fields;
}

function isSameFields(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((field, at) => field === other[at]);
}

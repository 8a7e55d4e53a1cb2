import { findFirst } from "../find-first.ts";

/** A sorted array that changes by what changed. An array that was given out is never changed. */
export function createSortedList<T>(compare: (one: T, other: T) => number) {
  let items: T[] = [];
  let isGivenOut = false;

  function change(removed: readonly T[], added: readonly T[]): void {
    if (removed.length + added.length === 0) return;
    if (removed.length + added.length > MAX_SPLICES) {
      const gone = new Set(removed);
      items = [...items.filter((item) => !gone.has(item)), ...added].sort(compare);
    } else {
      if (isGivenOut) items = items.slice();
      for (const item of removed) items.splice(findIndex(items, item, compare), 1);
      for (const item of added) items.splice(findIndex(items, item, compare), 0, item);
    }
    isGivenOut = false;
  }

  return {
    change,
    items(): readonly T[] {
      isGivenOut = true;
      return items;
    },
    findLast: (test: (item: T) => boolean): T | undefined => items.findLast(test),
    /** The items from the first that `isFrom` holds for up to the first behind; both hold from some item on. */
    slice(isFrom: (item: T) => boolean, isBehind: (item: T) => boolean, limit: number): T[] {
      const start = findFirst(items, isFrom);
      return items.slice(start, Math.min(findFirst(items, isBehind), start + limit));
    },
  };
}

/** Above so many, one sort costs less than as many moves of the array's end. */
const MAX_SPLICES = 32;

function findIndex<T>(items: readonly T[], item: T, compare: (one: T, other: T) => number): number {
  return findFirst(items, (other) => compare(other, item) >= 0);
}

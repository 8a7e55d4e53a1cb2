import { findFirst } from "../find-first.ts";

/** A sorted array that changes by what changed. An array that was given out is never changed. */
export function createSortedList<T>(compare: (one: T, other: T) => number) {
  let items: T[] = [];
  let isGivenOut = false;

  function change(removed: readonly T[], added: readonly T[]): void {
    if (removed.length + added.length === 0) return;
    if (removed.length === items.length) items = added.toSorted(compare);
    else {
      if (isGivenOut) items = items.slice();
      // Most changes leave an item where it is, and to replace it moves no other.
      const isMoved = (index: number) => {
        const [was, is] = [removed[index], added[index]];
        return was === undefined || is === undefined || compare(was, is) !== 0;
      };
      for (const [index, item] of removed.entries()) {
        const inPlace = isMoved(index) ? [] : added.slice(index, index + 1);
        items.splice(findIndex(items, item, compare), 1, ...inPlace);
      }
      for (const [index, item] of added.entries()) {
        if (isMoved(index)) items.splice(findIndex(items, item, compare), 0, item);
      }
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

function findIndex<T>(items: readonly T[], item: T, compare: (one: T, other: T) => number): number {
  return findFirst(items, (other) => compare(other, item) >= 0);
}

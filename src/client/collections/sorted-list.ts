import { findFirst } from "../find-first.ts";

/**
 * A sorted array that changes by what changed. An array that was given out is frozen: an app that sorted it
 * in place would have later changes remove other items.
 */
export function createSortedList<T>(compare: (one: T, other: T) => number) {
  let items: T[] = [];

  function change(removed: readonly T[], added: readonly T[]): void {
    if (removed.length + added.length === 0) return;
    if (removed.length === items.length) items = added.toSorted(compare);
    else {
      // A spread takes microseconds; V8 slices a frozen array one by one.
      if (Object.isFrozen(items)) items = [...items];
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
  }

  return {
    change,
    items: (): readonly T[] => Object.freeze(items),
    findLast: (test: (item: T) => boolean): T | undefined => items.findLast(test),
    /** The items from the first that `isFrom` holds for up to the first behind; both hold from some item on. */
    slice(
      isFrom: (item: T) => boolean,
      isBehind: (item: T) => boolean,
      limit: number,
    ): readonly T[] {
      const start = findFirst(items, isFrom);
      const end = Math.min(findFirst(items, isBehind), start + limit);
      return Object.freeze(items.slice(start, end));
    },
  };
}

function findIndex<T>(items: readonly T[], item: T, compare: (one: T, other: T) => number): number {
  return findFirst(items, (other) => compare(other, item) >= 0);
}

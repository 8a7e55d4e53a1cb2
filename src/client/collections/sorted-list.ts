import { findFirst } from "../find-first.ts";

export type SortedList<T> = ReturnType<typeof createSortedList<T>>;

/** Above this share of the items, sorting all of them is cheaper than to place each. */
const MANY = 1 / 16;

/**
 * A sorted array that changes by what changed. An array that was given out is frozen: an app that sorted it
 * in place would have later changes remove other items.
 */
export function createSortedList<T>(compare: (one: T, other: T) => number) {
  let items: T[] = [];

  function change(removed: readonly T[], added: readonly T[]): void {
    if (removed.length + added.length === 0) return;
    if (removed.length + added.length > items.length * MANY) {
      const gone = new Set(removed);
      const rest = gone.size === 0 ? items : items.filter((item) => !gone.has(item));
      items = [...rest, ...added].sort(compare);
    } else {
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
    /** To be given out. */
    items: (): readonly T[] => Object.freeze(items),
    /** To be read at once: later changes are made in it. */
    current: (): readonly T[] => items,
  };
}

function findIndex<T>(items: readonly T[], item: T, compare: (one: T, other: T) => number): number {
  return findFirst(items, (other) => compare(other, item) >= 0);
}

/**
 * A sorted array that changes by what changed. An array that was given out is frozen: an app that sorted it
 * in place would have later changes remove other items.
 */
export function createSortedList<T>(compare: (one: T, other: T) => number) {
  let items: T[] = [];

  function change(removed: readonly T[], added: readonly T[]): void {
    if (removed.length + added.length === 0) return;
    if (removed.length + added.length > MAX_SPLICES) {
      const gone = new Set(removed);
      items = [...items.filter((item) => !gone.has(item)), ...added].sort(compare);
    } else {
      // A spread takes microseconds; V8 slices a frozen array one by one.
      if (Object.isFrozen(items)) items = [...items];
      for (const item of removed) items.splice(findIndex(items, item, compare), 1);
      for (const item of added) items.splice(findIndex(items, item, compare), 0, item);
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

/** Above so many, one sort costs less than as many moves of the array's end. */
const MAX_SPLICES = 32;

function findIndex<T>(items: readonly T[], item: T, compare: (one: T, other: T) => number): number {
  return findFirst(items, (other) => compare(other, item) >= 0);
}

/** The index of the first item that the test holds for; it then holds for all that follow. */
function findFirst<T>(items: readonly T[], test: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(items[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

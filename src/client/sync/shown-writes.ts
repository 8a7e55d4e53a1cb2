/**
 * Tells which writes of a storage a tab shows, by their numbers. The writes of other tabs come as
 * messages, in any order with those of this tab.
 */
export function createShownWrites(first: number) {
  let last = first;
  const later = new Set<number>();
  return {
    /** The last write that is shown together with all before it. */
    last: () => last,
    add(write: number): void {
      if (write > last) later.add(write);
      while (later.delete(last + 1)) last++;
    },
    /** Whether a write is shown, and one before it is not. */
    hasGap: () => later.size > 0,
  };
}

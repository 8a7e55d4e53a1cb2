/** Tells by number which writes a tab shows; others' writes come as messages, in any order with its own. */
export function createVisibleWrites(first: number) {
  let last = first;
  const later = new Set<number>();
  return {
    /** The last write that is visible together with all before it. */
    last: () => last,
    add(write: number): void {
      if (write > last) later.add(write);
      while (later.delete(last + 1)) last++;
    },
    /** Whether a write is visible, and one before it is not. */
    hasGap: () => later.size > 0,
  };
}

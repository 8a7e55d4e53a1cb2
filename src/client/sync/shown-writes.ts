/**
 * Which writes of a storage a tab shows, by their numbers. Those of other tabs come as messages, in any
 * order with its own.
 */
export interface ShownWrites {
  /** The last one that is shown together with all before it. */
  last(): number;
  add(write: number): void;
  /** Whether a write is shown, and one before it is not. */
  hasGap(): boolean;
}

export function createShownWrites(first: number): ShownWrites {
  let last = first;
  const later = new Set<number>();
  return {
    last: () => last,
    add(write) {
      if (write > last) later.add(write);
      while (later.delete(last + 1)) last++;
    },
    hasGap: () => later.size > 0,
  };
}

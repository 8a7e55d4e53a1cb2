/** A zone that a calendar defines itself: when its offset from UTC changes, and to what. */

export interface ZoneRules {
  /** The offset before the first change, in milliseconds. */
  readonly firstOffset: number;
  /** The changes are ordered by time. */
  readonly changes: readonly OffsetChange[];
}

export interface OffsetChange {
  readonly at: number;
  readonly offset: number;
}

/** The offset of the last change at or before the instant. */
export function offsetByRules(instant: number, { firstOffset, changes }: ZoneRules): number {
  let begin = 0;
  let end = changes.length;
  while (begin < end) {
    const middle = (begin + end) >>> 1;
    if ((changes[middle]?.at ?? 0) <= instant) begin = middle + 1;
    else end = middle;
  }
  return changes[begin - 1]?.offset ?? firstOffset;
}

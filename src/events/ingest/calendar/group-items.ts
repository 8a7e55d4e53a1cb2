/** Puts together what a calendar has of one UID, and chooses the newest of each. */
import type { FeedBuilder } from "../feed-builder.ts";
import { keysOf, occurrenceKey, type CalendarItem } from "./calendar-item.ts";

export interface ItemGroup {
  /** Null when a calendar has only changed occurrences of a series. */
  readonly main: CalendarItem | null;
  /** The changes by each key of the occurrence that they change. */
  readonly changesByKey: ReadonlyMap<string, CalendarItem>;
  /** The changes with a RANGE, which `changesByKey` has too. */
  readonly ranged: readonly CalendarItem[];
}

/** Groups items by UID, in the order in which each UID came first. */
export function groupItems(items: readonly CalendarItem[], builder: FeedBuilder): ItemGroup[] {
  const groups = Map.groupBy(items, (item) => item.position.uid ?? item);
  return [...groups.values()].map((group) => chooseNewest(group, builder));
}

function chooseNewest(items: readonly CalendarItem[], builder: FeedBuilder): ItemGroup {
  const chosen = new Map<string, CalendarItem>();
  for (const item of items) {
    const key = item.changes === null ? "" : `${item.range ?? ""} ${occurrenceKey(item.changes)}`;
    const other = chosen.get(key);
    const isNewer = other === undefined || compareRevisions(item, other) >= 0;
    if (isNewer) chosen.set(key, item);
    const older = isNewer ? other : item;
    if (older !== undefined) builder.skip(older.position, "duplicate");
  }
  const changes = [...chosen.values()].filter((item) => item.changes !== null);
  const ranged = changes.filter(({ range }) => range !== null);
  const changesByKey = new Map<string, CalendarItem>();
  // A change of one occurrence counts more than one of a range that begins with it.
  for (const item of [...ranged, ...changes.filter(({ range }) => range === null)]) {
    if (item.changes === null) continue;
    for (const key of keysOf(item.changes)) changesByKey.set(key, item);
  }
  return { main: chosen.get("") ?? null, changesByKey, ranged };
}

function compareRevisions({ revision: one }: CalendarItem, { revision: other }: CalendarItem) {
  return one[0] - other[0] || one[1] - other[1];
}

/** Items of one UID belong together: what takes place, and the changes to single occurrences. */
import type { FeedBuilder } from "../feed-builder.ts";
import { keysOf, occurrenceKey, type CalendarItem } from "./calendar-item.ts";

export interface ItemGroup {
  /** Null when a calendar has only changed occurrences of a series. */
  readonly main: CalendarItem | null;
  /** By each key of the occurrence that they change. */
  readonly changesByKey: ReadonlyMap<string, CalendarItem>;
}

/** In the order in which each UID came first; of two that are the same the newer is taken. */
export function groupItems(items: readonly CalendarItem[], builder: FeedBuilder): ItemGroup[] {
  const groups: { readonly items: CalendarItem[] }[] = [];
  const groupsByUid = new Map<string, { readonly items: CalendarItem[] }>();
  for (const item of items) {
    const { uid } = item.position;
    const known = uid === null ? undefined : groupsByUid.get(uid);
    if (known !== undefined) known.items.push(item);
    else {
      const group = { items: [item] };
      groups.push(group);
      if (uid !== null) groupsByUid.set(uid, group);
    }
  }
  return groups.map((group) => chooseNewest(group.items, builder));
}

function chooseNewest(items: readonly CalendarItem[], builder: FeedBuilder): ItemGroup {
  const chosen = new Map<string, CalendarItem>();
  for (const item of items) {
    const key = item.changes === null ? "" : occurrenceKey(item.changes);
    const other = chosen.get(key);
    const isNewer = other === undefined || compareRevisions(item, other) >= 0;
    if (isNewer) chosen.set(key, item);
    const loser = isNewer ? other : item;
    if (loser !== undefined) builder.skip(loser.position, "duplicate");
  }
  const main = chosen.get("") ?? null;
  const changesByKey = new Map<string, CalendarItem>();
  for (const item of chosen.values()) {
    if (item.changes === null) continue;
    for (const key of keysOf(item.changes)) changesByKey.set(key, item);
  }
  return { main, changesByKey };
}

function compareRevisions({ revision: one }: CalendarItem, { revision: other }: CalendarItem) {
  return one[0] - other[0] || one[1] - other[1];
}

/** iCalendar (RFC 5545): events and tasks, single or in series. */
import type { FeedResult, FeedWindow } from "../../../rules/events/ingest/entry.ts";
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from "../../../rules/events/ingest/limits.ts";
import { DAY_MS } from "../../../rules/events/ingest/time-zone.ts";
import type { FeedBuilder } from "../feed-builder.ts";
import { addCalendarEntries, type ItemGroup } from "./add-calendar-entries.ts";
import { keysOf, occurrenceKey, readItem, type CalendarItem } from "./calendar-item.ts";
import { createZoneFinder } from "./find-zone.ts";
import { readComponents } from "./read-components.ts";

export function parseCalendar(text: string, builder: FeedBuilder): FeedResult {
  const result = readComponents(text, builder);
  if (result.kind === "failed") return result;
  const { timeZone, now } = builder.settings;
  const findZone = createZoneFinder(result.zoneLines, timeZone, builder);
  const items = result.components.flatMap((component) => {
    const read = readItem(component, { findZone, accountZone: timeZone });
    if (read.kind === "read") return [read.item];
    builder.skip(read.position, read.reason, read.detail);
    return [];
  });
  const window = windowAround(now);
  for (const group of groupItems(items, builder)) {
    if (!addCalendarEntries(group, window, builder)) break;
  }
  return builder.finish(window);
}

/** Whole days, so that no day of a series is left out. */
function windowAround(now: number): FeedWindow {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return {
    from: today - WINDOW_DAYS_BACK * DAY_MS,
    to: today + (WINDOW_DAYS_AHEAD + 1) * DAY_MS - 1,
  };
}

/** By UID, in the order in which each UID came first. */
function groupItems(items: readonly CalendarItem[], builder: FeedBuilder): ItemGroup[] {
  const groups = Map.groupBy(items, (item) => item.position.uid ?? item);
  return [...groups.values()].map((group) => chooseNewest(group, builder));
}

function chooseNewest(items: readonly CalendarItem[], builder: FeedBuilder): ItemGroup {
  const chosen = new Map<string, CalendarItem>();
  for (const item of items) {
    const key = item.changes === null ? "" : occurrenceKey(item.changes);
    const other = chosen.get(key);
    const isNewer = other === undefined || compareRevisions(item, other) >= 0;
    if (isNewer) chosen.set(key, item);
    const older = isNewer ? other : item;
    if (older !== undefined) builder.skip(older.position, "duplicate");
  }
  const changesByKey = new Map<string, CalendarItem>();
  for (const item of chosen.values()) {
    if (item.changes === null) continue;
    for (const key of keysOf(item.changes)) changesByKey.set(key, item);
  }
  return { main: chosen.get("") ?? null, changesByKey };
}

function compareRevisions({ revision: one }: CalendarItem, { revision: other }: CalendarItem) {
  return one[0] - other[0] || one[1] - other[1];
}

/** iCalendar (RFC 5545): events and tasks, once or in series. */
import { DAY_MS } from "../../../rules/events/ingest/calendar-day.ts";
import type { FeedResult, FeedWindow } from "../../../rules/events/ingest/entry.ts";
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from "../../../rules/events/ingest/limits.ts";
import type { EntryContext } from "../entry-context.ts";
import type { FeedBuilder } from "../feed-builder.ts";
import { addCalendarEntries } from "./add-calendar-entries.ts";
import { readItem } from "./calendar-item.ts";
import { createZoneFinder } from "./find-zone.ts";
import { groupItems } from "./group-items.ts";
import { readCalendar } from "./read-calendar.ts";

export function parseCalendar(
  text: string,
  context: EntryContext,
  builder: FeedBuilder,
): FeedResult {
  const read = readCalendar(text, builder);
  if (!read.ok) return read;
  const { components, zoneLines } = read.calendar;
  const findZone = createZoneFinder(zoneLines, context.timeZone, builder);
  const reader = { findZone, accountZone: context.timeZone };
  const items = components.flatMap((component) => {
    const result = readItem(component, reader);
    if (result.ok) return [result.item];
    builder.skip(result.position, result.reason, result.detail);
    return [];
  });
  const window = windowAround(context.now);
  for (const group of groupItems(items, builder)) {
    if (!addCalendarEntries(group, window, context, builder)) break;
  }
  return builder.finish(window);
}

/** Whole days, so that a series of whole days has all of them. */
function windowAround(now: number): FeedWindow {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return {
    from: today - WINDOW_DAYS_BACK * DAY_MS,
    to: today + (WINDOW_DAYS_AHEAD + 1) * DAY_MS - 1,
  };
}

/** iCalendar (RFC 5545): events and tasks, single or in series. */
import { DAY_MS } from "../../../contract/durations.ts";
import type { FeedResult, FeedWindow } from "../../../rules/events/ingest/entry.ts";
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from "../../../rules/events/ingest/limits.ts";
import type { FeedBuilder } from "../feed-builder.ts";
import { addCalendarEntries } from "./add-calendar-entries.ts";
import { readItem } from "./calendar-item.ts";
import { createZoneFinder } from "./find-zone.ts";
import { groupItems } from "./group-items.ts";
import { readComponents } from "./read-components.ts";
import { createSearchBudget } from "./search-budget.ts";

export function parseCalendar(text: string, builder: FeedBuilder): FeedResult {
  const result = readComponents(text, builder);
  if (result.kind === "failed") return result;
  const { timeZone, now } = builder.settings;
  const budget = createSearchBudget();
  const findZone = createZoneFinder(timeZone, builder, budget);
  const items = result.components.flatMap((component) => {
    const read = readItem(component, {
      findZone: (name) => findZone(name, component.zones),
      accountZone: timeZone,
    });
    if (read.kind === "read") return [read.item];
    builder.skip(read.position, read.reason, read.detail);
    return [];
  });
  const window = windowAround(now);
  for (const group of groupItems(items, builder)) {
    if (!addCalendarEntries(group, window, builder, budget)) break;
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

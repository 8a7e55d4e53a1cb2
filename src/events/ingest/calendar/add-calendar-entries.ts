/** Adds the entries of one UID: a single event or the occurrences of a series. */
import type { FeedWindow, ParsedEntry } from "../../../rules/events/ingest/entry.ts";
import { writeEntryDate, type EntryDate } from "../../../rules/events/ingest/entry-date.ts";
import { calendarEventId } from "../../../rules/events/ingest/event-id.ts";
import { MAX_OCCURRENCES } from "../../../rules/events/ingest/limits.ts";
import { isPlausible } from "../../../rules/events/ingest/time-zone.ts";
import { hashText, type FeedBuilder } from "../feed-builder.ts";
import {
  keysOfOccurrence,
  momentOf,
  occurrenceKey,
  shiftDate,
  type CalendarItem,
} from "./calendar-item.ts";
import { expandSeries, type Expansion } from "./expand-series.ts";

export interface ItemGroup {
  /** Null when a calendar has only changed occurrences of a series. */
  readonly main: CalendarItem | null;
  /** By each key of the occurrence that they change. */
  readonly changesByKey: ReadonlyMap<string, CalendarItem>;
}

/** False when there are too many. */
export function addCalendarEntries(
  { main, changesByKey }: ItemGroup,
  window: FeedWindow,
  builder: FeedBuilder,
): boolean {
  const add = (item: CalendarItem, occurrence: EntryDate | null, date: EntryDate) =>
    builder.add(createEntry(item, main, occurrence, date, builder), item.position);
  const isSeries = main !== null && (main.rule !== null || main.extraDates.length > 0);
  if (main !== null && !isSeries && !add(main, null, dateOf(main))) return false;

  const used = new Set<CalendarItem>();
  if (main !== null && isSeries) {
    for (const occurrence of listOccurrences(main, window, builder)) {
      const keys = keysOfOccurrence(occurrence);
      const change = changesByKey.get(keys.find((key) => changesByKey.has(key)) ?? "");
      if (change !== undefined && !used.has(change)) {
        used.add(change);
        if (!add(change, occurrence, dateOf(change))) return false;
      } else if (!keys.some((key) => main.excluded.has(key))) {
        if (!add(main, occurrence, shiftDate(occurrence, main.shiftMs))) return false;
      }
    }
  }
  // Moved into the window from outside, or of a series that the calendar does not contain.
  for (const change of new Set(changesByKey.values())) {
    if (used.has(change) || change.changes === null) continue;
    const moment = momentOf(dateOf(change));
    if (main !== null && (moment < window.from || moment > window.to)) continue;
    if (!add(change, change.changes, dateOf(change))) return false;
  }
  return true;
}

function dateOf({ start, shiftMs }: CalendarItem): EntryDate {
  return shiftDate(start.date, shiftMs);
}

/** By time, without duplicates. */
function listOccurrences(
  item: CalendarItem,
  window: FeedWindow,
  builder: FeedBuilder,
): readonly EntryDate[] {
  const { position, rule, extraDates } = item;
  const expansion = expandItem(item, window, builder.settings.now);
  if (expansion === null || (expansion.isCut && expansion.dates.length === 0)) {
    builder.skip(position, "bad-rule", rule ?? "");
    return [];
  }
  const datesByKey = new Map<string, EntryDate>();
  for (const date of [...expansion.dates, ...extraDates]) {
    const shown = momentOf(date) + item.shiftMs;
    const isInside = shown >= window.from && shown <= window.to && isPlausible(shown);
    if (isInside && date.kind === item.start.date.kind) datesByKey.set(occurrenceKey(date), date);
  }
  const dates = [...datesByKey.values()].sort((one, other) => momentOf(one) - momentOf(other));
  if (dates.length === 0) builder.skip(position, "no-occurrence");
  if (expansion.isCut || dates.length > MAX_OCCURRENCES) {
    builder.note("series-cut", position.uid ?? item.summary ?? "");
  }
  return dates.slice(0, MAX_OCCURRENCES);
}

function expandItem(
  { start, rule, shiftMs }: CalendarItem,
  { from, to }: FeedWindow,
  now: number,
): Expansion | null {
  // Without a rule the start is the first occurrence, and RDATE gives the others.
  if (rule === null) return { dates: [start.date], isCut: false };
  const expansion = expandSeries(start, rule, { from: from - shiftMs, to: to - shiftMs });
  // Of too many occurrences the upcoming ones are kept.
  return expansion?.isCut === true
    ? expandSeries(start, rule, { from: now - shiftMs, to: to - shiftMs })
    : expansion;
}

function createEntry(
  item: CalendarItem,
  main: CalendarItem | null,
  occurrence: EntryDate | null,
  date: EntryDate,
  builder: FeedBuilder,
): ParsedEntry {
  const { uid } = item.position;
  // A change contains only what differs from the series.
  const summary = item.summary ?? main?.summary ?? null;
  const categories = item.categories.length > 0 ? item.categories : (main?.categories ?? []);
  const title = builder.takeText(summary, uid);
  // A category that gives no type is the subject.
  const subject = categories.find((category) => builder.findType([category]) === null) ?? null;
  const written = writeEntryDate(date);
  const recurrenceId = occurrence === null ? null : occurrenceKey(occurrence);
  return {
    eventId: calendarEventId(
      hashText,
      builder.settings.sourceId,
      uid,
      recurrenceId,
      title,
      written.date,
    ),
    ...builder.typeOf([...categories, summary ?? ""]),
    subjectName: builder.takeText(subject, uid),
    title,
    ...written,
    createdAt: item.createdAt ?? main?.createdAt ?? null,
    cancelled: item.isCancelled || (main?.isCancelled ?? false),
  };
}

/** Adds the entries of one UID: a single event or the occurrences of a series. */
import type { FeedWindow, ParsedEntry } from "../../../rules/events/ingest/entry.ts";
import { writeEntryDate, type EntryDate } from "../../../rules/events/ingest/entry-date.ts";
import { calendarEventId } from "../../../rules/events/ingest/event-id.ts";
import { MAX_OCCURRENCES } from "../../../rules/events/ingest/limits.ts";
import { isPlausible } from "../../../rules/events/ingest/time-zone.ts";
import { hashText, type FeedBuilder } from "../feed-builder.ts";
import {
  dateOf,
  keysOfOccurrence,
  momentOf,
  occurrenceKey,
  shiftDate,
  type CalendarItem,
} from "./calendar-item.ts";
import { expandSeries, type Expansion } from "./expand-series.ts";
import { readFollowingChange, type FollowingChange } from "./following-change.ts";
import type { ItemGroup } from "./group-items.ts";
import { repairCount } from "./recurrence-rule.ts";
import type { SearchBudget } from "./search-budget.ts";

/** False when there are too many entries. */
export function addCalendarEntries(
  group: ItemGroup,
  window: FeedWindow,
  builder: FeedBuilder,
  budget: SearchBudget,
): boolean {
  const { main, changesByKey } = group;
  const descriptions = new Map<CalendarItem, Description>();
  const describe = (item: CalendarItem) => {
    // Texts may be long, and series have many occurrences.
    const known = descriptions.get(item) ?? describeItem(item, main, builder);
    descriptions.set(item, known);
    return known;
  };
  const { sourceId } = builder.settings;
  const add = (item: CalendarItem, occurrence: EntryDate | null, date: EntryDate) =>
    builder.add(createEntry(item, main, occurrence, date, describe(item), sourceId), item.position);
  const isSeries = main !== null && (main.rules.length > 0 || main.extraDates.length > 0);
  if (main !== null && !isSeries && !add(main, null, dateOf(main))) return false;

  const used = new Set<CalendarItem>();
  const series = main !== null && isSeries ? main : null;
  const following = listFollowing(group, series, builder);
  for (const { occurrence, shown } of listOccurrences(series, following, window, builder, budget)) {
    const keys = keysOfOccurrence(occurrence);
    const change = changesByKey.get(keys.find((key) => changesByKey.has(key)) ?? "");
    if (change !== undefined && !used.has(change)) {
      used.add(change);
      if (!add(change, occurrence, dateOf(change))) return false;
    } else if (!keys.some((key) => series?.excluded.has(key))) {
      if (!add(shown.item, occurrence, shown.date)) return false;
    }
  }
  // Other changes moved into the window from outside, or the calendar does not contain their series.
  for (const change of new Set(changesByKey.values())) {
    if (used.has(change) || change.changes === null) continue;
    const moment = momentOf(dateOf(change));
    if (main !== null && (moment < window.from || moment > window.to)) continue;
    if (!add(change, change.changes, dateOf(change))) return false;
  }
  return true;
}

/** The changes of all later occurrences, by time. Others with a RANGE are reported. */
function listFollowing(
  { ranged }: ItemGroup,
  series: CalendarItem | null,
  builder: FeedBuilder,
): FollowingChange[] {
  const following: FollowingChange[] = [];
  for (const change of ranged) {
    const found = series === null ? null : readFollowingChange(change, series);
    if (found === null) builder.note("range-ignored", nameOf(change, series));
    else following.push(found);
  }
  return following.sort((one, other) => one.from - other.from);
}

function nameOf({ position, summary }: CalendarItem, series: CalendarItem | null): string {
  return position.uid ?? summary ?? series?.summary ?? "";
}

interface Occurrence {
  /** The date that the series gives the occurrence, which identifies it. */
  readonly occurrence: EntryDate;
  readonly shown: { readonly item: CalendarItem; readonly date: EntryDate };
}

/** Lists occurrences by time, without duplicates. */
function listOccurrences(
  item: CalendarItem | null,
  following: readonly FollowingChange[],
  window: FeedWindow,
  builder: FeedBuilder,
  budget: SearchBudget,
): readonly Occurrence[] {
  if (item === null) return [];
  const { position, extraDates } = item;
  const expansion = expandItem(item, widenWindow(window, following), builder, budget);
  if (expansion === null || (expansion.isCut && expansion.dates.length === 0)) {
    builder.skip(position, "bad-rule", item.rules.join(" "));
    return [];
  }
  const found = new Map<string, Occurrence>();
  for (const date of [...expansion.dates, ...extraDates]) {
    if (date.kind !== item.start.date.kind) continue;
    const change = following.findLast(({ from }) => from <= momentOf(date));
    const shown = change?.show(date) ?? { item, date: shiftDate(date, item.shiftMs) };
    const moment = momentOf(shown.date);
    const isInside = moment >= window.from && moment <= window.to && isPlausible(moment);
    if (isInside) found.set(occurrenceKey(date), { occurrence: date, shown });
  }
  const occurrences = [...found.values()].sort(
    (one, other) => momentOf(one.occurrence) - momentOf(other.occurrence),
  );
  if (occurrences.length === 0) builder.skip(position, "no-occurrence");
  if (expansion.isCut || occurrences.length > MAX_OCCURRENCES) {
    builder.note("series-cut", nameOf(item, null));
  }
  return occurrences.slice(0, MAX_OCCURRENCES);
}

/** Widens the window, so that occurrences are found which a change moves into it. */
function widenWindow({ from, to }: FeedWindow, following: readonly FollowingChange[]): FeedWindow {
  const reach = following.reduce((longest, { reachMs }) => Math.max(longest, reachMs), 0);
  return { from: from - reach, to: to + reach };
}

/** Each rule costs a search of its own. */
const MAX_RULES = 10;

/** Null when one of the rules is invalid or too costly. */
function expandItem(
  item: CalendarItem,
  { from, to }: FeedWindow,
  builder: FeedBuilder,
  budget: SearchBudget,
): Expansion | null {
  const { start, rules, shiftMs } = item;
  // An item without a rule occurs at its start, and RDATE gives the others.
  if (rules.length === 0) return { dates: [start.date], isCut: false };
  if (rules.length > MAX_RULES) return null;
  const dates: EntryDate[] = [];
  let isCut = false;
  for (const written of rules) {
    const { rule, isRepaired } = repairCount(written);
    if (isRepaired) builder.note("count-ignored", nameOf(item, null));
    const expand = (begin: number) =>
      expandSeries(start, rule, { from: begin - shiftMs, to: to - shiftMs }, budget);
    const whole = expand(from);
    // A series with too many occurrences keeps the upcoming ones.
    const expansion = whole?.isCut === true ? expand(builder.settings.now) : whole;
    if (expansion === null) return null;
    dates.push(...expansion.dates);
    isCut ||= expansion.isCut;
  }
  return { dates, isCut };
}

type Description = Pick<ParsedEntry, "type" | "because" | "subjectName" | "title" | "createdAt">;

/** What all occurrences of an item share. */
function describeItem(
  item: CalendarItem,
  main: CalendarItem | null,
  builder: FeedBuilder,
): Description {
  const { uid } = item.position;
  // A change contains only what differs from the series.
  const summary = item.summary ?? main?.summary ?? null;
  const categories = item.categories.length > 0 ? item.categories : (main?.categories ?? []);
  // A category that gives no type is the subject.
  const subject = categories.find((category) => builder.findType([category]) === null) ?? null;
  return {
    ...builder.typeOf([...categories, summary ?? ""]),
    subjectName: builder.takeText(subject, uid),
    title: builder.takeText(summary, uid),
    createdAt: item.createdAt ?? main?.createdAt ?? null,
  };
}

function createEntry(
  item: CalendarItem,
  main: CalendarItem | null,
  occurrence: EntryDate | null,
  date: EntryDate,
  description: Description,
  sourceId: string,
): ParsedEntry {
  const { uid } = item.position;
  const written = writeEntryDate(date);
  const recurrenceId = occurrence === null ? null : occurrenceKey(occurrence);
  return {
    eventId: calendarEventId(
      hashText,
      sourceId,
      uid,
      recurrenceId,
      description.title,
      written.date,
    ),
    ...description,
    ...written,
    cancelled: item.isCancelled || (main?.isCancelled ?? false),
  };
}

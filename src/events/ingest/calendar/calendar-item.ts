/** An event or task of a calendar: a single one, a series, or a change of one occurrence. */
import { DAY_MS } from "../../../contract/durations.ts";
import type { SkipReason } from "../../../rules/events/ingest/entry.ts";
import type { EntryDate } from "../../../rules/events/ingest/entry-date.ts";
import { instantToWallTime } from "../../../rules/events/ingest/time-zone.ts";
import { formatDay } from "../../../rules/events/wall-time.ts";
import type { EntryPosition } from "../feed-builder.ts";
import { splitTextList, unescapeText, type ContentLine } from "./content-line.ts";
import { readDate, readDates, type CalendarDate, type DateReader } from "./read-date.ts";
import type { CalendarComponent } from "./read-components.ts";

export interface CalendarItem {
  readonly position: EntryPosition;
  /** The date from which a series is expanded. */
  readonly start: CalendarDate;
  /** The time from the start to the date that is shown: a task may start before it is due. */
  readonly shiftMs: number;
  /** A series usually has one rule; RFC 2445 allowed more, of which each adds occurrences. */
  readonly rules: readonly string[];
  /** The dates of RDATE. */
  readonly extraDates: readonly EntryDate[];
  /** The keys of the dates of EXDATE. */
  readonly excluded: ReadonlySet<string>;
  /** The occurrence that the item changes (RECURRENCE-ID). */
  readonly changes: EntryDate | null;
  /** The RANGE of the change, in upper case: `THISANDFUTURE` changes all later occurrences too. */
  readonly range: string | null;
  /** The item with the greater revision is newer. */
  readonly revision: readonly [sequence: number, stamp: number];
  readonly isCancelled: boolean;
  readonly summary: string | null;
  readonly categories: readonly string[];
  readonly createdAt: string | null;
}

export type ItemResult =
  | { readonly kind: "read"; readonly item: CalendarItem }
  | {
      readonly kind: "skipped";
      readonly position: EntryPosition;
      readonly reason: SkipReason;
      readonly detail?: string;
    };

/** Each category is searched for words. */
const MAX_CATEGORIES = 20;
/** RDATE or EXDATE may list the days of 27 years. */
const MAX_LISTED_DATES = 10_000;

export function readItem(component: CalendarComponent, reader: DateReader): ItemResult {
  const first = (name: string) => component.properties.get(name)?.[0];
  const all = (name: string) => component.properties.get(name) ?? [];
  const textOf = (name: string) => unescapeText(first(name)?.value ?? "").trim() || null;

  const uid = textOf("UID");
  const position = { index: component.index, line: component.line, uid };
  const startLine = first("DTSTART");
  const dueLine = component.kind === "VTODO" ? first("DUE") : undefined;
  const changeLine = first("RECURRENCE-ID");
  const anchorLine = startLine ?? dueLine;
  if (anchorLine === undefined) return { kind: "skipped", position, reason: "no-date" };
  const skip = ({ reason }: { readonly reason: SkipReason }, { value }: ContentLine) =>
    ({ kind: "skipped", position, reason, detail: value }) as const;

  const start = readDate(anchorLine, reader);
  if (start.kind === "invalid") return skip(start, anchorLine);
  const due = dueLine === undefined ? start : readDate(dueLine, reader);
  if (due.kind === "invalid") return skip(due, dueLine ?? anchorLine);
  const changes = changeLine === undefined ? null : readDate(changeLine, reader);
  if (changes?.kind === "invalid") return skip(changes, changeLine ?? anchorLine);

  const rules = all("RRULE").map(({ value }) => value.trim());
  if (
    countListed(all("RDATE")) > MAX_LISTED_DATES ||
    countListed(all("EXDATE")) > MAX_LISTED_DATES
  ) {
    return { kind: "skipped", position, reason: "bad-rule", detail: rules.join(" ") };
  }
  // Only a series needs its start beside its due date, and only when both are of one kind.
  const isShifted = rules.length > 0 && start.found.date.kind === due.found.date.kind;
  const anchor = isShifted ? start.found : due.found;
  return {
    kind: "read",
    item: {
      position,
      start: anchor,
      shiftMs: momentOf(due.found.date) - momentOf(anchor.date),
      rules,
      extraDates: all("RDATE").flatMap((line) => readDates(line, reader).map(({ date }) => date)),
      excluded: new Set(
        all("EXDATE").flatMap((line) =>
          readDates(line, reader).flatMap(({ date }) => keysOf(date)),
        ),
      ),
      changes: changes?.found.date ?? null,
      range: changeLine?.parameters.get("RANGE")?.trim().toUpperCase() ?? null,
      revision: [
        Number(first("SEQUENCE")?.value) || 0,
        readStamp(first("LAST-MODIFIED") ?? first("DTSTAMP"), reader) ?? 0,
      ],
      isCancelled: component.isCancelled || textOf("STATUS")?.toUpperCase() === "CANCELLED",
      summary: textOf("SUMMARY"),
      categories: all("CATEGORIES")
        .flatMap(({ value }) => splitTextList(value))
        .slice(0, MAX_CATEGORIES),
      createdAt: readCreated(first("CREATED"), reader),
    },
  };
}

function countListed(lines: readonly ContentLine[]): number {
  return lines.reduce((total, { value }) => total + value.split(",").length, 0);
}

/** Identifies an occurrence of a series, in whatever zone its time is written. */
export function occurrenceKey(date: EntryDate): string {
  return date.kind === "day"
    ? formatDay(date.wall)
    : `${new Date(date.instant).toISOString().slice(0, 19)}Z`;
}

/** Keys of a change or exclusion: some calendars name a timed occurrence by day, a whole day by midnight. */
export function keysOfOccurrence(date: EntryDate): string[] {
  const own = occurrenceKey(date);
  return date.kind === "day" ? [own, `midnight ${own}`] : [own, formatDay(wallTimeOf(date))];
}

/** The keys of the occurrence that a change or an exclusion identifies. */
export function keysOf(date: EntryDate): string[] {
  const own = occurrenceKey(date);
  if (date.kind === "day" || wallTimeOf(date) % DAY_MS !== 0) return [own];
  return [own, `midnight ${formatDay(wallTimeOf(date))}`];
}

function wallTimeOf({ instant, zone }: Extract<EntryDate, { kind: "moment" }>): number {
  return instantToWallTime(instant, zone);
}

/** The date that is shown. */
export function dateOf({ start, shiftMs }: CalendarItem): EntryDate {
  return shiftDate(start.date, shiftMs);
}

export function momentOf(date: EntryDate): number {
  return date.kind === "day" ? date.wall : date.instant;
}

export function shiftDate(date: EntryDate, shiftMs: number): EntryDate {
  return date.kind === "day"
    ? { ...date, wall: date.wall + shiftMs }
    : { ...date, instant: date.instant + shiftMs };
}

function readStamp(line: ContentLine | undefined, reader: DateReader): number | null {
  if (line === undefined) return null;
  const result = readDate(line, reader);
  return result.kind === "valid" ? momentOf(result.found.date) : null;
}

function readCreated(line: ContentLine | undefined, reader: DateReader): string | null {
  const stamp = readStamp(line, reader);
  return stamp === null ? null : `${new Date(stamp).toISOString().slice(0, 19)}Z`;
}

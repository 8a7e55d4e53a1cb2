/** A component with its properties read: what takes place once, a series, or a change to one. */
import type { SkipReason } from "../../../rules/events/ingest/entry.ts";
import { DAY_MS, formatDay } from "../../../rules/events/ingest/calendar-day.ts";
import { instantToWallTime } from "../../../rules/events/ingest/time-zone.ts";
import type { EntryDate } from "../../../rules/events/ingest/entry-date.ts";
import type { EntryPosition } from "../feed-builder.ts";
import { splitTexts, unescapeText, type ContentLine } from "./content-line.ts";
import { readDate, readDates, type CalendarDate, type DateReader } from "./read-date.ts";
import type { CalendarComponent } from "./read-calendar.ts";

export interface CalendarItem {
  readonly position: EntryPosition;
  /** Where a series counts from. */
  readonly start: CalendarDate;
  /** From there to the date that people see: a task may begin before it is due. */
  readonly shiftMs: number;
  readonly rule: string | null;
  /** Occurrences that no rule gives. */
  readonly extraDates: readonly EntryDate[];
  readonly excluded: ReadonlySet<string>;
  /** Which occurrence of a series this changes. */
  readonly changes: EntryDate | null;
  /** Which of two that are the same is the newer. */
  readonly revision: readonly [sequence: number, stamp: number];
  readonly isCancelled: boolean;
  readonly summary: string | null;
  readonly categories: readonly string[];
  readonly createdAt: string | null;
}

export type ItemResult =
  | { readonly ok: true; readonly item: CalendarItem }
  | {
      readonly ok: false;
      readonly position: EntryPosition;
      readonly reason: SkipReason;
      readonly detail?: string;
    };

/** Each is searched for words, for every occurrence. */
const MAX_CATEGORIES = 20;

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
  if (anchorLine === undefined) return { ok: false, position, reason: "no-date" };
  const refuse = ({ reason }: { readonly reason: SkipReason }, { value }: ContentLine) =>
    ({ ok: false, position, reason, detail: value }) as const;

  const start = readDate(anchorLine, reader);
  if (!start.ok) return refuse(start, anchorLine);
  const due = dueLine === undefined ? start : readDate(dueLine, reader);
  if (!due.ok) return refuse(due, dueLine ?? anchorLine);
  const changes = changeLine === undefined ? null : readDate(changeLine, reader);
  if (changes?.ok === false) return refuse(changes, changeLine ?? anchorLine);

  const rule = first("RRULE")?.value.trim() ?? null;
  // Only a series needs its start beside its date, and only with dates of the same kind.
  const isShifted = rule !== null && start.found.date.kind === due.found.date.kind;
  const anchor = isShifted ? start.found : due.found;
  return {
    ok: true,
    item: {
      position,
      start: anchor,
      shiftMs: momentOf(due.found.date) - momentOf(anchor.date),
      rule,
      extraDates: all("RDATE").flatMap((line) => readDates(line, reader).map(({ date }) => date)),
      excluded: new Set(
        all("EXDATE").flatMap((line) =>
          readDates(line, reader).flatMap(({ date }) => keysOf(date)),
        ),
      ),
      changes: changes?.found.date ?? null,
      revision: [
        Number(first("SEQUENCE")?.value) || 0,
        readStamp(first("LAST-MODIFIED") ?? first("DTSTAMP"), reader) ?? 0,
      ],
      isCancelled: component.isCalledOff || textOf("STATUS")?.toUpperCase() === "CANCELLED",
      summary: textOf("SUMMARY"),
      categories: all("CATEGORIES")
        .flatMap(({ value }) => splitTexts(value))
        .slice(0, MAX_CATEGORIES),
      createdAt: readCreated(first("CREATED"), reader),
    },
  };
}

/** Which occurrence of its series a date is; the same for every way of writing that moment. */
export function occurrenceKey(date: EntryDate): string {
  return date.kind === "day"
    ? formatDay(date.wall)
    : `${new Date(date.instant).toISOString().slice(0, 19)}Z`;
}

/**
 * Under which a series finds a change or an exclusion of this occurrence. Some calendars name the
 * occurrences of a timed series by their day, and those of whole days by their midnight.
 */
export function keysOfOccurrence(date: EntryDate): string[] {
  const own = occurrenceKey(date);
  return date.kind === "day" ? [own, `midnight ${own}`] : [own, formatDay(wallTimeOf(date))];
}

/** As a change or an exclusion names an occurrence. */
export function keysOf(date: EntryDate): string[] {
  const own = occurrenceKey(date);
  if (date.kind === "day" || wallTimeOf(date) % DAY_MS !== 0) return [own];
  return [own, `midnight ${formatDay(wallTimeOf(date))}`];
}

function wallTimeOf({ instant, zone }: Extract<EntryDate, { kind: "moment" }>): number {
  return instantToWallTime(instant, zone);
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
  return result.ok ? momentOf(result.found.date) : null;
}

function readCreated(line: ContentLine | undefined, reader: DateReader): string | null {
  const stamp = readStamp(line, reader);
  return stamp === null ? null : `${new Date(stamp).toISOString().slice(0, 19)}Z`;
}

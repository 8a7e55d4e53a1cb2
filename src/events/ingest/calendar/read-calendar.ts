/** The components of a calendar that can become events, and the zones they name. */
import type { FeedError } from "../../../rules/events/ingest/entry.ts";
import type { FeedBuilder } from "../feed-builder.ts";
import { parseContentLine, unfoldLines, type ContentLine } from "./content-line.ts";

export interface Calendar {
  readonly components: readonly CalendarComponent[];
  /** The lines of the VTIMEZONE of a name. */
  readonly zoneLines: ReadonlyMap<string, readonly string[]>;
}

export interface CalendarComponent {
  readonly kind: "VEVENT" | "VTODO";
  readonly index: number;
  readonly line: number;
  /** METHOD:CANCEL of its calendar: everything in it is called off. */
  readonly isCalledOff: boolean;
  /** By name, in their order. */
  readonly properties: ReadonlyMap<string, readonly ContentLine[]>;
}

export type CalendarResult =
  | { readonly ok: true; readonly calendar: Calendar }
  | { readonly ok: false; readonly fault: FeedError };

/** A calendar holds components, which hold alarms: three levels. */
const MAX_DEPTH = 8;
/** Lines of one name in one component: excluded dates come one a line. */
const MAX_REPEATS = 2_000;
/** Zones, and lines of each with all its history. */
const MAX_ZONES = 100;
const MAX_ZONE_LINES = 4_000;

const KEPT_PROPERTIES: ReadonlySet<string> = new Set([
  "UID",
  "SUMMARY",
  "CATEGORIES",
  "DTSTART",
  "DUE",
  "RRULE",
  "RDATE",
  "EXDATE",
  "RECURRENCE-ID",
  "STATUS",
  "SEQUENCE",
  "CREATED",
  "LAST-MODIFIED",
  "DTSTAMP",
]);

export function readCalendar(text: string, builder: FeedBuilder): CalendarResult {
  const components: CalendarComponent[] = [];
  const zoneLines = new Map<string, readonly string[]>();
  const stack: string[] = [];
  let component: (CalendarComponent & { properties: Map<string, ContentLine[]> }) | null = null;
  let zone: { name: string | null; readonly lines: string[] } | null = null;
  let isCalledOff = false;

  for (const { number, text: line } of unfoldLines(text)) {
    // Most lines are of no interest, and longer than their names.
    const parsed = isInteresting(line, zone !== null) ? parseContentLine(line) : null;
    if (zone !== null && zone.lines.length < MAX_ZONE_LINES) zone.lines.push(line);
    if (parsed === null) continue;
    const value = parsed.value.trim().toUpperCase();

    if (parsed.name === "BEGIN") {
      if (stack.length >= MAX_DEPTH) return malformed("components are nested too deeply", number);
      const isTop = stack.length === 1 && stack[0] === "VCALENDAR";
      stack.push(value);
      if (value === "VCALENDAR" && stack.length === 1) isCalledOff = false;
      else if (isTop && (value === "VEVENT" || value === "VTODO")) {
        // The builder keeps the fault.
        if (!builder.readNext()) return { ok: true, calendar: { components: [], zoneLines } };
        const index = components.length;
        component = { kind: value, index, line: number, isCalledOff, properties: new Map() };
        components.push(component);
      } else if (isTop && value === "VTIMEZONE") zone = { name: null, lines: [line] };
    } else if (parsed.name === "END") {
      if (stack.pop() !== value) return malformed("an END that nothing began", number);
      if (stack.length > 1) continue;
      component = null;
      const zoneName = zone?.name ?? null;
      if (zone !== null && zoneName !== null && zoneLines.size < MAX_ZONES) {
        zoneLines.set(zoneName, zone.lines);
      }
      zone = null;
    } else if (zone !== null) {
      if (parsed.name === "TZID" && stack.length === 2) zone.name ??= parsed.value.trim();
    } else if (component !== null && stack.length === 2) {
      if (KEPT_PROPERTIES.has(parsed.name)) keep(component.properties, parsed);
    } else if (parsed.name === "METHOD" && stack.length === 1) isCalledOff = value === "CANCEL";
  }
  // A download that broke off must not look like a calendar with less in it.
  if (stack.length > 0)
    return { ok: false, fault: { code: "malformed", detail: "its end is missing" } };
  return { ok: true, calendar: { components, zoneLines } };
}

const INTERESTING = new RegExp(`^(?:BEGIN|END|METHOD|${[...KEPT_PROPERTIES].join("|")})[;:]`, "i");
const INTERESTING_IN_ZONE = /^(?:BEGIN|END|TZID)[;:]/i;

function isInteresting(line: string, isInZone: boolean): boolean {
  return (isInZone ? INTERESTING_IN_ZONE : INTERESTING).test(line);
}

function keep(properties: Map<string, ContentLine[]>, line: ContentLine): void {
  const lines = properties.get(line.name);
  if (lines === undefined) properties.set(line.name, [line]);
  else if (lines.length < MAX_REPEATS) lines.push(line);
}

function malformed(what: string, line: number): CalendarResult {
  return { ok: false, fault: { code: "malformed", detail: `${what}, line ${line}` } };
}

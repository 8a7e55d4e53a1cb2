/** Reads the VEVENT, VTODO and VTIMEZONE components of a calendar. */
import type { FeedResult } from "../../../rules/events/ingest/entry.ts";
import type { FeedBuilder } from "../feed-builder.ts";
import { parseContentLine, unescapeText, unfoldLines, type ContentLine } from "./content-line.ts";

export interface CalendarComponent {
  readonly kind: "VEVENT" | "VTODO";
  readonly index: number;
  readonly line: number;
  /** The calendar has METHOD:CANCEL. */
  readonly isCancelled: boolean;
  readonly properties: ReadonlyMap<string, readonly ContentLine[]>;
  /** Those of its calendar: a TZID is unique within one VCALENDAR only (RFC 5545 3.8.3.1). */
  readonly zones: CalendarZones;
}

/** The lines of each VTIMEZONE, by TZID. */
export type CalendarZones = ReadonlyMap<string, readonly string[]>;

export type CalendarResult =
  | { readonly kind: "read"; readonly components: readonly CalendarComponent[] }
  | Extract<FeedResult, { kind: "failed" }>;

/** Calendar, component and alarm are three levels. */
const MAX_DEPTH = 8;
/** The lines of one property in one component: EXDATE often repeats. */
const MAX_REPEATS = 2_000;
/** In all calendars of a file: each may cost an expansion of its rules. */
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

export function readComponents(text: string, builder: FeedBuilder): CalendarResult {
  const components: CalendarComponent[] = [];
  let zones = new Map<string, readonly string[]>();
  let zoneCount = 0;
  const stack: string[] = [];
  let component: (CalendarComponent & { properties: Map<string, ContentLine[]> }) | null = null;
  let zone: { name: string | null; readonly lines: string[] } | null = null;
  let isCancelled = false;

  for (const { number, text: line } of unfoldLines(text)) {
    // Most lines are irrelevant, and testing the name is cheaper than parsing them.
    const parsed = isRelevant(line, zone !== null) ? parseContentLine(line) : null;
    if (zone !== null && zone.lines.length < MAX_ZONE_LINES) zone.lines.push(line);
    if (parsed === null) continue;
    const value = parsed.value.trim().toUpperCase();

    if (parsed.name === "BEGIN") {
      if (stack.length >= MAX_DEPTH)
        return malformed(`components are nested too deeply, line ${number}`);
      const isTop = stack.length === 1 && stack[0] === "VCALENDAR";
      stack.push(value);
      if (value === "VCALENDAR" && stack.length === 1) {
        isCancelled = false;
        zones = new Map();
      } else if (isTop && (value === "VEVENT" || value === "VTODO")) {
        // The builder reports the error.
        if (!builder.readNext()) return { kind: "read", components: [] };
        const index = components.length;
        const properties = new Map<string, ContentLine[]>();
        component = { kind: value, index, line: number, isCancelled, properties, zones };
        components.push(component);
      } else if (isTop && value === "VTIMEZONE") zone = { name: null, lines: [line] };
    } else if (parsed.name === "END") {
      if (stack.pop() !== value) return malformed(`an END without a BEGIN, line ${number}`);
      if (stack.length > 1) continue;
      component = null;
      const zoneName = zone?.name ?? null;
      if (zone !== null && zoneName !== null && zoneCount < MAX_ZONES) {
        zones.set(zoneName, zone.lines);
        zoneCount++;
      }
      zone = null;
    } else if (zone !== null) {
      // The property is a text with escapes, the parameter that refers to it is not.
      const isName = parsed.name === "TZID" && stack.length === 2;
      if (isName) zone.name ??= unescapeText(parsed.value).trim();
    } else if (component !== null && stack.length === 2) {
      if (KEPT_PROPERTIES.has(parsed.name)) keep(component.properties, parsed);
    } else if (parsed.name === "METHOD" && stack.length === 1) isCancelled = value === "CANCEL";
  }
  // A truncated download must not look like a calendar with fewer entries.
  if (stack.length > 0) return malformed("its end is missing");
  return { kind: "read", components };
}

const RELEVANT = new RegExp(`^(?:BEGIN|END|METHOD|${[...KEPT_PROPERTIES].join("|")})[;:]`, "i");
const RELEVANT_IN_ZONE = /^(?:BEGIN|END|TZID)[;:]/i;

function isRelevant(line: string, isInZone: boolean): boolean {
  return (isInZone ? RELEVANT_IN_ZONE : RELEVANT).test(line);
}

function keep(properties: Map<string, ContentLine[]>, line: ContentLine): void {
  const lines = properties.get(line.name);
  if (lines === undefined) properties.set(line.name, [line]);
  else if (lines.length < MAX_REPEATS) lines.push(line);
}

function malformed(detail: string): CalendarResult {
  return { kind: "failed", error: { code: "malformed", detail } };
}

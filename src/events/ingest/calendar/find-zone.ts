/** Finds the IANA zone or the offset that a calendar means by the name of a zone. */
import { instantToWallTime, parseTimeZone } from "../../../rules/events/ingest/time-zone.ts";
import type { FeedBuilder } from "../feed-builder.ts";
import { parseContentLine } from "./content-line.ts";
import { findWindowsZone } from "./windows-zones.ts";

/** An IANA name, or an offset such as `+02:00`. */
export type FindZone = (name: string) => string;

/** Each costs a search through all zones; real calendars have one or two. */
const MAX_NAMES = 100;
const MAX_NAME_CHARACTERS = 200;

/**
 * Tries IANA names, also with a vendor's path before them, names of Windows, offsets, and the rules of
 * the calendar's own VTIMEZONE. Any other zone is read as the account's, with a notice.
 */
export function createZoneFinder(
  zoneLines: ReadonlyMap<string, readonly string[]>,
  accountZone: string,
  builder: FeedBuilder,
): FindZone {
  const zonesByName = new Map<string, string | null>();
  return (name) => {
    let zone = zonesByName.get(name);
    if (zone === undefined) {
      zone = zonesByName.size < MAX_NAMES ? resolveName(name, zoneLines.get(name) ?? []) : null;
      if (zone === null) builder.note("unknown-zone", name);
      if (zonesByName.size < MAX_NAMES) zonesByName.set(name, zone);
    }
    return zone ?? accountZone;
  };
}

function resolveName(name: string, lines: readonly string[]): string | null {
  if (name.length > MAX_NAME_CHARACTERS) return null;
  if (/^tzone:\/\/Microsoft\/Utc$/i.test(name)) return "UTC";
  return resolveIana(name) ?? findWindowsZone(name) ?? resolveOffset(name) ?? resolveRules(lines);
}

/** `Europe/Berlin`, and `/freeassociation.sourceforge.net/Europe/Berlin`. */
function resolveIana(name: string): string | null {
  const segments = name.split("/").filter((segment) => segment !== "");
  const candidates = [segments, segments.slice(-3), segments.slice(-2)].map((part) =>
    part.join("/"),
  );
  return candidates.find((candidate) => parseTimeZone(candidate) !== null) ?? null;
}

/** `+02:00`, `GMT+0530`, `(UTC-03:00) Here`. */
const OFFSET = /^\(?(?:UTC|GMT)?([+-])(\d{2}):?(\d{2})(?:\).*)?$/i;

function resolveOffset(label: string): string | null {
  const [, sign = "", hours = "", minutes = ""] = OFFSET.exec(label) ?? [];
  if (Number(hours) > 14 || Number(minutes) > 59) return null;
  return sign === "" ? null : `${sign}${hours}:${minutes}`;
}

/** The year whose rules of a VTIMEZONE count, and two moments of it with and without summer time. */
const RULES_YEAR = 2026;
const PROBES = [Date.UTC(RULES_YEAR, 0, 15, 12), Date.UTC(RULES_YEAR, 6, 15, 12)] as const;

/** A zone with the same two offsets, or the one offset of a zone without summer time. */
function resolveRules(lines: readonly string[]): string | null {
  const standard = findOffset(lines, "STANDARD");
  const daylight = findOffset(lines, "DAYLIGHT");
  if (standard === null || daylight === null) return standard;
  const wanted = [standard, daylight].map(offsetToMs).sort();
  const hasSameOffsets = (zone: string) => {
    const offsets = PROBES.map((probe) => instantToWallTime(probe, zone) - probe).sort();
    return offsets[0] === wanted[0] && offsets[1] === wanted[1] && offsets[0] !== offsets[1];
  };
  return Intl.supportedValuesOf("timeZone").find(hasSameOffsets) ?? null;
}

/** The TZOFFSETTO of the last STANDARD or DAYLIGHT that has begun in the year. */
function findOffset(lines: readonly string[], kind: "STANDARD" | "DAYLIGHT"): string | null {
  const found: { year: number; offset: string | null }[] = [];
  let isInside = false;
  for (const line of lines) {
    const parsed = parseContentLine(line);
    const value = parsed?.value.trim().toUpperCase() ?? "";
    const last = found.at(-1);
    if (parsed?.name === "BEGIN" && value === kind) {
      isInside = true;
      found.push({ year: 0, offset: null });
    } else if (parsed?.name === "END") isInside = false;
    else if (isInside && last !== undefined) {
      if (parsed?.name === "DTSTART") last.year = Number(value.slice(0, 4));
      if (parsed?.name === "TZOFFSETTO") last.offset = resolveOffset(value);
    }
  }
  found.sort((one, other) => other.year - one.year);
  return (found.find(({ year }) => year <= RULES_YEAR) ?? found.at(-1))?.offset ?? null;
}

function offsetToMs(offset: string): number {
  return Date.parse(`1970-01-01T00:00:00Z`) - Date.parse(`1970-01-01T00:00:00${offset}`);
}

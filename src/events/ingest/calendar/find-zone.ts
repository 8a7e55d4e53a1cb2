/** Finds the zone that a calendar means by a name. */
import { parseTimeZone, type TimeZone } from "../../../rules/events/ingest/time-zone.ts";
import type { FeedBuilder } from "../feed-builder.ts";
import type { CalendarZones } from "./read-components.ts";
import { readZoneRules } from "./read-zone-rules.ts";
import type { SearchBudget } from "./search-budget.ts";
import { findWindowsZone } from "./windows-zones.ts";

/** Real calendars have one or two. */
const MAX_NAMES = 100;
const MAX_NAME_CHARACTERS = 200;

/**
 * Tries IANA names, also with a vendor's path before them, names of Windows, offsets, and the rules of
 * the calendar's own VTIMEZONE. Any other zone is read as the account's, with a notice.
 */
export function createZoneFinder(
  accountZone: string,
  builder: FeedBuilder,
  budget: SearchBudget,
): (name: string, calendarZones?: CalendarZones) => TimeZone {
  const zonesByName = new Map<string, string | null>();
  const zonesByLines = new Map<readonly string[], TimeZone | null>();
  const unknown = new Set<string>();
  const findByName = (name: string) => {
    let zone = zonesByName.get(name);
    if (zone === undefined && zonesByName.size < MAX_NAMES) {
      zone = resolveName(name);
      zonesByName.set(name, zone);
    }
    return zone ?? null;
  };
  const findByRules = (lines: readonly string[]) => {
    let zone = zonesByLines.get(lines);
    if (zone === undefined) {
      zone = readZoneRules(lines, budget);
      zonesByLines.set(lines, zone);
    }
    return zone;
  };
  return (name, calendarZones) => {
    const lines = calendarZones?.get(name);
    const zone = findByName(name) ?? (lines === undefined ? null : findByRules(lines));
    if (zone !== null) return zone;
    if (!unknown.has(name)) builder.note("unknown-zone", name);
    if (unknown.size < MAX_NAMES) unknown.add(name);
    return accountZone;
  };
}

function resolveName(name: string): string | null {
  if (name.length > MAX_NAME_CHARACTERS) return null;
  if (/^tzone:\/\/Microsoft\/Utc$/i.test(name)) return "UTC";
  return resolveIana(name) ?? findWindowsZone(name) ?? resolveOffset(name);
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

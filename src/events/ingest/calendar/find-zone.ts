/** Finds the zone that a calendar means by a name. */
import { parseTimeZone, type TimeZone } from "../../../rules/events/ingest/time-zone.ts";
import type { FeedBuilder } from "../feed-builder.ts";
import { readZoneRules } from "./read-zone-rules.ts";
import type { SearchBudget } from "./search-budget.ts";
import { findWindowsZone } from "./windows-zones.ts";

/** Each may cost an expansion of its rules; real calendars have one or two. */
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
  budget: SearchBudget,
): (name: string) => TimeZone {
  const zonesByName = new Map<string, TimeZone | null>();
  const resolve = (name: string) =>
    resolveName(name) ?? readZoneRules(zoneLines.get(name) ?? [], budget);
  return (name) => {
    let zone = zonesByName.get(name);
    if (zone === undefined) {
      zone = zonesByName.size < MAX_NAMES ? resolve(name) : null;
      if (zone === null) builder.note("unknown-zone", name);
      if (zonesByName.size < MAX_NAMES) zonesByName.set(name, zone);
    }
    return zone ?? accountZone;
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

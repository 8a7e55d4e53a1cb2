/** From the names that calendars give to zones to names that everybody knows. */
import ical from "node-ical";
import { isTimeZone } from "../../../rules/events/ingest/time-zone.ts";
import type { FeedBuilder } from "../feed-builder.ts";

/** An IANA name, or an offset such as `+02:00`. */
export type FindZone = (name: string) => string;

/** Each costs a search through all zones there are; real calendars have one or two. */
const MAX_NAMES = 100;
const MAX_NAME_CHARACTERS = 200;

/**
 * In this order: IANA names, also with a vendor's path before them; names of Windows and offsets; the
 * rules of the calendar's own VTIMEZONE. What is still unknown is read by the clocks of the account
 * and noted.
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
      zone = zonesByName.size < MAX_NAMES ? resolveName(name, zoneLines.get(name)) : null;
      if (zone === null) builder.note("unknown-zone", name);
      if (zonesByName.size < MAX_NAMES) zonesByName.set(name, zone);
    }
    return zone ?? accountZone;
  };
}

function resolveName(name: string, lines: readonly string[] | undefined): string | null {
  if (name.length > MAX_NAME_CHARACTERS) return null;
  const known = resolveIana(name) ?? resolveLabel(name) ?? resolveOffset(name);
  return known ?? (lines === undefined ? null : resolveRules(lines));
}

/** The library keeps offsets as they were written: `+02:00`, `GMT+0530`, `(UTC-03:00) Here`. */
const OFFSET = /^\(?(?:UTC|GMT)?([+-])(\d{2}):?(\d{2})(?:\).*)?$/i;

function resolveOffset(label: string): string | null {
  const [, sign = "", hours = "", minutes = ""] = OFFSET.exec(label) ?? [];
  if (Number(hours) > 14 || Number(minutes) > 59) return null;
  return sign === "" ? null : `${sign}${hours}:${minutes}`;
}

/** `Europe/Berlin`, and `/freeassociation.sourceforge.net/Europe/Berlin`. */
function resolveIana(name: string): string | null {
  const segments = name.split("/").filter((segment) => segment !== "");
  const candidates = [segments, segments.slice(-3), segments.slice(-2)].map((part) =>
    part.join("/"),
  );
  return candidates.find((candidate) => !/^[+-]/.test(candidate) && isTimeZone(candidate)) ?? null;
}

/** `W. Europe Standard Time`, `(UTC+01:00) Amsterdam, Berlin`, `GMT+0200`, `tzone://Microsoft/Utc`. */
function resolveLabel(name: string): string | null {
  if (/^tzone:\/\/Microsoft\/Utc$/i.test(name)) return "UTC";
  // The parser takes these for the zone of this machine.
  if (/^(?:tzone:|Customized Time Zone|\(no TZ)/i.test(name)) return null;
  const label = name.replaceAll(/[^\p{L}\p{N} .,+:()&/_-]/gu, "");
  return readZone([], `"${label}"`);
}

/** The parser looks for the rules of zones of this name in the calendar itself. */
const OWN_RULES = "Customized Time Zone";

function resolveRules(lines: readonly string[]): string | null {
  const renamed = lines.map((line) => (/^TZID[;:]/i.test(line) ? `TZID:${OWN_RULES}` : line));
  return readZone(renamed, OWN_RULES);
}

/** What the parser makes of a time in this zone, or null when it knows nothing better than ours. */
function readZone(lines: readonly string[], name: string): string | null {
  const text = [
    "BEGIN:VCALENDAR",
    ...lines,
    "BEGIN:VEVENT",
    "UID:probe",
    `DTSTART;TZID=${name}:${PROBE}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ].join("\n");
  try {
    const found = ical.sync.parseICS(text)["probe"];
    const zone = found?.type === "VEVENT" ? found.start.tz : undefined;
    return zone === undefined ? null : (resolveIana(zone) ?? resolveOffset(zone));
  } catch {
    return null;
  }
}

/** The rules that hold in this year are those that count. */
const PROBE = "20260115T120000";

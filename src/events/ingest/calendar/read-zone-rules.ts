/** Reads the rules of a VTIMEZONE (RFC 5545 3.6.5): when its offset changes, for every year that is read. */
import { DAY_MS, MINUTE_MS } from "../../../contract/durations.ts";
import type { FeedWindow } from "../../../rules/events/ingest/entry.ts";
import { FIRST_YEAR, LAST_YEAR } from "../../../rules/events/ingest/limits.ts";
import {
  formatOffset,
  type OffsetChange,
  type ZoneRules,
} from "../../../rules/events/ingest/time-zone.ts";
import { parseWrittenDate } from "./read-date.ts";
import { parseContentLine, type ContentLine } from "./content-line.ts";
import { expandSeries } from "./expand-series.ts";
import { readDensity } from "./recurrence-rule.ts";
import type { SearchBudget } from "./search-budget.ts";

/** A zone with its whole history has about two hundred; each rule of one adds two for every year. */
const MAX_CHANGES = 5_000;
const YEARS: FeedWindow = { from: Date.UTC(FIRST_YEAR, 0), to: Date.UTC(LAST_YEAR + 1, 0) };

/** A rule with more of them in its first years has too many in all, and would be costly. */
const MAX_FIRST_ONSETS = 20;

function firstYears(start: number): FeedWindow {
  const from = Math.max(start, YEARS.from);
  return { from, to: from + 10 * 366 * DAY_MS };
}

/** Null when there are no rules, or one of them is invalid or too costly: a part of them would be wrong. */
export function readZoneRules(lines: readonly string[], budget: SearchBudget): ZoneRules | null {
  if (budget.isUsedUp()) return null;
  const changes: (OffsetChange & { readonly before: number })[] = [];
  const search = budget.beginRule();
  for (const observance of listObservances(lines)) {
    if (!search.mayGoOn()) return null;
    const found = readObservance(observance, budget);
    if (found === null || changes.length + found.onsets.length > MAX_CHANGES) return null;
    const { before, after } = found;
    changes.push(...found.onsets.map((at) => ({ at, offset: after, before })));
  }
  changes.sort((one, other) => one.at - other.at);
  const [first] = changes;
  return first === undefined ? null : { firstOffset: first.before, changes };
}

type Observance = ReadonlyMap<string, readonly ContentLine[]>;

/** Each STANDARD and DAYLIGHT, by the names of its properties. */
function listObservances(lines: readonly string[]): Observance[] {
  const observances: Map<string, ContentLine[]>[] = [];
  let current: Map<string, ContentLine[]> | null = null;
  for (const line of lines) {
    const parsed = parseContentLine(line);
    if (parsed === null) continue;
    const { name } = parsed;
    if (name === "BEGIN" && /^(?:STANDARD|DAYLIGHT)\s*$/i.test(parsed.value)) {
      current = new Map();
      observances.push(current);
    } else if (name === "END") current = null;
    else current?.set(name, [...(current.get(name) ?? []), parsed]);
  }
  return observances;
}

interface ReadObservance {
  readonly before: number;
  readonly after: number;
  /** The moments at which the observance begins. */
  readonly onsets: readonly number[];
}

function readObservance(properties: Observance, budget: SearchBudget): ReadObservance | null {
  const valuesOf = (name: string) => (properties.get(name) ?? []).map(({ value }) => value.trim());
  const before = parseUtcOffset(valuesOf("TZOFFSETFROM")[0] ?? "");
  const after = parseUtcOffset(valuesOf("TZOFFSETTO")[0] ?? "");
  const start = parseWrittenDate(valuesOf("DTSTART")[0] ?? "")?.wall ?? null;
  if (before === null || after === null || start === null) return null;

  const onsets = new Set([start - before]);
  for (const value of valuesOf("RDATE").flatMap((list) => list.split(","))) {
    const wall = parseWrittenDate(value.split("/", 1)[0] ?? "")?.wall ?? null;
    if (wall === null) return null;
    onsets.add(wall - before);
  }
  for (const rule of valuesOf("RRULE")) {
    // Other frequencies and several times a day occur in no zone, and would be costly.
    const isUsual = /(?:^|;)FREQ=YEARLY(?:;|$)/i.test(rule);
    if (!isUsual || readDensity(rule.toUpperCase()).perDay > 1) return null;
    // RFC 5545 3.6.5: onsets are times with the offset before the change.
    const zone = formatOffset(before);
    const date = { kind: "moment", instant: start - before, zone } as const;
    const expand = (window: FeedWindow) =>
      expandSeries({ date, ruleZone: zone }, rule, window, budget);
    const first = expand(firstYears(start));
    if (first === null || first.dates.length > MAX_FIRST_ONSETS) return null;
    const expansion = expand(YEARS);
    if (expansion === null || expansion.isCut) return null;
    for (const found of expansion.dates) if (found.kind === "moment") onsets.add(found.instant);
  }
  return { before, after, onsets: [...onsets] };
}

const MINUTES_PER_DAY = 1_440;
const UTC_OFFSET = /^([+-])(\d{2})(\d{2})(\d{2})?$/;

/** RFC 5545 3.3.14, in milliseconds of whole minutes: RFC 3339 has no seconds in offsets. */
function parseUtcOffset(text: string): number | null {
  const [, sign, hours, minutes, seconds = "0"] = UTC_OFFSET.exec(text) ?? [];
  if (sign === undefined || Number(minutes) > 59) return null;
  const total = Number(hours) * 60 + Number(minutes) + Math.round(Number(seconds) / 60);
  if (total >= MINUTES_PER_DAY) return null;
  return (sign === "-" ? -total : total) * MINUTE_MS;
}

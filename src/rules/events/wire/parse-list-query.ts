import { HOUR_MS } from "../../../contract/durations.ts";
import { EVENTS_LIMIT_RANGE } from "../../../contract/events/values.ts";
import { parseIsoDate, type IsoDateError } from "../iso-date.ts";
import type { Parameters } from "./parse-parameters.ts";

export interface ListQuery {
  readonly limit: number;
  /** Milliseconds since 1970; null for a full list. */
  readonly updatedSince: number | null;
  readonly includeDeleted: boolean;
}

export type ListQueryResult =
  | { readonly kind: "accepted"; readonly query: ListQuery }
  | { readonly kind: "refused"; readonly description: string };

/** RFC 6750 2.3 is not supported: URLs end up in logs. Checked before the header is read. */
export function carriesAccessToken({ values, repeated, malformed }: Parameters): boolean {
  return [values, repeated, malformed].some((names) => names.has("access_token"));
}

/** An empty value is invalid. */
export function parseListQuery(parameters: Parameters): ListQueryResult {
  const limit = readLimit(parameters.values.get("limit"));
  if (limit === null) {
    const { minimum, maximum } = EVENTS_LIMIT_RANGE;
    return refuse(`limit must be an integer from ${minimum} to ${maximum}`);
  }
  const updatedSince = readOptional(parameters, "updated_since", parseSince, null);
  if (updatedSince === undefined) return refuse(SINCE_ERRORS["invalid-date"]);
  if (typeof updatedSince === "string") return refuse(SINCE_ERRORS[updatedSince]);
  const includeDeleted = readOptional(parameters, "include_deleted", readBoolean, false);
  if (includeDeleted === undefined) return refuse("include_deleted must be true or false");
  return { kind: "accepted", query: { limit, updatedSince, includeDeleted } };
}

const SINCE_ERRORS: Readonly<Record<IsoDateError, string>> = {
  "date-without-day": "updated_since must name a day, or a moment",
  "expanded-year": "updated_since must have a year of four digits without a sign",
  "mixed-forms":
    "updated_since must be all extended (2026-09-01T10:15) or all basic (20260901T1015)",
  "invalid-date":
    "updated_since must be an ISO 8601 date or date-time of the calendar; a plus sign is written %2B",
};

/** The value, `absent` when the parameter is absent, undefined when it is invalid. */
function readOptional<T, A>(
  { values, repeated, malformed, empty }: Parameters,
  name: string,
  read: (text: string) => T | null,
  absent: A,
): T | A | undefined {
  const text = values.get(name);
  if (text !== undefined) return read(text) ?? undefined;
  return repeated.has(name) || malformed.has(name) || empty.has(name) ? undefined : absent;
}

function readLimit(text: string | undefined): number | null {
  if (text === undefined || !/^[1-9][0-9]{0,15}$/.test(text)) return null;
  const limit = Number(text);
  return limit <= EVENTS_LIMIT_RANGE.maximum ? limit : null;
}

/** A local time without its offset is earliest in the easternmost zone. */
const EARLIEST_OFFSET_MS = 14 * HOUR_MS;

/**
 * Milliseconds since 1970. A day is its midnight, and a time without an offset is read as the earliest
 * instant it can be, so that nothing is missed; fractions beyond milliseconds are cut.
 */
export function parseSince(text: string): number | IsoDateError {
  const date = parseIsoDate(text);
  if (date.kind === "invalid") return date.reason;
  return date.kind === "moment" ? date.instant : date.wall - EARLIEST_OFFSET_MS;
}

function readBoolean(text: string): boolean | null {
  return text === "true" ? true : text === "false" ? false : null;
}

function refuse(description: string): ListQueryResult {
  return { kind: "refused", description };
}

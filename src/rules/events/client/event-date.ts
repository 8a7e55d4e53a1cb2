import { parseDateTime } from "../../../contract/date-time.ts";

export type EventDate =
  /** The day as written, for a date and for a time without an offset. */
  | { readonly kind: "day"; readonly day: string; readonly sortMs: number }
  /** Milliseconds since the epoch. */
  | { readonly kind: "instant"; readonly sortMs: number };

/** ISO 8601 in its extended form; seconds and the offset may be missing, as may the whole time. */
const PATTERN =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2}(?:\.\d{1,9})?))?(Z|[+-]\d{2}:\d{2})?)?$/i;

/** Null when the text is no date of the calendar. */
export function parseEventDate(text: string): EventDate | null {
  const [whole, day, time = "00:00", seconds = "00", offset] = PATTERN.exec(text) ?? [];
  if (whole === undefined || day === undefined) return null;
  const sortMs = parseDateTime(`${day}T${time}:${seconds}${offset ?? "Z"}`);
  if (sortMs === null) return null;
  return offset === undefined ? { kind: "day", day, sortMs } : { kind: "instant", sortMs };
}

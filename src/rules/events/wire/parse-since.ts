/** Reads `updated_since`. Where it leaves a choice, the earlier moment is taken: nothing is missed. */
import { parseDateTime } from "../../../contract/date-time.ts";

const LOCAL = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** Whoever sends a local clock without its offset may sit this far east, where it is latest. */
const EARLIEST_OFFSET = "+14:00";

/**
 * Milliseconds since the epoch, or null. RFC 3339 with a calendar check; also without an offset, and a
 * bare date, which is its midnight. Fractions beyond milliseconds are cut, which is rounding down; a
 * leap second is read as the second before it.
 */
export function parseSince(text: string): number | null {
  if (LOCAL.test(text)) return parseDateTime(`${text}${EARLIEST_OFFSET}`);
  if (DATE.test(text)) return parseDateTime(`${text}T00:00:00${EARLIEST_OFFSET}`);
  return parseDateTime(text);
}

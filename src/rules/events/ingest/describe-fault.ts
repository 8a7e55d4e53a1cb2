/** A sentence for each fault; pages that speak other languages word the codes themselves. */
import type { FeedError, FeedErrorCode } from "./entry.ts";

const SENTENCES: Readonly<Record<FeedErrorCode, string>> = {
  empty: "There is nothing in it: check that the file or address is the right one",
  html: "This is a web page and no calendar: the address may need a sign-in, or be that of a page about the calendar",
  "not-a-calendar": "This is no calendar: it has no line BEGIN:VCALENDAR",
  "unknown-format": "Cannot tell what this is: expected iCalendar, CSV or JSON",
  "bad-encoding": "The text is not UTF-8: save it as UTF-8 and try again",
  malformed: "The text breaks off or cannot be read",
  "bad-header": "The first row does not name the columns: expected at least title or date",
  "too-large": "It is too large",
  "too-many-entries": "It has too many entries: split it, or subscribe to less",
  "too-slow":
    "Reading it took too long and was stopped: it may be made to do harm, or have rules that repeat without end",
  "out-of-memory": "Reading it took too much memory and was stopped",
  crashed: "Reading it failed in an unexpected way",
};

export function describeFault({ code, detail }: FeedError): string {
  return detail === undefined ? SENTENCES[code] : `${SENTENCES[code]} (${detail})`;
}

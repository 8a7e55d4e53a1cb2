/** English sentences for why a source, or one of its entries, was not read. Pages translate the codes. */
import type { FeedError, FeedErrorCode, SkipReason } from "./entry.ts";
import { FIRST_YEAR, LAST_YEAR, MAX_ID_CHARACTERS, MAX_TYPE_CHARACTERS } from "./limits.ts";

const FEED_ERRORS: Readonly<Record<FeedErrorCode, string>> = {
  empty: "It is empty: check the file or address",
  html: "This is a web page, not a calendar: the address may need a sign-in, or be that of a page about the calendar",
  "not-a-calendar": "This is not a calendar: it has no line BEGIN:VCALENDAR",
  "unknown-format": "The format is not known: expected iCalendar, CSV or JSON",
  "bad-encoding": "The text is not UTF-8: save it as UTF-8 and try again",
  malformed: "The text is incomplete or cannot be read",
  "bad-header": "The first row does not name the columns: expected at least title or date",
  "too-large": "It is too large",
  "too-many-entries": "It has too many entries: split it, or subscribe to a smaller one",
  "too-slow":
    "Reading it took too long and was stopped: it may be malicious, or have rules that repeat forever",
  "out-of-memory": "Reading it took too much memory and was stopped",
  crashed: "Reading it failed unexpectedly",
};

const SKIP_REASONS: Readonly<Record<SkipReason, string>> = {
  "no-date": "It has no date: an event needs DTSTART, a task DUE",
  "bad-date": "Its date does not exist, or is not written as a date",
  "date-out-of-range": `Its year is not from ${FIRST_YEAR} to ${LAST_YEAR}`,
  "bad-rule": "Its recurrence rule is invalid or too costly",
  "no-occurrence": "It repeats, but not within the imported period",
  duplicate: "Another entry has the same id, and is newer or the first",
  "bad-id": `Its id is not text of 1 to ${MAX_ID_CHARACTERS} visible characters`,
  "bad-type": `Its type is not text of 1 to ${MAX_TYPE_CHARACTERS} characters`,
  "bad-text": "Its title or subject is not text",
  "bad-shape": "It is not an event: the members or columns are not those of one",
  "no-content": "It is empty: neither title, subject nor date",
};

export function explainFeedError({ code, detail }: FeedError): string {
  return detail === undefined ? FEED_ERRORS[code] : `${FEED_ERRORS[code]} (${detail})`;
}

export function explainSkip(reason: SkipReason, detail?: string): string {
  return detail === undefined ? SKIP_REASONS[reason] : `${SKIP_REASONS[reason]} ("${detail}")`;
}

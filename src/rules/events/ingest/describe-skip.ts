/** A sentence for each reason why an entry is left out. */
import type { SkipReason } from "./entry.ts";
import { FIRST_YEAR, LAST_YEAR, MAX_ID_CHARACTERS, MAX_TYPE_CHARACTERS } from "./limits.ts";

const SENTENCES: Readonly<Record<SkipReason, string>> = {
  "no-date": "It has no date: an event needs DTSTART, a task DUE",
  "bad-date": "Its date is in no calendar, or not written as a date",
  "date-out-of-range": `Its year is not from ${FIRST_YEAR} to ${LAST_YEAR}`,
  "bad-rule": "Its rule for repeating cannot be followed",
  "no-occurrence": "It repeats, but not in the time that is read",
  duplicate: "Another entry has the same identity, and is newer or the first",
  "bad-id": `Its id is no text of 1 to ${MAX_ID_CHARACTERS} visible characters`,
  "bad-type": `Its type is no text of 1 to ${MAX_TYPE_CHARACTERS} characters`,
  "bad-text": "Its title or subject is no text",
  "bad-shape": "It is no event: the members or columns are not those of one",
  "no-content": "It is empty: neither title, subject nor date",
};

export function describeSkip(reason: SkipReason, detail?: string): string {
  return detail === undefined ? SENTENCES[reason] : `${SENTENCES[reason]} ("${detail}")`;
}

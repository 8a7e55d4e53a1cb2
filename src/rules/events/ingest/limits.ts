/** How much of a source is taken. */

/** Titles and subjects, in code points: what is longer is cut and ends in an ellipsis. */
export const MAX_TEXT_CHARACTERS = 500;

/** An id names an entry for ever, so one that is longer is refused and not cut. */
export const MAX_ID_CHARACTERS = 255;

export const MAX_TYPE_CHARACTERS = 64;

/** Of one series, from the begin of the window on. */
export const MAX_OCCURRENCES = 500;

/** Series are expanded so far around now: what is due, and a little of what was. */
export const WINDOW_DAYS_BACK = 30;
export const WINDOW_DAYS_AHEAD = 400;

/** Of a source, counted before and after series are expanded. */
export const MAX_ENTRIES = 50_000;

/** Skipped entries that are named one by one; the others are only counted. */
export const MAX_SKIPPED_LISTED = 100;

/** Names that a notice gives as examples. */
export const MAX_EXAMPLES = 10;

/** Outside text inside of messages. */
export const MAX_QUOTED_CHARACTERS = 80;

/** Years outside of these are slips of the pen or attacks, and no date libraries agree on. */
export const FIRST_YEAR = 1900;
export const LAST_YEAR = 2200;

/** Of the rules of one subscription. */
export const MAX_WORD_RULES = 50;
export const MAX_WORDS_PER_RULE = 100;
export const MAX_WORD_CHARACTERS = 60;

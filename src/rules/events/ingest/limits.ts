/** Titles and subjects, in code points: what is longer is cut and ends in an ellipsis. */
export const MAX_TEXT_CHARACTERS = 500;

/** An id that is longer is refused, because a cut id may be that of another entry. */
export const MAX_ID_CHARACTERS = 255;

export const MAX_TYPE_CHARACTERS = 64;

export const MAX_OCCURRENCES = 500;

/** Series are expanded within these days of now. */
export const WINDOW_DAYS_BACK = 30;
export const WINDOW_DAYS_AHEAD = 400;

/** The entries of one source, before and after series are expanded. */
export const MAX_ENTRIES = 50_000;

/** Further skipped entries are only counted. */
export const MAX_SKIPPED_LISTED = 100;

export const MAX_EXAMPLES = 10;

export const MAX_QUOTED_CHARACTERS = 80;

/** Years out of range are typing errors or attacks, and date libraries disagree about them. */
export const FIRST_YEAR = 1900;
export const LAST_YEAR = 2200;

export const MAX_WORD_RULES = 50;
export const MAX_WORDS_PER_RULE = 100;
export const MAX_WORD_CHARACTERS = 60;

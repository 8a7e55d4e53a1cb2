/** What a calendar, a table or a list becomes: entries as events know them, and what was left out. */

export interface ParsedEntry {
  readonly eventId: string;
  readonly type: string;
  /** The word that decided the type; null for the default, and where the source names the type. */
  readonly because: string | null;
  readonly subjectName: string | null;
  readonly title: string | null;
  /** `YYYY-MM-DD`, or RFC 3339 with an offset. */
  readonly date: string | null;
  /** The moment of `date` in milliseconds, for the order: midnight UTC for a whole day. */
  readonly dateAt: number | null;
  /** RFC 3339, when the source says when the entry was made. */
  readonly createdAt: string | null;
  /** The source says that it does not take place: a deletion. */
  readonly cancelled: boolean;
}

export interface ParsedFeed {
  readonly format: FeedFormat;
  /** Each id once. */
  readonly entries: readonly ParsedEntry[];
  readonly skipped: SkippedEntries;
  /** What was kept, but not quite as it was written. */
  readonly notices: readonly FeedNotice[];
  /** Between which moments series were expanded, or null for formats without series. */
  readonly window: FeedWindow | null;
  readonly counts: FeedCounts;
}

export type FeedFormat = "ics" | "csv" | "json";

/** In milliseconds since 1970, both ends included. */
export interface FeedWindow {
  readonly from: number;
  readonly to: number;
}

export interface FeedCounts {
  /** What the source holds: components, rows or list elements, each series once. */
  readonly read: number;
  /** Entries that take place. */
  readonly kept: number;
  readonly cancelled: number;
}

export interface SkippedEntries {
  /** The first of them. */
  readonly list: readonly SkippedEntry[];
  readonly total: number;
}

export interface SkippedEntry {
  /** In the order of the source; the first entry is 0. */
  readonly index: number;
  /** Where it begins, when the source has lines; the first is 1. */
  readonly line: number | null;
  /** Its own name for itself, shortened. */
  readonly uid: string | null;
  readonly reason: SkipReason;
  /** For people, in English. */
  readonly text: string;
}

export type SkipReason =
  | "no-date"
  | "bad-date"
  | "date-out-of-range"
  | "bad-rule"
  | "no-occurrence"
  | "duplicate"
  | "bad-id"
  | "bad-type"
  | "bad-text"
  | "bad-shape"
  | "no-content";

export interface FeedNotice {
  readonly code: FeedNoticeCode;
  /** How many entries, columns or zones this is about. */
  readonly count: number;
  /** A few names of what it is about: columns, zones, ids. Outside text, bounded. */
  readonly examples: readonly string[];
}

export type FeedNoticeCode = "unknown-columns" | "unknown-zone" | "series-cut" | "text-cut";

/** Why nothing could be read at all. */
export interface FeedError {
  readonly code: FeedErrorCode;
  /** Where or what, when that helps: a line, a column, a limit. Never a secret, bounded. */
  readonly detail?: string;
}

export type FeedErrorCode =
  | "empty"
  | "html"
  | "not-a-calendar"
  | "unknown-format"
  | "bad-encoding"
  | "malformed"
  | "bad-header"
  | "too-large"
  | "too-many-entries"
  | "too-slow"
  | "out-of-memory"
  | "crashed";

export type FeedResult =
  | { readonly ok: true; readonly feed: ParsedFeed }
  | { readonly ok: false; readonly fault: FeedError };

/** Which words make which type: the first rule of a list with a word that is there. */
export interface WordRule {
  readonly words: readonly string[];
  readonly type: string;
}

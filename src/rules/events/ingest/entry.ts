/** The result of reading a calendar, a CSV table or a JSON list. */

export interface ParsedEntry {
  readonly eventId: string;
  readonly type: string;
  /** The word that decided the type; null for the default, and where the source names the type. */
  readonly because: string | null;
  readonly subjectName: string | null;
  readonly title: string | null;
  /** `YYYY-MM-DD`, or RFC 3339 with an offset. */
  readonly date: string | null;
  /** `date` in milliseconds since 1970, for the order: midnight UTC for a whole day. */
  readonly dateAt: number | null;
  /** RFC 3339; null when the source does not say. */
  readonly createdAt: string | null;
  /** The source cancels it, which deletes the event. */
  readonly cancelled: boolean;
}

export interface ParsedFeed {
  readonly format: FeedFormat;
  /** Each id is in the list once. */
  readonly entries: readonly ParsedEntry[];
  readonly skipped: SkippedEntries;
  /** Notices of what was kept, but not exactly as written. */
  readonly notices: readonly FeedNotice[];
  /** The window in which series were expanded; null for formats without series. */
  readonly window: FeedWindow | null;
  readonly counts: FeedCounts;
}

export type FeedFormat = "ics" | "csv" | "json";

/** The ends are in milliseconds since 1970, and both included. */
export interface FeedWindow {
  readonly from: number;
  readonly to: number;
}

export interface FeedCounts {
  /** The number of components, rows or list elements; a series counts once. */
  readonly read: number;
  readonly kept: number;
  readonly cancelled: number;
}

export interface SkippedEntries {
  readonly list: readonly SkippedEntry[];
  readonly total: number;
}

export interface SkippedEntry {
  /** The place of the entry in the source, from 0. */
  readonly index: number;
  /** The line at which the entry begins, from 1; null when the source has no lines. */
  readonly line: number | null;
  /** The UID or id of the source, shortened. */
  readonly uid: string | null;
  readonly reason: SkipReason;
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
  readonly count: number;
  /** Names of columns and zones, or ids: untrusted text, shortened. */
  readonly examples: readonly string[];
}

export type FeedNoticeCode =
  | "unknown-columns"
  | "unknown-zone"
  | "series-cut"
  | "text-cut"
  | "count-ignored"
  | "range-ignored";

/** Why the whole source could not be read. */
export interface FeedError {
  readonly code: FeedErrorCode;
  /** A line, a column or a limit; shortened, and never a secret. */
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
  | { readonly kind: "parsed"; readonly feed: ParsedFeed }
  | { readonly kind: "failed"; readonly error: FeedError };

/** Gives entries with one of the words the type. The first matching rule of a list counts. */
export interface WordRule {
  readonly words: readonly string[];
  readonly type: string;
}

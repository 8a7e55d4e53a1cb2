/** Collects what a parser finds, within bounds. */
import { cleanText, quoteText } from "../../rules/events/ingest/clean-text.ts";
import { describeSkip } from "../../rules/events/ingest/describe-skip.ts";
import type {
  FeedError,
  FeedFormat,
  FeedNoticeCode,
  FeedResult,
  FeedWindow,
  ParsedEntry,
  SkippedEntry,
  SkipReason,
} from "../../rules/events/ingest/entry.ts";
import {
  MAX_ENTRIES,
  MAX_EXAMPLES,
  MAX_QUOTED_CHARACTERS,
  MAX_SKIPPED_LISTED,
  MAX_TEXT_CHARACTERS,
} from "../../rules/events/ingest/limits.ts";

/** Where an entry stands in its source. */
export type EntryPosition = Pick<SkippedEntry, "index" | "line" | "uid">;

export interface FeedBuilder {
  /** One more component, row or element; false when there are too many to go on. */
  readNext(): boolean;
  skip(position: EntryPosition, reason: SkipReason, detail?: string): void;
  note(code: FeedNoticeCode, example: string): void;
  /** A title or subject as it is kept. */
  takeText(source: string | null, uid: string | null): string | null;
  /** False when there are too many to go on. */
  add(entry: ParsedEntry, position: EntryPosition): boolean;
  finish(window: FeedWindow | null): FeedResult;
}

/** Occurrences of a series repeat its texts, so a small source can become a large result. */
const MAX_RESULT_CHARACTERS = 20_000_000;
/** A progress report costs a message to another thread. */
const ENTRIES_PER_REPORT = 500;

export function createFeedBuilder(
  format: FeedFormat,
  report: (entriesRead: number) => void,
): FeedBuilder {
  const entriesById = new Map<string, ParsedEntry>();
  const skipped: SkippedEntry[] = [];
  const notices = new Map<FeedNoticeCode, { count: number; examples: Set<string> }>();
  let skippedTotal = 0;
  let read = 0;
  let cancelled = 0;
  let characters = 0;
  let fault: FeedError | null = null;

  const builder: FeedBuilder = {
    readNext: () => {
      if (read >= MAX_ENTRIES) fault ??= tooMany();
      else if (++read % ENTRIES_PER_REPORT === 0) report(read);
      return fault === null;
    },
    skip: (position, reason, detail) => {
      skippedTotal++;
      if (skipped.length >= MAX_SKIPPED_LISTED) return;
      const quoted = detail === undefined ? undefined : quoteText(detail, MAX_QUOTED_CHARACTERS);
      const uid = position.uid === null ? null : quoteText(position.uid, MAX_QUOTED_CHARACTERS);
      skipped.push({ ...position, uid, reason, text: describeSkip(reason, quoted) });
    },
    note: (code, example) => {
      const notice = notices.get(code) ?? { count: 0, examples: new Set<string>() };
      notices.set(code, notice);
      notice.count++;
      const { examples } = notice;
      if (examples.size < MAX_EXAMPLES) examples.add(quoteText(example, MAX_QUOTED_CHARACTERS));
    },
    takeText: (source, uid) => {
      if (source === null) return null;
      const { text, isCut } = cleanText(source, MAX_TEXT_CHARACTERS);
      if (isCut) builder.note("text-cut", uid ?? text ?? "");
      return text;
    },
    add: (entry, position) => {
      if (entriesById.has(entry.eventId)) {
        builder.skip(position, "duplicate");
        return true;
      }
      characters += (entry.title?.length ?? 0) + (entry.subjectName?.length ?? 0);
      if (entriesById.size >= MAX_ENTRIES) fault ??= tooMany();
      else if (characters > MAX_RESULT_CHARACTERS) fault ??= { code: "too-large" };
      if (fault !== null) return false;
      entriesById.set(entry.eventId, entry);
      if (entry.cancelled) cancelled++;
      return true;
    },
    finish: (window) => {
      if (fault !== null) return { ok: false, fault };
      const feed = {
        format,
        entries: [...entriesById.values()],
        skipped: { list: skipped, total: skippedTotal },
        notices: [...notices].map(([code, { count, examples }]) => ({
          code,
          count,
          examples: [...examples],
        })),
        window,
        counts: { read, kept: entriesById.size - cancelled, cancelled },
      };
      return { ok: true, feed };
    },
  };
  return builder;
}

function tooMany(): FeedError {
  return { code: "too-many-entries", detail: `at most ${MAX_ENTRIES}` };
}

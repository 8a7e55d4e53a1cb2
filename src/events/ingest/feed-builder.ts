/** Collects the entries of a source, within limits. */
import { createHash } from "node:crypto";
import { cleanText, quoteText } from "../../rules/events/ingest/clean-text.ts";
import { explainSkip } from "../../rules/events/ingest/explain-feed-error.ts";
import type {
  FeedError,
  FeedFormat,
  FeedNoticeCode,
  FeedResult,
  FeedWindow,
  ParsedEntry,
  SkippedEntry,
  SkipReason,
  WordRule,
} from "../../rules/events/ingest/entry.ts";
import {
  MAX_ENTRIES,
  MAX_EXAMPLES,
  MAX_QUOTED_CHARACTERS,
  MAX_SKIPPED_LISTED,
  MAX_TEXT_CHARACTERS,
} from "../../rules/events/ingest/limits.ts";
import {
  createTypeFinder,
  DEFAULT_TYPE,
  DEFAULT_WORD_RULES,
  type FindType,
} from "../../rules/events/ingest/word-rules.ts";

/** The settings are plain data, because they are sent to the worker thread. */
export interface SourceSettings {
  /** The source id is in the ids of a calendar's entries, so that another fetch gives the same ids. */
  readonly sourceId: string;
  /** The IANA zone of the account, for times without a zone. */
  readonly timeZone: string;
  readonly rules?: readonly WordRule[];
  /** The type of entries that no rule matches. */
  readonly defaultType?: string;
  readonly now: number;
}

export type EntryPosition = Pick<SkippedEntry, "index" | "line" | "uid">;

export interface FeedBuilder {
  readonly settings: SourceSettings;
  readonly findType: FindType;
  typeOf(texts: readonly string[]): Pick<ParsedEntry, "type" | "because">;
  /** Counts one more component, row or element; false when there are too many. */
  readNext(): boolean;
  skip(position: EntryPosition, reason: SkipReason, detail?: string): void;
  note(code: FeedNoticeCode, example: string): void;
  /** A title or subject as it is stored. */
  takeText(source: string | null, uid: string | null): string | null;
  /** False when there are too many entries. */
  add(entry: ParsedEntry, position: EntryPosition): boolean;
  finish(window: FeedWindow | null): FeedResult;
}

/** Occurrences repeat the texts of their series, so a small source can become a large result. */
const MAX_RESULT_CHARACTERS = 20_000_000;
/** Each report is a message to another thread. */
const ENTRIES_PER_REPORT = 500;

export function createFeedBuilder(
  format: FeedFormat,
  settings: SourceSettings,
  report: (entriesRead: number) => void,
): FeedBuilder {
  const findType = createTypeFinder(settings.rules ?? DEFAULT_WORD_RULES);
  const entriesById = new Map<string, ParsedEntry>();
  const skipped: SkippedEntry[] = [];
  const notices = new Map<FeedNoticeCode, { count: number; examples: Set<string> }>();
  let skippedTotal = 0;
  let read = 0;
  let cancelled = 0;
  let characters = 0;
  let error: FeedError | null = null;

  const builder: FeedBuilder = {
    settings,
    findType,
    typeOf: (texts) => {
      const found = findType(texts);
      const { defaultType = DEFAULT_TYPE } = settings;
      return { type: found?.type ?? defaultType, because: found?.word ?? null };
    },
    readNext: () => {
      if (read >= MAX_ENTRIES) error ??= TOO_MANY;
      else if (++read % ENTRIES_PER_REPORT === 0) report(read);
      return error === null;
    },
    skip: (position, reason, detail) => {
      skippedTotal++;
      if (skipped.length >= MAX_SKIPPED_LISTED) return;
      const quoted = detail === undefined ? undefined : quoteText(detail, MAX_QUOTED_CHARACTERS);
      const uid = position.uid === null ? null : quoteText(position.uid, MAX_QUOTED_CHARACTERS);
      skipped.push({ ...position, uid, reason, text: explainSkip(reason, quoted) });
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
      if (entriesById.size >= MAX_ENTRIES) error ??= TOO_MANY;
      else if (characters > MAX_RESULT_CHARACTERS) error ??= { code: "too-large" };
      if (error !== null) return false;
      entriesById.set(entry.eventId, entry);
      if (entry.cancelled) cancelled++;
      return true;
    },
    finish: (window) => {
      if (error !== null) return { kind: "failed", error };
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
      return { kind: "parsed", feed };
    },
  };
  return builder;
}

const TOO_MANY: FeedError = { code: "too-many-entries", detail: `at most ${MAX_ENTRIES}` };

export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

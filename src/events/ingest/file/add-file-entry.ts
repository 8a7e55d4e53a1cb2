/** One row of a table or one element of a list. */
import { isDateTime } from "../../../contract/date-time.ts";
import { cleanText } from "../../../rules/events/ingest/clean-text.ts";
import type { ParsedEntry, SkipReason } from "../../../rules/events/ingest/entry.ts";
import { readEntryDate, writeEntryDate } from "../../../rules/events/ingest/entry-date.ts";
import { fileEventId } from "../../../rules/events/ingest/event-id.ts";
import { MAX_ID_CHARACTERS, MAX_TYPE_CHARACTERS } from "../../../rules/events/ingest/limits.ts";
import type { EntryContext } from "../entry-context.ts";
import type { EntryPosition, FeedBuilder } from "../feed-builder.ts";

/** Members as they stand in the file; what is not there is null. */
export interface FileRecord {
  readonly id: unknown;
  readonly type: unknown;
  readonly subject_name: unknown;
  readonly title: unknown;
  readonly date: unknown;
  readonly created_at: unknown;
  /** An element of our own answers that says of itself that it was deleted. */
  readonly deleted: boolean;
}

/** False when there are too many to go on. */
export function addFileEntry(
  record: FileRecord,
  position: Omit<EntryPosition, "uid">,
  context: EntryContext,
  builder: FeedBuilder,
): boolean {
  const id = readId(record.id);
  const place = { ...position, uid: typeof id === "string" ? id : null };
  const refuse = (reason: SkipReason, detail?: unknown) => {
    builder.skip(place, reason, typeof detail === "string" ? detail : undefined);
    return true;
  };

  if (id === undefined) return refuse("bad-id", record.id);
  if (!isTextOrNull(record.title) || !isTextOrNull(record.subject_name)) return refuse("bad-text");
  const title = builder.takeText(record.title, id);
  const subjectName = builder.takeText(record.subject_name, id);
  const typed = readType(record.type, [subjectName, title], context);
  if (typed === null) return refuse("bad-type", record.type);
  const date = readDate(record.date, context.timeZone);
  if (typeof date === "string") return refuse(date, record.date);
  if (title === null && subjectName === null && date.date === null) return refuse("no-content");

  const { created_at: createdAt } = record;
  const entry = {
    eventId: id ?? fileEventId(context.hash, typed.type, title, date.date),
    ...typed,
    subjectName,
    title,
    ...date,
    createdAt: typeof createdAt === "string" && isDateTime(createdAt) ? createdAt : null,
    cancelled: record.deleted,
  };
  return builder.add(entry, place);
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

/** Null when there is none, undefined when it cannot be kept as it is. */
function readId(value: unknown): string | null | undefined {
  if (value === null || value === "") return null;
  // Other systems count their events.
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  if (typeof value !== "string") return undefined;
  const { text, isCut } = cleanText(value, MAX_ID_CHARACTERS);
  return isCut || text !== value ? undefined : value;
}

function readType(
  value: unknown,
  texts: readonly (string | null)[],
  { findType, defaultType }: EntryContext,
): Pick<ParsedEntry, "type" | "because"> | null {
  if (value !== null && typeof value !== "string") return null;
  const { text, isCut } = cleanText(value ?? "", MAX_TYPE_CHARACTERS);
  if (isCut) return null;
  if (text !== null) return { type: text, because: null };
  const found = findType(texts.filter((text) => text !== null));
  return { type: found?.type ?? defaultType, because: found?.word ?? null };
}

function readDate(
  value: unknown,
  timeZone: string,
): SkipReason | { readonly date: string | null; readonly dateAt: number | null } {
  if (value !== null && typeof value !== "string") return "bad-date";
  const text = value?.trim() ?? "";
  if (text === "") return { date: null, dateAt: null };
  const result = readEntryDate(text, timeZone);
  return result.ok ? writeEntryDate(result.date) : result.reason;
}

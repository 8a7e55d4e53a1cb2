/** Adds one row of a CSV file or one element of a JSON list. */
import { isDateTime } from "../../../contract/date-time.ts";
import { cleanText } from "../../../rules/events/ingest/clean-text.ts";
import type { ParsedEntry, SkipReason } from "../../../rules/events/ingest/entry.ts";
import { readEntryDate, writeEntryDate } from "../../../rules/events/ingest/entry-date.ts";
import { fileEventId } from "../../../rules/events/ingest/event-id.ts";
import { MAX_ID_CHARACTERS, MAX_TYPE_CHARACTERS } from "../../../rules/events/ingest/limits.ts";
import { hashText, type EntryPosition, type FeedBuilder } from "../feed-builder.ts";

const MEMBERS = ["id", "type", "subject_name", "title", "date", "created_at"] as const;

/** The names of columns, and of members of objects. */
export const FILE_COLUMNS: ReadonlySet<string> = new Set(MEMBERS);

/** The members are unchecked; absent ones are null. */
export type FileRecord = Readonly<Record<(typeof MEMBERS)[number], unknown>> & {
  /** Our own lists mark deleted events so. */
  readonly deleted: boolean;
};

export function readFileRecord(read: (name: string) => unknown, deleted: boolean): FileRecord {
  return {
    id: read("id"),
    type: read("type"),
    subject_name: read("subject_name"),
    title: read("title"),
    date: read("date"),
    created_at: read("created_at"),
    deleted,
  };
}

/** False when there are too many entries. */
export function addFileEntry(
  record: FileRecord,
  position: Omit<EntryPosition, "uid">,
  builder: FeedBuilder,
): boolean {
  const id = readId(record.id);
  const place = { ...position, uid: typeof id === "string" ? id : null };
  const skip = (reason: SkipReason, detail?: unknown) => {
    builder.skip(place, reason, typeof detail === "string" ? detail : undefined);
    return true;
  };

  if (id === undefined) return skip("bad-id", record.id);
  if (!isTextOrNull(record.title) || !isTextOrNull(record.subject_name)) return skip("bad-text");
  const title = builder.takeText(record.title, id);
  const subjectName = builder.takeText(record.subject_name, id);
  const typed = readType(record.type, [subjectName, title], builder);
  if (typed === null) return skip("bad-type", record.type);
  const date = readDate(record.date, builder.settings.timeZone);
  if (typeof date === "string") return skip(date, record.date);
  if (title === null && subjectName === null && date.date === null) return skip("no-content");

  const entry = {
    eventId: id ?? fileEventId(hashText, typed.type, title, date.date),
    ...typed,
    subjectName,
    title,
    ...date,
    createdAt: readCreatedAt(record.created_at, builder.settings.timeZone),
    cancelled: record.deleted,
  };
  return builder.add(entry, place);
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

/** Null when absent, undefined when invalid. */
function readId(value: unknown): string | null | undefined {
  if (value === null || value === "") return null;
  // Some systems number their events.
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  if (typeof value !== "string") return undefined;
  const { text, isCut } = cleanText(value, MAX_ID_CHARACTERS);
  return isCut || text !== value ? undefined : value;
}

function readType(
  value: unknown,
  texts: readonly (string | null)[],
  builder: FeedBuilder,
): Pick<ParsedEntry, "type" | "because"> | null {
  if (!isTextOrNull(value)) return null;
  const { text, isCut } = cleanText(value ?? "", MAX_TYPE_CHARACTERS);
  if (isCut) return null;
  if (text !== null) return { type: text, because: null };
  return builder.typeOf(texts.filter((text) => text !== null));
}

function readDate(
  value: unknown,
  timeZone: string,
): SkipReason | { readonly date: string | null; readonly dateAt: number | null } {
  if (!isTextOrNull(value)) return "bad-date";
  const text = value?.trim() ?? "";
  if (text === "") return { date: null, dateAt: null };
  const result = readEntryDate(text, timeZone);
  return result.kind === "valid" ? writeEntryDate(result.date) : result.reason;
}

/** As it is where apps can read it so; a day is no time of creation. */
function readCreatedAt(value: unknown, timeZone: string): string | null {
  if (typeof value !== "string") return null;
  if (isDateTime(value)) return value;
  const result = readEntryDate(value, timeZone);
  if (result.kind === "invalid" || result.date.kind === "day") return null;
  return writeEntryDate(result.date).date;
}

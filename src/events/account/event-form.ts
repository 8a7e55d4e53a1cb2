import { cleanText } from "../../rules/events/ingest/clean-text.ts";
import { readEntryDate, writeEntryDate } from "../../rules/events/ingest/entry-date.ts";
import { MAX_TEXT_CHARACTERS, MAX_TYPE_CHARACTERS } from "../../rules/events/ingest/limits.ts";
import { instantToWallTime } from "../../rules/events/ingest/time-zone.ts";
import type { PostedForm } from "../sign-in/page-sessions.ts";
import type { EventError, EventFields } from "../pages.ts";
import type { EventContent, StoredEvent } from "../store.ts";

export type EventFormResult =
  | { readonly kind: "valid"; readonly content: EventContent }
  | { readonly kind: "invalid"; readonly error: EventError };

export const EMPTY_FIELDS: EventFields = { title: "", subject: "", type: "", date: "", time: "" };

export function readFields(form: PostedForm): EventFields {
  return {
    title: form.text("title"),
    subject: form.text("subject"),
    type: form.text("type"),
    date: form.text("date").trim(),
    time: form.text("time").trim(),
  };
}

/** Browsers without a time field may send any text. */
const TIME = /^\d{2}:\d{2}(?::\d{2})?$/;

export function fieldsToContent(fields: EventFields, timeZone: string): EventFormResult {
  const title = cleanText(fields.title, MAX_TEXT_CHARACTERS);
  if (title.text === null) return invalid("title-missing");
  if (title.isCut) return invalid("title-too-long");
  const subject = cleanText(fields.subject, MAX_TEXT_CHARACTERS);
  if (subject.isCut) return invalid("subject-too-long");
  const type = cleanText(fields.type, MAX_TYPE_CHARACTERS);
  if (type.text === null) return invalid("type-missing");
  if (type.isCut) return invalid("type-too-long");
  const { date, time } = fields;
  const day = readEntryDate(date, timeZone);
  if (day.kind === "invalid" || day.date.kind !== "day") return invalid("date-invalid");
  if (time !== "" && !TIME.test(time)) return invalid("time-invalid");
  const found = time === "" ? day : readEntryDate(`${date}T${time}`, timeZone);
  if (found.kind === "invalid") return invalid("time-invalid");
  return {
    kind: "valid",
    content: {
      type: type.text,
      subjectName: subject.text,
      title: title.text,
      ...writeEntryDate(found.date),
    },
  };
}

function invalid(error: EventError): EventFormResult {
  return { kind: "invalid", error };
}

/** Times are shown in the zone of the account. */
export function eventToFields(event: StoredEvent, timeZone: string): EventFields {
  const isDay = event.date === null || event.date.length === "YYYY-MM-DD".length;
  const clock =
    isDay || event.dateAt === null
      ? null
      : new Date(instantToWallTime(event.dateAt, timeZone)).toISOString();
  return {
    title: event.title ?? "",
    subject: event.subjectName ?? "",
    type: event.type,
    date: clock === null ? (event.date ?? "") : clock.slice(0, 10),
    time: clock === null ? "" : clock.slice(11, 16),
  };
}

/** The form shows minutes in the account's zone, so an unchanged time keeps its seconds and offset. */
export function keepTime(
  content: EventContent,
  { date, time }: EventFields,
  known: StoredEvent,
  timeZone: string,
): EventContent {
  const shown = eventToFields(known, timeZone);
  return shown.date === date && shown.time === time
    ? { ...content, date: known.date, dateAt: known.dateAt }
    : content;
}

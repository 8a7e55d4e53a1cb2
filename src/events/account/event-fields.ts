/** An event as it stands in a form, and what it means. */
import { cleanText } from "../../rules/events/ingest/clean-text.ts";
import { readEntryDate, writeEntryDate } from "../../rules/events/ingest/entry-date.ts";
import { MAX_TEXT_CHARACTERS, MAX_TYPE_CHARACTERS } from "../../rules/events/ingest/limits.ts";
import { instantToWallTime } from "../../rules/events/ingest/time-zone.ts";
import type { EventFields, EventError } from "../pages.ts";
import type { PostedForm } from "../read-form.ts";
import type { EventContent, StoredEvent } from "../store.ts";

export type FieldsResult =
  | { readonly kind: "content"; readonly content: EventContent }
  | { readonly kind: "wrong"; readonly problem: EventError };

export const EMPTY_FIELDS: EventFields = { title: "", subject: "", type: "", date: "", time: "" };

export function readEventFields(
  form: PostedForm,
  timeZone: string,
): { readonly fields: EventFields; readonly result: FieldsResult } {
  const fields: EventFields = {
    title: form.text("title"),
    subject: form.text("subject"),
    type: form.text("type"),
    date: form.text("date").trim(),
    time: form.text("time").trim(),
  };
  return { fields, result: readContent(fields, timeZone) };
}

/** Browsers that know no time field may send what the person typed. */
const TIME = /^\d{2}:\d{2}(?::\d{2})?$/;

function readContent(fields: EventFields, timeZone: string): FieldsResult {
  const title = cleanText(fields.title, MAX_TEXT_CHARACTERS);
  if (title.text === null) return wrong("title-missing");
  if (title.isCut) return wrong("title-too-long");
  const subject = cleanText(fields.subject, MAX_TEXT_CHARACTERS);
  if (subject.isCut) return wrong("subject-too-long");
  const type = cleanText(fields.type, MAX_TYPE_CHARACTERS);
  if (type.text === null) return wrong("type-missing");
  if (type.isCut) return wrong("type-too-long");
  const day = readEntryDate(fields.date, timeZone);
  if (!day.ok || day.date.kind !== "day") return wrong("date-invalid");
  const moment = readTime(fields, timeZone);
  if (moment === null) return wrong("time-invalid");
  return {
    kind: "content",
    content: {
      type: type.text,
      subjectName: subject.text,
      title: title.text,
      ...writeEntryDate(moment === "none" ? day.date : moment),
    },
  };
}

function readTime({ date, time }: EventFields, timeZone: string) {
  if (time === "") return "none";
  const moment = TIME.test(time) ? readEntryDate(`${date}T${time}`, timeZone) : null;
  return moment?.ok === true ? moment.date : null;
}

function wrong(problem: EventError): FieldsResult {
  return { kind: "wrong", problem };
}

/** Times are shown as the clocks of the account tell them. */
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

/** A form shows minutes in today's zone: who leaves the time alone keeps it to the second. */
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

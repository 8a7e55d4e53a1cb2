import type { EventError, EventFields, EventsView } from "../../../contract/events/page-views.ts";
import { MAX_TEXT_CHARACTERS } from "../../../rules/events/ingest/limits.ts";
import { html, type Html } from "../../html.ts";
import { typeChoices } from "../event-types.ts";
import { hiddenFields, selectField, textField } from "../../forms.ts";
import { FRAME_TEXTS, PATHS, type SignedInFrame } from "../frame.ts";
import type { EventsTexts } from "./texts.ts";

export const EVENT_ERROR_FIELDS: Readonly<Record<EventError, keyof EventFields | null>> = {
  "title-missing": "title",
  "title-too-long": "title",
  "subject-too-long": "subject",
  "type-missing": "type",
  "type-too-long": "type",
  "date-invalid": "date",
  "time-invalid": "time",
  "not-found": null,
};

export function eventForm(view: EventsView, frame: SignedInFrame, texts: EventsTexts): Html {
  const { editing, total, error } = view;
  const isOpen = editing !== null || error !== null || total === 0;
  return html`<details class="card opener" ${isOpen && html` open`}>
    <summary class="button">
      <h2>${editing === null ? texts.add : texts.edit}</h2>
    </summary>
    ${form(view, frame, texts)}
  </details>`;
}

function form(view: EventsView, { account, language }: SignedInFrame, texts: EventsTexts): Html {
  const { editing, fields, types, error } = view;
  const labels = texts.fields;
  const errorOf = (name: keyof EventFields) =>
    error !== null && EVENT_ERROR_FIELDS[error] === name && texts.errors[error];
  const target = editing === null ? { action: "add" } : { action: "save", event: editing };
  return html`<form class="fields" method="post" action="${PATHS.events}" novalidate>
    ${hiddenFields({ csrf: account.csrf, ...target })}
    ${textField({
      name: "title",
      label: labels.title,
      value: fields.title,
      autofocus: editing !== null && error === null,
      required: true,
      maxLength: MAX_TEXT_CHARACTERS,
      error: errorOf("title"),
    })}
    <div class="pair">
      ${textField({
        name: "date",
        label: labels.date,
        value: fields.date,
        type: "date",
        required: true,
        error: errorOf("date"),
      })}
      ${textField({
        name: "time",
        label: labels.time,
        value: fields.time,
        type: "time",
        hint: labels.timeHint,
        error: errorOf("time"),
      })}
    </div>
    <div class="pair">
      ${selectField({
        name: "type",
        label: labels.type,
        value: fields.type,
        hint: labels.typeHint,
        choices: typeChoices(types, fields.type, language),
        error: errorOf("type"),
      })}
      ${textField({
        name: "subject",
        label: labels.subject,
        value: fields.subject,
        hint: labels.subjectHint,
        maxLength: MAX_TEXT_CHARACTERS,
        error: errorOf("subject"),
      })}
    </div>
    <div class="row buttons">
      <button class="button primary" type="submit">
        ${editing === null ? texts.addButton : texts.saveButton}
      </button>
      ${
        editing !== null &&
        html`<a class="button" href="${PATHS.events}">${FRAME_TEXTS[language].cancel}</a>`
      }
    </div>
  </form>`;
}

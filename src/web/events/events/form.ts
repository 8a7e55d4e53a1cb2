import type { EventError, EventFields, EventsView } from "../../../contract/events/page-views.ts";
import { MAX_TEXT_CHARACTERS } from "../../../rules/events/ingest/limits.ts";
import { ACCOUNT_TEXTS } from "../../account-texts.ts";
import { html, type Html } from "../../html.ts";
import { typeChoices } from "../event-types.ts";
import { hiddenFields, selectField, textField } from "../../forms.ts";
import { PATHS, type SignedInFrame } from "../frame.ts";
import { EVENTS_TEXTS } from "./texts.ts";

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

export function eventForm(view: EventsView, frame: SignedInFrame): Html {
  const { editing, total, error } = view;
  const texts = EVENTS_TEXTS[frame.language];
  const isOpen = editing !== null || error !== null || total === 0;
  return html`<details class="card opener" ${isOpen && html` open`}>
    <summary class="button">
      <h2>${editing === null ? texts.add : texts.edit}</h2>
    </summary>
    ${form(view, frame)}
  </details>`;
}

function form(view: EventsView, { account, language }: SignedInFrame): Html {
  const { editing, fields, types, error } = view;
  const texts = EVENTS_TEXTS[language];
  const { save, cancel } = ACCOUNT_TEXTS[language];
  const field = (name: keyof EventFields) => ({
    name,
    label: texts.fields[name],
    value: fields[name],
    error: error !== null && EVENT_ERROR_FIELDS[error] === name && texts.errors[error],
  });
  const target = editing === null ? { action: "add" } : { action: "save", event: editing };
  return html`<form class="fields" method="post" action="${PATHS.events}" novalidate>
    ${hiddenFields({ csrf: account.csrf, ...target })}
    ${textField({
      ...field("title"),
      autofocus: editing !== null && error === null,
      required: true,
      maxLength: MAX_TEXT_CHARACTERS,
    })}
    <div class="pair">
      ${textField({ ...field("date"), type: "date", required: true })}
      ${textField({ ...field("time"), type: "time", hint: texts.fields.timeHint })}
    </div>
    <div class="pair">
      ${selectField({
        ...field("type"),
        hint: texts.fields.typeHint,
        choices: typeChoices(types, fields.type, language),
      })}
      ${textField({
        ...field("subject"),
        hint: texts.fields.subjectHint,
        maxLength: MAX_TEXT_CHARACTERS,
      })}
    </div>
    <div class="row buttons">
      <button class="button primary" type="submit">
        ${editing === null ? texts.addButton : save}
      </button>
      ${editing !== null && html`<a class="button" href="${PATHS.events}">${cancel}</a>`}
    </div>
  </form>`;
}

/** The form for one event: a new one, or one that is changed. */
import { MAX_TEXT_CHARACTERS } from "../../../rules/events/ingest/limits.ts";
import { html, type Html } from "../../html.ts";
import { typeChoices } from "../event-types.ts";
import { selectField, textField } from "../fields.ts";
import { FRAME_TEXTS } from "../frame-texts.ts";
import { hiddenFields } from "../hidden-fields.ts";
import { PATHS } from "../paths.ts";
import type { SignedInFrame } from "../signed-in.ts";
import type { EventFormError, EventsTexts } from "./texts.ts";

export interface EventFormFields {
  readonly title: string;
  readonly subject: string;
  readonly type: string;
  readonly date: string;
  readonly time: string;
}

export interface EventFormView {
  readonly editing: string | null;
  readonly fields: EventFormFields;
  readonly types: readonly string[];
  readonly total: number;
  readonly problem: EventFormError | null;
}

const FIELDS: Readonly<Record<EventFormError, keyof EventFormFields | null>> = {
  "title-missing": "title",
  "title-too-long": "title",
  "subject-too-long": "subject",
  "type-missing": "type",
  "type-too-long": "type",
  "date-invalid": "date",
  "time-invalid": "time",
  "not-found": null,
};

/** Which field a problem is about, or null when it is about none. */
export function fieldOfError(problem: EventFormError): keyof EventFormFields | null {
  return FIELDS[problem];
}

export function eventForm(view: EventFormView, frame: SignedInFrame, texts: EventsTexts): Html {
  const { editing, total, problem } = view;
  const isOpen = editing !== null || problem !== null || total === 0;
  return html`<details class="card opener" ${isOpen && html` open`}>
    <summary class="button">
      <h2>${editing === null ? texts.add : texts.edit}</h2>
    </summary>
    ${form(view, frame, texts)}
  </details>`;
}

function form(view: EventFormView, { account, language }: SignedInFrame, texts: EventsTexts): Html {
  const { editing, fields, types, problem } = view;
  const words = texts.fields;
  const wrong = problem && fieldOfError(problem);
  const problemOf = (name: keyof EventFormFields) =>
    problem !== null && wrong === name && texts.problems[problem];
  const target = editing === null ? { action: "add" } : { action: "save", event: editing };
  return html`<form class="fields" method="post" action="${PATHS.events}" novalidate>
    ${hiddenFields({ csrf: account.csrf, ...target })}
    ${textField({
      name: "title",
      label: words.title,
      value: fields.title,
      autofocus: editing !== null && problem === null,
      required: true,
      maxLength: MAX_TEXT_CHARACTERS,
      problem: problemOf("title"),
    })}
    <div class="pair">
      ${textField({
        name: "date",
        label: words.date,
        value: fields.date,
        type: "date",
        required: true,
        problem: problemOf("date"),
      })}
      ${textField({
        name: "time",
        label: words.time,
        value: fields.time,
        type: "time",
        hint: words.timeHint,
        problem: problemOf("time"),
      })}
    </div>
    <div class="pair">
      ${selectField({
        name: "type",
        label: words.type,
        value: fields.type,
        hint: words.typeHint,
        choices: typeChoices(types, fields.type, language),
        problem: problemOf("type"),
      })}
      ${textField({
        name: "subject",
        label: words.subject,
        value: fields.subject,
        hint: words.subjectHint,
        maxLength: MAX_TEXT_CHARACTERS,
        problem: problemOf("subject"),
      })}
    </div>
    <div class="buttons">
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

/** The form of a subscription. A new one is previewed first; then the second button appears. */
import { EVENT_TYPES } from "../../../contract/events/values.ts";
import { DEFAULT_TYPE } from "../../../rules/events/ingest/word-rules.ts";
import { html, type Html } from "../../html.ts";
import type { Language } from "../../language.ts";
import { nameOfType, typeChoices } from "../event-types.ts";
import { selectField, textAreaField, textField } from "../fields.ts";
import { FRAME_TEXTS } from "../frame-texts.ts";
import { hiddenFields } from "../hidden-fields.ts";
import { PATHS } from "../paths.ts";
import type { SignedInFrame } from "../signed-in.ts";
import type { ListedSubscription } from "./item.ts";
import { feedPreview, type PreviewedFeed } from "./preview.ts";
import { describeProblem, fieldOfError, type SubscriptionFormError } from "./problems.ts";
import type { SubscriptionsTexts } from "./texts.ts";

export interface SubscriptionFormFields {
  readonly url: string;
  readonly name: string;
  readonly defaultType: string;
  readonly rules: string;
}

export interface SubscriptionFormView {
  readonly subscriptions: readonly ListedSubscription[];
  readonly editing: string | null;
  readonly fields: SubscriptionFormFields;
  readonly preview: PreviewedFeed | null;
  readonly problem: SubscriptionFormError | null;
}

const TYPES: readonly string[] = [DEFAULT_TYPE, ...EVENT_TYPES];

export function subscriptionForm(
  view: SubscriptionFormView,
  frame: SignedInFrame,
  texts: SubscriptionsTexts,
): Html {
  const { editing, problem, preview, subscriptions } = view;
  const edited = subscriptions.find(({ sourceId }) => sourceId === editing);
  const isAboutForm =
    problem !== null && problem.kind !== "too-soon" && problem.kind !== "not-found";
  const isOpen = editing !== null || isAboutForm || preview !== null || subscriptions.length === 0;
  return html`<details class="card opener" ${isOpen && html` open`}>
    <summary class="button">
      <h2>${edited === undefined ? texts.add : texts.edit(edited.name)}</h2>
    </summary>
    <form class="fields" method="post" action="${PATHS.subscriptions}" novalidate>
      ${hiddenFields({ csrf: frame.account.csrf, ...(editing !== null && { source: editing }) })}
      ${fieldsOf(view, frame, texts)}
      ${editing === null ? offer(view, frame, texts) : saveButtons(frame, texts)}
    </form>
  </details>`;
}

function fieldsOf(
  { editing, fields, problem }: SubscriptionFormView,
  { language }: SignedInFrame,
  texts: SubscriptionsTexts,
): Html {
  const words = texts.fields;
  const problemOf = (name: keyof SubscriptionFormFields) =>
    problem !== null && fieldOfError(problem) === name && describeProblem(problem, language);
  const isRulesOpen = editing !== null || fields.rules !== "" || problem?.kind === "rules-invalid";
  return html`${
      editing === null &&
      textField({
        name: "url",
        label: words.url,
        value: fields.url,
        type: "url",
        hint: words.urlHint,
        required: true,
        placeholder: "https://",
        problem: problemOf("url"),
      })
    }
    ${textField({
      name: "name",
      label: words.name,
      value: fields.name,
      autofocus: editing !== null && problem === null,
      hint: words.nameHint,
      problem: problemOf("name"),
    })}
    <details class="more" ${isRulesOpen && html` open`}>
      <summary>${words.rulesOpener}</summary>
      ${selectField({
        name: "defaultType",
        label: words.defaultType,
        value: fields.defaultType,
        hint: words.defaultTypeHint,
        choices: typeChoices(TYPES, fields.defaultType, language),
        problem: problemOf("defaultType"),
      })}
      ${textAreaField({
        name: "rules",
        label: words.rules,
        value: fields.rules,
        hint: html`${words.rulesHint} ${words.rulesTypes} ${typeList(language)}.
          ${words.rulesExample} <code>exam: Klausur, midterm</code>`,
        rows: editing === null ? 5 : 12,
        problem: problemOf("rules"),
      })}
    </details>`;
}

/** Rules name types as the wire does, so people are told which is which. */
function typeList(language: Language): string {
  const described = TYPES.map((type) => {
    const name = nameOfType(type, language);
    return name.toLowerCase() === type ? type : `${type} (${name})`;
  });
  return described.join(", ");
}

/** The first button is the one that Enter presses: only looking, until a preview was seen. */
function offer(
  { preview }: SubscriptionFormView,
  frame: SignedInFrame,
  texts: SubscriptionsTexts,
): Html {
  const button = (action: string, label: string, kind: string) =>
    html`<button class="button ${kind}" name="action" value="${action}">${label}</button>`;
  if (preview === null) {
    return html`<div class="buttons">${button("preview", texts.preview, "primary")}</div>`;
  }
  return html`${feedPreview(preview, frame, texts)}
    <div class="buttons">
      ${button("subscribe", texts.subscribe, "primary")}
      ${button("preview", texts.previewAgain, "")}
    </div>`;
}

function saveButtons({ language }: SignedInFrame, texts: SubscriptionsTexts): Html {
  return html`<div class="buttons">
    <button class="button primary" name="action" value="save">${texts.save}</button>
    <a class="button" href="${PATHS.subscriptions}">${FRAME_TEXTS[language].cancel}</a>
  </div>`;
}

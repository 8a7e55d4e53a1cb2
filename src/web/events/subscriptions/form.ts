/** The form of a subscription. A new one has to be previewed first. */
import type {
  SubscriptionFields,
  SubscriptionError,
  SubscriptionsView,
} from "../../../contract/events/page-views.ts";
import { EVENT_TYPES } from "../../../contract/events/values.ts";
import type { Language } from "../../../contract/language.ts";
import { DEFAULT_TYPE } from "../../../rules/events/ingest/word-rules.ts";
import { ACCOUNT_TEXTS } from "../../account-texts.ts";
import { html, type Html } from "../../html.ts";
import { typeChoices, typeName } from "../event-types.ts";
import { describeCode, FEED_ERROR_TEXTS } from "../feed-texts.ts";
import { hiddenFields, selectField, textAreaField, textField } from "../../forms.ts";
import { PATHS, type SignedInFrame } from "../frame.ts";
import { feedPreview } from "./import-report.ts";
import { SUBSCRIPTIONS_TEXTS } from "./texts.ts";

const TYPES: readonly string[] = [DEFAULT_TYPE, ...EVENT_TYPES];

export const SUBSCRIPTION_ERROR_FIELDS: Readonly<
  Record<SubscriptionError["kind"], keyof SubscriptionFields | null>
> = {
  "url-invalid": "url",
  "already-subscribed": "url",
  "fetch-failed": "url",
  "name-too-long": "name",
  "type-invalid": "defaultType",
  "rules-invalid": "rules",
  "too-many": null,
  "not-found": null,
  "too-soon": null,
};

export function subscriptionErrorText(error: SubscriptionError, language: Language): string {
  const texts = SUBSCRIPTIONS_TEXTS[language];
  switch (error.kind) {
    case "rules-invalid":
      return texts.rulesInvalid(error.line);
    case "fetch-failed":
      return `${texts.fetchFailed} ${describeCode(FEED_ERROR_TEXTS, error.code, language)}`;
    default:
      return texts.errors[error.kind];
  }
}

export function subscriptionForm(view: SubscriptionsView, frame: SignedInFrame): Html {
  const texts = SUBSCRIPTIONS_TEXTS[frame.language];
  const { editing, error, preview, subscriptions } = view;
  const edited = subscriptions.find(({ sourceId }) => sourceId === editing);
  const isAboutForm = error !== null && error.kind !== "too-soon" && error.kind !== "not-found";
  const isOpen = editing !== null || isAboutForm || preview !== null || subscriptions.length === 0;
  return html`<details class="card opener" ${isOpen && html` open`}>
    <summary class="button">
      <h2>${edited === undefined ? texts.add : texts.edit(edited.name)}</h2>
    </summary>
    <form class="fields" method="post" action="${PATHS.subscriptions}" novalidate>
      ${hiddenFields({ csrf: frame.account.csrf, ...(editing !== null && { source: editing }) })}
      ${formFields(view, frame.language)}
      ${editing === null ? submitButtons(view, frame) : saveButtons(frame.language)}
    </form>
  </details>`;
}

function formFields({ editing, fields, error }: SubscriptionsView, language: Language): Html {
  const labels = SUBSCRIPTIONS_TEXTS[language].fields;
  const field = (name: keyof SubscriptionFields) => ({
    name,
    label: labels[name],
    hint: labels[`${name}Hint` as const],
    value: fields[name],
    error:
      error !== null &&
      SUBSCRIPTION_ERROR_FIELDS[error.kind] === name &&
      subscriptionErrorText(error, language),
  });
  const isRulesOpen = editing !== null || fields.rules !== "" || error?.kind === "rules-invalid";
  return html`${
      editing === null &&
      textField({ ...field("url"), type: "url", required: true, placeholder: "https://" })
    }
    ${textField({ ...field("name"), autofocus: editing !== null && error === null })}
    <details class="more" ${isRulesOpen && html` open`}>
      <summary>${labels.rulesOpener}</summary>
      ${selectField({
        ...field("defaultType"),
        choices: typeChoices(TYPES, fields.defaultType, language),
      })}
      ${textAreaField({
        ...field("rules"),
        hint: html`${labels.rulesHint} ${labels.rulesTypes} ${typeList(language)}.
          ${labels.rulesExample} <code>exam: Klausur, midterm</code>`,
        rows: editing === null ? 5 : 12,
      })}
    </details>`;
}

/** Word rules use the types of the wire, so each is shown with its display name. */
function typeList(language: Language): string {
  const described = TYPES.map((type) => {
    const name = typeName(type, language);
    return name.toLowerCase() === type ? type : `${type} (${name})`;
  });
  return described.join(", ");
}

/** Enter presses the first button: preview, until one is shown. */
function submitButtons({ preview }: SubscriptionsView, frame: SignedInFrame): Html {
  const texts = SUBSCRIPTIONS_TEXTS[frame.language];
  const button = (action: string, label: string, kind: string) =>
    html`<button class="button ${kind}" name="action" value="${action}">${label}</button>`;
  if (preview === null) {
    return html`<div class="row buttons">${button("preview", texts.preview, "primary")}</div>`;
  }
  return html`${feedPreview(preview, frame)}
    <div class="row buttons">
      ${button("subscribe", texts.subscribe, "primary")}
      ${button("preview", texts.previewAgain, "")}
    </div>`;
}

function saveButtons(language: Language): Html {
  const { save, cancel } = ACCOUNT_TEXTS[language];
  return html`<div class="row buttons">
    <button class="button primary" name="action" value="save">${save}</button>
    <a class="button" href="${PATHS.subscriptions}">${cancel}</a>
  </div>`;
}

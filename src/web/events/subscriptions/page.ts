/** The subscribed calendars, and the form for a new one. */
import type { SubscriptionsView } from "../../../contract/events/page-views.ts";
import { html } from "../../html.ts";
import { renderAccountPage, type SignedInFrame } from "../frame.ts";
import { emptyState, errorMessage, notice } from "../messages.ts";
import { describeSubscriptionError, SUBSCRIPTION_ERROR_FIELDS, subscriptionForm } from "./form.ts";
import { subscriptionItem } from "./item.ts";
import { SUBSCRIPTIONS_TEXTS } from "./texts.ts";

export function renderSubscriptionsPage(view: SubscriptionsView, frame: SignedInFrame): string {
  const { language } = frame;
  const texts = SUBSCRIPTIONS_TEXTS[language];
  const { subscriptions, error } = view;
  const main = html`${notice(view.notice && texts.notices[view.notice])}
    ${
      error !== null &&
      errorMessage(
        describeSubscriptionError(error, language),
        SUBSCRIPTION_ERROR_FIELDS[error.kind],
      )
    }
    <h1>${texts.title}</h1>
    <p class="lead">${texts.lead}</p>
    ${subscriptionForm(view, frame, texts)}
    ${
      subscriptions.length === 0
        ? view.preview === null && emptyState("subscriptions", texts.empty, texts.emptyHint)
        : html`<section class="group" aria-labelledby="list">
            <h2 class="label" id="list">${texts.list}</h2>
            <ul class="entries">
              ${subscriptions.map((subscription) => subscriptionItem(subscription, frame, texts))}
            </ul>
          </section>`
    }`;
  return renderAccountPage(frame, {
    title: texts.title,
    navigation: "subscriptions",
    hasError: error !== null,
    main,
  });
}

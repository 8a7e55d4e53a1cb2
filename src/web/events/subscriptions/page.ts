/** Subscribed calendars: how they are doing, and a form that shows first what it would import. */
import { EVENTS_ACCOUNT_SCRIPT } from "../../generated/events-account-script.ts";
import { html } from "../../html.ts";
import { emptyState } from "../empty-state.ts";
import { FRAME_TEXTS } from "../frame-texts.ts";
import { renderEventsPage } from "../frame.ts";
import { notice, errorMessage } from "../messages.ts";
import type { SignedInFrame } from "../signed-in.ts";
import { subscriptionForm, type SubscriptionFormFields } from "./form.ts";
import { subscriptionItem, type ListedSubscription } from "./item.ts";
import type { PreviewedFeed } from "./preview.ts";
import { describeProblem, fieldOfError, type SubscriptionFormError } from "./problems.ts";
import { SUBSCRIPTIONS_TEXTS } from "./texts.ts";

export interface SubscriptionsPageView {
  readonly subscriptions: readonly ListedSubscription[];
  readonly editing: string | null;
  readonly fields: SubscriptionFormFields;
  readonly preview: PreviewedFeed | null;
  readonly problem: SubscriptionFormError | null;
  readonly notice: "subscribed" | "saved" | "refreshed" | "unsubscribed" | null;
}

export function renderSubscriptionsPage(view: SubscriptionsPageView, frame: SignedInFrame): string {
  const { language } = frame;
  const texts = SUBSCRIPTIONS_TEXTS[language];
  const { subscriptions, problem } = view;
  const main = html`${notice(view.notice && texts.notices[view.notice])}
    ${problem !== null && errorMessage(describeProblem(problem, language), fieldOfError(problem))}
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
  const prefix = problem === null ? "" : `${FRAME_TEXTS[language].problem}: `;
  return renderEventsPage(frame, {
    title: `${prefix}${texts.title}`,
    navigation: "subscriptions",
    script: EVENTS_ACCOUNT_SCRIPT,
    main,
  });
}

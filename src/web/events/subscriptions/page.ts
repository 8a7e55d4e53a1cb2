/** The subscribed calendars, and the form for a new one. */
import type { SubscriptionItem, SubscriptionsView } from "../../../contract/events/page-views.ts";
import type { ReconcileWarning } from "../../../rules/events/ingest/reconcile.ts";
import { ACCOUNT_TEXTS } from "../../account-texts.ts";
import { html, type Html } from "../../html.ts";
import { describeCode, FEED_ERROR_TEXTS, FEED_WARNING_TEXTS } from "../feed-texts.ts";
import { confirmForm, hiddenFields } from "../../forms.ts";
import { clockOf, PATHS, renderAccountPage, sectionIcon, type SignedInFrame } from "../frame.ts";
import { emptyState, errorMessage, factList, notice } from "../../components.ts";
import { entryList } from "../../line-list.ts";
import { moment } from "../../moments.ts";
import { subscriptionErrorText, SUBSCRIPTION_ERROR_FIELDS, subscriptionForm } from "./form.ts";
import { importReport } from "./import-report.ts";
import { SUBSCRIPTIONS_TEXTS } from "./texts.ts";

export function renderSubscriptionsPage(view: SubscriptionsView, frame: SignedInFrame): string {
  const { language } = frame;
  const texts = SUBSCRIPTIONS_TEXTS[language];
  const { subscriptions, error } = view;
  const main = html`${notice(view.notice && texts.notices[view.notice])}
    ${
      error !== null &&
      errorMessage(subscriptionErrorText(error, language), SUBSCRIPTION_ERROR_FIELDS[error.kind])
    }
    <h1>${texts.title}</h1>
    <p class="lead">${texts.lead}</p>
    ${subscriptionForm(view, frame)}
    ${
      subscriptions.length === 0
        ? view.preview === null &&
          emptyState(sectionIcon("subscriptions"), texts.empty, texts.emptyHint)
        : html`<section class="group" aria-labelledby="list">
            <h2 class="meta label" id="list">${texts.list}</h2>
            ${entryList(
              "subscriptions",
              subscriptions.map((subscription) => subscriptionItem(subscription, frame)),
              language,
            )}
          </section>`
    }`;
  return renderAccountPage(frame, {
    title: texts.title,
    navigation: "subscriptions",
    hasError: error !== null,
    main,
  });
}

function subscriptionItem(subscription: SubscriptionItem, frame: SignedInFrame): Html {
  const { name, host, lastError, warning, report } = subscription;
  return html`<li class="panel entry">
    <div class="row entry-head">
      <div>
        <h3>${name}</h3>
        <p class="meta">${host}</p>
      </div>
      ${actions(subscription, frame)}
    </div>
    ${lastError !== null && errorBox(subscription, lastError, frame)}
    ${warning !== null && warningBox(subscription, warning, frame)} ${facts(subscription, frame)}
    ${report !== null && importReport(report, frame.language)}
  </li>`;
}

function actions({ sourceId, name }: SubscriptionItem, { account, language }: SignedInFrame): Html {
  const texts = SUBSCRIPTIONS_TEXTS[language];
  const { csrf } = account;
  const unseen = html`<span class="unseen"> ${name}</span>`;
  return html`<div class="row actions">
    <form method="post" action="${PATHS.subscriptions}">
      ${hiddenFields({ csrf, action: "refresh", source: sourceId })}
      <button class="quiet" type="submit">${texts.refresh}${unseen}</button>
    </form>
    <a class="quiet" href="${`${PATHS.subscriptions}?edit=${encodeURIComponent(sourceId)}`}"
      >${ACCOUNT_TEXTS[language].edit}${unseen}</a
    >
    ${confirmForm({
      label: texts.unsubscribe,
      name,
      question: texts.unsubscribeQuestion,
      confirm: texts.unsubscribeConfirm,
      action: PATHS.subscriptions,
      members: { csrf, action: "unsubscribe", source: sourceId },
    })}
  </div>`;
}

function errorBox({ lastSucceededAt }: SubscriptionItem, code: string, frame: SignedInFrame): Html {
  const texts = SUBSCRIPTIONS_TEXTS[frame.language];
  const { never } = ACCOUNT_TEXTS[frame.language];
  const clock = clockOf(frame);
  return html`<div class="aside">
    <p>
      <strong>${texts.fetchError}.</strong> ${describeCode(FEED_ERROR_TEXTS, code, frame.language)}
    </p>
    <p>
      ${texts.fetchErrorNote} ${texts.lastSuccess}:
      ${lastSucceededAt === null ? never : moment(lastSucceededAt, clock)}.
    </p>
  </div>`;
}

/** Only the deletions of a feed that shrank need a confirmation. */
function warningBox(
  { sourceId, name }: SubscriptionItem,
  warning: string,
  frame: SignedInFrame,
): Html {
  const texts = SUBSCRIPTIONS_TEXTS[frame.language];
  const { csrf } = frame.account;
  return html`<div class="aside">
    <p>
      <strong>${texts.warning}.</strong>
      ${describeCode(FEED_WARNING_TEXTS, warning, frame.language)}
    </p>
    ${
      warning === ("feed-shrunk" satisfies ReconcileWarning["code"]) &&
      confirmForm({
        label: texts.accept,
        name,
        question: texts.acceptQuestion,
        confirm: texts.acceptConfirm,
        action: PATHS.subscriptions,
        members: { csrf, action: "accept", source: sourceId },
      })
    }
  </div>`;
}

function facts(subscription: SubscriptionItem, frame: SignedInFrame): Html {
  const { lastFetchedAt, nextFetchAt, entryCount } = subscription;
  const texts = SUBSCRIPTIONS_TEXTS[frame.language];
  const { never } = ACCOUNT_TEXTS[frame.language];
  const clock = clockOf(frame);
  return factList([
    [texts.lastFetched, lastFetchedAt === null ? never : moment(lastFetchedAt, clock)],
    [texts.nextFetch, nextFetchAt <= clock.now ? texts.soon : moment(nextFetchAt, clock)],
    ...(entryCount === null ? [] : [[texts.entries, entryCount] as const]),
  ]);
}

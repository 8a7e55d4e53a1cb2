/** One subscribed calendar: how it is doing, and what can be done with it. */
import type { ReconcileWarning } from "../../../rules/events/ingest/reconcile.ts";
import { html, type Html } from "../../html.ts";
import { describeFault } from "../codes/faults.ts";
import { describeWarning } from "../codes/warnings.ts";
import { confirmForm } from "../confirm.ts";
import { hiddenFields } from "../hidden-fields.ts";
import { moment } from "../moments.ts";
import { editAddress, PATHS } from "../paths.ts";
import { clockOf, type SignedInFrame } from "../signed-in.ts";
import { skippedList, type SkippedItem } from "./skipped.ts";
import type { SubscriptionsTexts } from "./texts.ts";

export interface ListedSubscription {
  readonly sourceId: string;
  readonly name: string;
  readonly host: string;
  readonly lastFetchedAt: number | null;
  readonly lastSucceededAt: number | null;
  readonly lastFault: string | null;
  readonly warning: string | null;
  readonly nextFetchAt: number;
  readonly entryCount: number | null;
  readonly report: FetchReport | null;
}

export interface FetchReport {
  readonly added: number;
  readonly changed: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly held: number;
  readonly skippedCount: number;
  readonly skipped: readonly SkippedItem[];
}

export function subscriptionItem(
  subscription: ListedSubscription,
  frame: SignedInFrame,
  texts: SubscriptionsTexts,
): Html {
  const { name, host, lastFault, warning, report } = subscription;
  return html`<li class="entry">
    <div class="entry-head">
      <div>
        <h3>${name}</h3>
        <p class="meta">${host}</p>
      </div>
      ${actions(subscription, frame, texts)}
    </div>
    ${lastFault !== null && errorBox(subscription, lastFault, frame, texts)}
    ${warning !== null && warningBox(subscription, warning, frame, texts)}
    ${facts(subscription, frame, texts)} ${report !== null && reportOf(report, frame, texts)}
  </li>`;
}

function actions(
  { sourceId, name }: ListedSubscription,
  { account }: SignedInFrame,
  texts: SubscriptionsTexts,
): Html {
  const { csrf } = account;
  const unseen = html`<span class="unseen"> ${name}</span>`;
  return html`<div class="actions">
    <form method="post" action="${PATHS.subscriptions}">
      ${hiddenFields({ csrf, action: "refresh", source: sourceId })}
      <button class="quiet" type="submit">${texts.refresh}${unseen}</button>
    </form>
    <a class="quiet" href="${editAddress(PATHS.subscriptions, sourceId)}"
      >${texts.editLink}${unseen}</a
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

function errorBox(
  { lastSucceededAt }: ListedSubscription,
  fault: string,
  frame: SignedInFrame,
  texts: SubscriptionsTexts,
): Html {
  const clock = clockOf(frame);
  return html`<div class="aside">
    <p><strong>${texts.fault}.</strong> ${describeFault(fault, frame.language)}</p>
    <p>
      ${texts.errorKeeps} ${texts.lastSuccess}:
      ${lastSucceededAt === null ? texts.never : moment(lastSucceededAt, clock)}.
    </p>
  </div>`;
}

/** A feed that shrank waits for a person's word; what lies outside its time just stays. */
function warningBox(
  { sourceId, name }: ListedSubscription,
  warning: string,
  frame: SignedInFrame,
  texts: SubscriptionsTexts,
): Html {
  const { csrf } = frame.account;
  return html`<div class="aside">
    <p><strong>${texts.warning}.</strong> ${describeWarning(warning, frame.language)}</p>
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

function facts(
  { lastFetchedAt, nextFetchAt, entryCount }: ListedSubscription,
  frame: SignedInFrame,
  texts: SubscriptionsTexts,
): Html {
  const clock = clockOf(frame);
  return html`<dl class="facts">
    <div>
      <dt>${texts.lastFetched}</dt>
      <dd>${lastFetchedAt === null ? texts.never : moment(lastFetchedAt, clock)}</dd>
    </div>
    <div>
      <dt>${texts.nextFetch}</dt>
      <dd>${nextFetchAt <= clock.now ? texts.soon : moment(nextFetchAt, clock)}</dd>
    </div>
    ${
      entryCount !== null &&
      html`<div>
        <dt>${texts.entries}</dt>
        <dd>${entryCount}</dd>
      </div>`
    }
  </dl>`;
}

function reportOf(report: FetchReport, frame: SignedInFrame, texts: SubscriptionsTexts): Html {
  const words = texts.report;
  const counts = [
    [report.added, words.added],
    [report.changed, words.changed],
    [report.deleted, words.deleted],
    [report.unchanged, words.unchanged],
    [report.held, words.held],
  ] as const;
  return html`<p class="label">${words.title}</p>
    <ul class="tally">
      ${counts
        .filter(([count], index) => count > 0 || index < 2)
        .map(([count, label]) => html`<li><b>${count}</b> ${label}</li>`)}
    </ul>
    ${skippedList(report.skippedCount, report.skipped, frame.language, texts)}`;
}

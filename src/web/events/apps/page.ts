/** Who may read the events, and an end to it. */
import { EVENTS_ACCOUNT_SCRIPT } from "../../generated/events-account-script.ts";
import { html, type Html } from "../../html.ts";
import { confirmForm } from "../confirm.ts";
import { emptyState } from "../empty-state.ts";
import { renderEventsPage } from "../frame.ts";
import { notice } from "../messages.ts";
import { day, moment } from "../moments.ts";
import { PATHS } from "../paths.ts";
import { clockOf, type SignedInFrame } from "../signed-in.ts";
import { APPS_TEXTS, type AppsTexts } from "./texts.ts";

export interface AppsPageView {
  readonly grants: readonly AppGrant[];
  readonly notice: "revoked" | null;
}

export interface AppGrant {
  readonly grantId: string;
  readonly appName: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly idleExpiresAt: number;
  readonly absoluteExpiresAt: number;
}

export function renderAppsPage(view: AppsPageView, frame: SignedInFrame): string {
  const texts = APPS_TEXTS[frame.language];
  const { grants } = view;
  const main = html`${notice(view.notice && texts.revoked)}
    <h1>${texts.title}</h1>
    <p class="lead">${texts.lead}</p>
    ${
      grants.length === 0
        ? emptyState("apps", texts.empty, texts.emptyHint)
        : html`<ul class="entries">
            ${grants.map((grant) => grantItem(grant, frame, texts))}
          </ul>`
    }
    ${grants.length > 1 && revokeAll(grants.length, frame, texts)}`;
  return renderEventsPage(frame, {
    title: texts.title,
    navigation: "apps",
    script: EVENTS_ACCOUNT_SCRIPT,
    main,
  });
}

function grantItem(grant: AppGrant, frame: SignedInFrame, texts: AppsTexts): Html {
  const clock = clockOf(frame);
  const { appName, createdAt, lastUsedAt, idleExpiresAt, absoluteExpiresAt } = grant;
  const { csrf } = frame.account;
  return html`<li class="entry">
    <div class="entry-head">
      <div>
        <h2>${appName}</h2>
        <p class="meta">${texts.reads}</p>
      </div>
      ${confirmForm({
        label: texts.disconnect,
        name: appName,
        question: texts.disconnectQuestion,
        confirm: texts.disconnectConfirm,
        action: PATHS.apps,
        members: { csrf, action: "revoke", grant: grant.grantId },
      })}
    </div>
    <dl class="facts">
      <div>
        <dt>${texts.connected}</dt>
        <dd>${moment(createdAt, clock)}</dd>
      </div>
      <div>
        <dt>${texts.lastUsed}</dt>
        <dd>${lastUsedAt > createdAt ? moment(lastUsedAt, clock) : texts.neverUsed}</dd>
      </div>
      <div>
        <dt>${texts.ends}</dt>
        <dd>${day(Math.min(idleExpiresAt, absoluteExpiresAt), clock)}</dd>
      </div>
    </dl>
  </li>`;
}

function revokeAll(count: number, { account }: SignedInFrame, texts: AppsTexts): Html {
  return html`<div class="after">
    ${confirmForm({
      label: texts.disconnectAll,
      name: "",
      question: texts.disconnectAllQuestion(count),
      confirm: texts.disconnectAllConfirm,
      action: PATHS.apps,
      members: { csrf: account.csrf, action: "revoke-all" },
    })}
  </div>`;
}

import type { AppsView, ListedGrant } from "../../contract/events/page-views.ts";
import { html, type Html } from "../html.ts";
import { confirmForm } from "./forms.ts";
import { clockOf, PATHS, renderAccountPage, type SignedInFrame } from "./frame.ts";
import { emptyState, notice } from "./messages.ts";
import { day, moment } from "./moments.ts";

export function renderAppsPage(view: AppsView, frame: SignedInFrame): string {
  const texts = TEXTS[frame.language];
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
  return renderAccountPage(frame, { title: texts.title, navigation: "apps", main });
}

function grantItem(grant: ListedGrant, frame: SignedInFrame, texts: AppsTexts): Html {
  const clock = clockOf(frame);
  const { appName, createdAt, lastUsedAt, idleExpiresAt, absoluteExpiresAt } = grant;
  const { csrf } = frame.account;
  return html`<li class="panel entry">
    <div class="row entry-head">
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

const en = {
  title: "Connected apps",
  lead: "These apps may read your events. What an app has imported stays in the app when you disconnect it.",
  empty: "No app is connected yet.",
  emptyHint:
    "Open the app you want to use, enter the address of this service there, and start connecting. You are then asked here whether you allow it.",
  connected: "Connected",
  lastUsed: "Last used",
  neverUsed: "not yet",
  ends: "Ends without use",
  reads: "Reads your events",
  disconnect: "Disconnect",
  disconnectQuestion:
    "It can then no longer read your events. You can connect it again at any time.",
  disconnectConfirm: "Yes, disconnect",
  disconnectAll: "Disconnect all",
  disconnectAllQuestion: (count: number) =>
    `None of the ${count} apps can then read your events any more.`,
  disconnectAllConfirm: "Yes, disconnect all",
  revoked: "Disconnected. Your events can no longer be read with it.",
};

type AppsTexts = typeof en;

const de: AppsTexts = {
  title: "Verbundene Apps",
  lead: "Diese Apps dürfen deine Termine lesen. Was eine App übernommen hat, bleibt in ihr, auch wenn du sie trennst.",
  empty: "Noch ist keine App verbunden.",
  emptyHint:
    "Öffne die App, die du nutzen möchtest, trage dort die Adresse dieses Dienstes ein und beginne die Verbindung. Dann wirst du hier gefragt, ob du es erlaubst.",
  connected: "Verbunden",
  lastUsed: "Zuletzt benutzt",
  neverUsed: "noch nie",
  ends: "Endet unbenutzt",
  reads: "Liest deine Termine",
  disconnect: "Trennen",
  disconnectQuestion:
    "Sie kann deine Termine dann nicht mehr lesen. Du kannst sie jederzeit wieder verbinden.",
  disconnectConfirm: "Ja, trennen",
  disconnectAll: "Alle trennen",
  disconnectAllQuestion: (count) => `Dann kann keine der ${count} Apps deine Termine noch lesen.`,
  disconnectAllConfirm: "Ja, alle trennen",
  revoked: "Getrennt. Damit können deine Termine nicht mehr gelesen werden.",
};

const TEXTS = { en, de };

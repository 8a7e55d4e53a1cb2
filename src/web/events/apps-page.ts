import type { AppsView, GrantItem } from "../../contract/events/page-views.ts";
import { ACCOUNT_TEXTS } from "../account-texts.ts";
import { html, type Html } from "../html.ts";
import { confirmForm } from "../forms.ts";
import { clockOf, PATHS, renderAccountPage, sectionIcon, type SignedInFrame } from "./frame.ts";
import { emptyState, factList, notice } from "../components.ts";
import { day, moment } from "../moments.ts";

export function renderAppsPage(view: AppsView, frame: SignedInFrame): string {
  const texts = TEXTS[frame.language];
  const { grants } = view;
  const main = html`${notice(view.notice && texts.revoked)}
    <h1>${texts.title}</h1>
    <p class="lead">${texts.lead}</p>
    ${
      grants.length === 0
        ? emptyState(sectionIcon("apps"), texts.empty, texts.emptyHint)
        : html`<ul class="entries">
            ${grants.map((grant) => grantItem(grant, frame, texts))}
          </ul>`
    }
    ${grants.length > 1 && revokeAll(grants.length, frame, texts)}`;
  return renderAccountPage(frame, { title: texts.title, navigation: "apps", main });
}

function grantItem(grant: GrantItem, frame: SignedInFrame, texts: AppsTexts): Html {
  const clock = clockOf(frame);
  const { lastUsed, never } = ACCOUNT_TEXTS[frame.language];
  const { appName, createdAt, lastUsedAt, idleExpiresAt, absoluteExpiresAt } = grant;
  const { csrf } = frame.account;
  return html`<li class="panel entry">
    <div class="row entry-head">
      <div>
        <h2>${appName}</h2>
        <p class="meta">${texts.reads}</p>
      </div>
      ${confirmForm({
        label: texts.revoke,
        name: appName,
        question: texts.revokeQuestion,
        confirm: texts.revokeConfirm,
        action: PATHS.apps,
        members: { csrf, action: "revoke", grant: grant.grantId },
      })}
    </div>
    ${factList([
      [texts.connected, moment(createdAt, clock)],
      [lastUsed, lastUsedAt > createdAt ? moment(lastUsedAt, clock) : never],
      [texts.expires, day(Math.min(idleExpiresAt, absoluteExpiresAt), clock)],
    ])}
  </li>`;
}

function revokeAll(count: number, { account }: SignedInFrame, texts: AppsTexts): Html {
  return html`<div class="after">
    ${confirmForm({
      label: texts.revokeAll,
      name: "",
      question: texts.revokeAllQuestion(count),
      confirm: texts.revokeAllConfirm,
      action: PATHS.apps,
      members: { csrf: account.csrf, action: "revoke-all" },
    })}
  </div>`;
}

const en = {
  title: "Connected apps",
  lead: "These apps can read your events. Events that an app has imported stay in the app when you revoke its access.",
  empty: "No app is connected yet.",
  emptyHint:
    "Open the app you want to use, enter the address of this service and connect. You can then allow or deny access here.",
  connected: "Connected",
  expires: "Expires if unused",
  reads: "Reads your events",
  revoke: "Revoke access",
  revokeQuestion:
    "The app can then no longer read your events. You can connect it again at any time.",
  revokeConfirm: "Yes, revoke access",
  revokeAll: "Revoke access for all apps",
  revokeAllQuestion: (count: number) => `None of the ${count} apps can then read your events.`,
  revokeAllConfirm: "Yes, revoke all access",
  revoked: "The access was revoked.",
};

type AppsTexts = typeof en;

const de: AppsTexts = {
  title: "Verbundene Apps",
  lead: "Diese Apps können deine Termine lesen. Bereits importierte Termine bleiben in der App, wenn du ihren Zugriff widerrufst.",
  empty: "Es ist noch keine App verbunden.",
  emptyHint:
    "Öffne die App, die du nutzen möchtest, gib dort die Adresse dieses Dienstes ein und verbinde sie. Danach kannst du den Zugriff hier erlauben oder ablehnen.",
  connected: "Verbunden",
  expires: "Läuft ohne Nutzung ab",
  reads: "Liest deine Termine",
  revoke: "Zugriff widerrufen",
  revokeQuestion:
    "Die App kann deine Termine dann nicht mehr lesen. Du kannst sie jederzeit wieder verbinden.",
  revokeConfirm: "Ja, Zugriff widerrufen",
  revokeAll: "Zugriff aller Apps widerrufen",
  revokeAllQuestion: (count) => `Keine der ${count} Apps kann deine Termine dann noch lesen.`,
  revokeAllConfirm: "Ja, Zugriff aller Apps widerrufen",
  revoked: "Der Zugriff wurde widerrufen.",
};

const TEXTS = { en, de };

import type { OwnerSignInView } from "../../contract/sync/page-views.ts";
import { notice } from "../components.ts";
import { html, type Html } from "../html.ts";
import { sessionSignIn } from "../login/form.ts";
import { SESSION_LOGIN_TEXTS, withMessages } from "../login/texts.ts";
import { OWNER_PATHS, renderOwnerDocument, type OwnerDocumentFrame } from "./frame.ts";

export function renderOwnerSignInPage(view: OwnerSignInView, frame: OwnerDocumentFrame): string {
  const { language, query } = frame;
  const texts = TEXTS[language];
  const { login } = texts;
  const place = { home: OWNER_PATHS.page, endpoint: `${OWNER_PATHS.signIn}${query}`, language };
  const lead = texts.lead(html`<strong>${frame.displayName}</strong>`);
  const main = html`<div class="narrow">
    ${notice(view.notice && texts.notices[view.notice])} ${sessionSignIn(view, place, login, lead)}
  </div>`;
  return renderOwnerDocument(frame, { title: login.heading, main });
}

const en = {
  lead: (instance: Html) =>
    html`See and manage what ${instance} keeps for you: devices, storage and backups.`,
  notices: {
    "signed-out": "You are signed out of this page. Your devices stay signed in.",
    "signed-out-everywhere":
      "All devices and browsers are signed out. They keep their data, and sync again once they sign in.",
  },
  login: withMessages(SESSION_LOGIN_TEXTS.en, {
    outdated: "This page was open for too long. Please reload it and try again.",
  }),
};

const de: typeof en = {
  lead: (instance) =>
    html`Sieh und verwalte, was ${instance} für dich aufbewahrt: Geräte, Speicher und
    Sicherungskopien.`,
  notices: {
    "signed-out": "Du bist von dieser Seite abgemeldet. Deine Geräte bleiben angemeldet.",
    "signed-out-everywhere":
      "Alle Geräte und Browser sind abgemeldet. Sie behalten ihre Daten und synchronisieren wieder, sobald sie sich anmelden.",
  },
  login: withMessages(SESSION_LOGIN_TEXTS.de, {
    outdated: "Diese Seite war zu lange geöffnet. Bitte lade sie neu und versuche es noch einmal.",
  }),
};

const TEXTS = { en, de };

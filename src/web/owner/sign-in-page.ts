import type { OwnerSignInView } from "../../contract/sync/page-views.ts";
import { notice } from "../components.ts";
import { html, type Html } from "../html.ts";
import { sessionSignIn } from "../login/form.ts";
import { SESSION_LOGIN_TEXTS, withMessages } from "../login/texts.ts";
import { OWNER_PATHS, ownerQuery, renderOwnerDocument, type OwnerDocumentFrame } from "./frame.ts";

export function renderOwnerSignInPage(view: OwnerSignInView, frame: OwnerDocumentFrame): string {
  const { language, tab } = frame;
  const query = ownerQuery(frame, tab);
  const texts = TEXTS[language];
  const { login } = texts;
  const instance = html`<strong>${frame.displayName}</strong>`;
  const main = html`<div class="narrow">
    ${notice(view.notice && texts.notices[view.notice])}
    ${view.hasAccount ? form() : noAccount(texts.noAccount, instance)}
  </div>`;
  return renderOwnerDocument(frame, { title: login.heading, main });

  function form(): Html {
    const place = {
      home: OWNER_PATHS.page,
      endpoint: `${OWNER_PATHS.signIn}${query}`,
      language,
      ...(view.hasPasskeys && { passkeyEndpoint: `${OWNER_PATHS.passkeySignIn}${query}` }),
    };
    return sessionSignIn(view, place, login, texts.lead(instance));
  }
}

function noAccount(texts: typeof en.noAccount, instance: Html): Html {
  return html`<div class="card">
    <h1>${texts.title}</h1>
    <p class="lead">${texts.lead(instance)}</p>
  </div>`;
}

const en = {
  lead: (instance: Html) =>
    html`Manage what ${instance} stores for you: devices, storage and backups.`,
  notices: {
    "signed-out": "You are signed out of this page. Your devices stay signed in.",
    "signed-out-everywhere":
      "All devices and browsers are signed out. Your devices keep their data, and sync again once you sign in on them.",
    "sign-in-again": "Please sign in again. You then have 15 minutes for what you wanted to do.",
    "everything-deleted":
      "Everything that this server stored for you was deleted, including your account. Your devices keep their copies.",
  },
  noAccount: {
    title: "No account here",
    lead: (instance: Html) =>
      html`If you were invited to ${instance}, please open the link that you received. Otherwise ask
      the operator of this server for an invitation.`,
  },
  login: withMessages(SESSION_LOGIN_TEXTS.en, {
    outdated: "This page was open for too long. Please reload it and try again.",
  }),
};

const de: typeof en = {
  lead: (instance) =>
    html`Verwalte, was ${instance} für dich speichert: Geräte, Speicher und Sicherungen.`,
  notices: {
    "signed-out": "Du bist von dieser Seite abgemeldet. Deine Geräte bleiben angemeldet.",
    "signed-out-everywhere":
      "Alle Geräte und Browser sind abgemeldet. Deine Geräte behalten ihre Daten und synchronisieren wieder, sobald du dich darauf anmeldest.",
    "sign-in-again":
      "Bitte melde dich noch einmal an. Danach hast du 15 Minuten Zeit für das, was du vorhattest.",
    "everything-deleted":
      "Alles, was dieser Server für dich gespeichert hatte, ist gelöscht, auch dein Konto. Deine Geräte behalten ihre Kopien.",
  },
  noAccount: {
    title: "Hier gibt es kein Konto",
    lead: (instance) =>
      html`Wenn du zu ${instance} eingeladen wurdest, öffne bitte den Link, den du bekommen hast.
      Sonst bitte den Betreiber dieses Servers um eine Einladung.`,
  },
  login: withMessages(SESSION_LOGIN_TEXTS.de, {
    outdated: "Diese Seite war zu lange geöffnet. Bitte lade sie neu und versuche es noch einmal.",
  }),
};

const TEXTS = { en, de };

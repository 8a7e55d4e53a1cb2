/** The authorization of an app. Allow and Deny are buttons of equal size. */
import type { ConsentView } from "../../../contract/events/page-views.ts";
import { EVENTS_CONSENT_SCRIPT } from "../../generated/events-consent-script.ts";
import { ACCOUNT_TEXTS } from "../../account-texts.ts";
import { html, type Html } from "../../html.ts";
import { donePanel, returnAddress } from "../../login/return-to-app.ts";
import { LOGIN_TEXTS } from "../../login/texts.ts";
import { writePageData } from "../../page-script.ts";
import { hiddenFields } from "../../forms.ts";
import { PATHS, renderEventsPage, type EventsFrame } from "../frame.ts";

export interface ConsentData extends Pick<ConsentView, "redirectUri" | "delivery"> {
  readonly messages: ConsentTexts["messages"];
}

export function renderConsentPage(view: ConsentView, frame: EventsFrame): string {
  const texts = TEXTS[frame.language];
  const login = LOGIN_TEXTS[frame.language];
  const main = html`<div class="narrow">
    <div class="card" id="consent">
      <h1>${texts.question(html`<em>${view.appName}</em>`)}</h1>
      <form class="row lead signed-in-as" method="post" action="${PATHS.signOut}">
        ${hiddenFields({ interaction: view.interaction, csrf: view.csrf })}
        <p>${texts.signedInAs(html`<strong>${view.username}</strong>`)}</p>
        <button class="quiet" type="submit">${ACCOUNT_TEXTS[frame.language].signOut}</button>
      </form>
      <h2 class="meta label">${texts.may}</h2>
      <ul class="points">
        ${texts.mayList.map((point) => html`<li>${point}</li>`)}
      </ul>
      <h2 class="meta label">${texts.mayNot}</h2>
      <ul class="points not">
        ${texts.mayNotList.map((point) => html`<li>${point}</li>`)}
      </ul>
      <p class="meta duration">${texts.duration}</p>
      ${decision(view, texts)}
      <p class="return fine">${texts.returnsTo} ${returnAddress(view.redirectUri)}</p>
    </div>
    ${donePanel({ ...login, done: texts.allowed }, "allowed")}
    ${donePanel({ ...login, ...texts.denied }, "denied")}
  </div>`;
  return renderEventsPage(frame, { title: texts.title, script: EVENTS_CONSENT_SCRIPT, main });
}

function decision(view: ConsentView, texts: ConsentTexts): Html {
  const { interaction, csrf, redirectUri, delivery } = view;
  const data: ConsentData = { redirectUri, delivery, messages: texts.messages };
  return html`<form
    class="fields"
    id="decision"
    method="post"
    action="${PATHS.consent}"
    data-consent="${writePageData(data)}"
  >
    ${hiddenFields({ interaction, csrf })}
    <div class="error" id="error" role="alert" tabindex="-1" hidden></div>
    <div class="choices">
      <button class="button primary large" name="action" value="allow">${texts.allow}</button>
      <button class="button large" name="action" value="deny">${texts.deny}</button>
    </div>
    <div class="under fine">
      <p class="status" id="status" role="status"></p>
      <p class="note">${delivery === "scheme" && texts.opensApp}</p>
    </div>
  </form>`;
}

const en = {
  title: "Allow access",
  question: (app: Html) => html`May ${app} read your events?`,
  signedInAs: (username: Html) => html`You are signed in as ${username}.`,
  may: "The app will be able to",
  mayList: [
    "read type, subject, title and date of all your events",
    "see which of them change or are deleted",
  ],
  mayNot: "The app will not be able to",
  mayNotList: ["change or delete anything", "see your password or the addresses of your calendars"],
  duration: "Access lasts until you revoke it here, but at most one year.",
  allow: "Allow",
  deny: "Deny",
  returnsTo: "Either way, you then return to",
  /** Shown for a private-use scheme, which leaves the browser on the page. */
  opensApp: "The app then opens. You can close this tab afterwards.",
  allowed: "The app is connected",
  denied: {
    done: "You denied access",
    doneDetail:
      "The app cannot read your events. Continue in the app. You can close this tab. If the app did not open automatically, use the button.",
  },
  messages: {
    working: "Returning to the app …",
    outdated:
      "This page was open for too long, or you have already decided in another tab. Please start again in the app.",
    throttled: "Too many attempts in a short time. Please try again in {time}.",
    offline: LOGIN_TEXTS.en.messages.offline,
    unexpected: LOGIN_TEXTS.en.messages.unexpected,
  },
};

type ConsentTexts = typeof en;

const de: ConsentTexts = {
  title: "Zugriff erlauben",
  question: (app) => html`Darf ${app} deine Termine lesen?`,
  signedInAs: (username) => html`Du bist angemeldet als ${username}.`,
  may: "Die App kann dann",
  mayList: [
    "Art, Fach, Titel und Datum aller deiner Termine lesen",
    "sehen, welche davon sich ändern oder gelöscht werden",
  ],
  mayNot: "Die App kann nicht",
  mayNotList: [
    "etwas ändern oder löschen",
    "dein Passwort oder die Adressen deiner Kalender sehen",
  ],
  duration: "Der Zugriff gilt, bis du ihn hier widerrufst, höchstens ein Jahr.",
  allow: "Erlauben",
  deny: "Ablehnen",
  returnsTo: "In beiden Fällen kehrst du danach zurück zu",
  opensApp: "Danach öffnet sich die App. Du kannst diesen Tab dann schließen.",
  allowed: "Die App ist verbunden",
  denied: {
    done: "Du hast den Zugriff abgelehnt",
    doneDetail:
      "Die App kann deine Termine nicht lesen. Mach in der App weiter. Du kannst diesen Tab schließen. Falls sich die App nicht automatisch geöffnet hat, verwende die Schaltfläche.",
  },
  messages: {
    working: "Zurück zur App …",
    outdated:
      "Diese Seite war zu lange geöffnet, oder du hast schon in einem anderen Tab entschieden. Bitte beginne noch einmal in der App.",
    throttled: "Zu viele Versuche in kurzer Zeit. Bitte versuche es in {time} noch einmal.",
    offline: LOGIN_TEXTS.de.messages.offline,
    unexpected: LOGIN_TEXTS.de.messages.unexpected,
  },
};

const TEXTS = { en, de };

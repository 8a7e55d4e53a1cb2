import { html, type Html } from "../../html.ts";
import { LOGIN_TEXTS } from "../../login/texts.ts";

const en = {
  title: "Allow an app",
  question: (app: Html) => html`May ${app} read your events?`,
  signedInAs: (username: Html) => html`You are signed in as ${username}.`,
  signOut: "Sign out",
  may: "The app could",
  mayList: [
    "read type, subject, title and date of all your events",
    "see which of them change or are deleted",
  ],
  mayNot: "The app could not",
  mayNotList: ["change or delete anything", "see your password or the addresses of your calendars"],
  duration: "This holds until you disconnect the app here, for a year at most.",
  allow: "Allow",
  deny: "Deny",
  returnsTo: "Either way your browser goes to",
  /** For a private-use scheme, which leaves the browser on the page. */
  opensApp: "The app then opens. You can close this tab afterwards.",
  allowed: {
    done: "The app is connected",
    doneDetail:
      "Back to the app, you can close this tab. If the app did not open by itself, use the button.",
    back: "Back to the app",
  },
  denied: {
    done: "You have denied it",
    doneDetail:
      "The app may not read anything. Back to the app, you can close this tab. If the app did not open by itself, use the button.",
    back: "Back to the app",
  },
  messages: {
    working: "Going back to the app …",
    outdated:
      "This page was open for too long, or you have already decided in another tab. Please start again in the app.",
    throttled: "Those were too many tries in a short time. Please wait a moment and try again.",
    offline: LOGIN_TEXTS.en.messages.offline,
    unexpected: LOGIN_TEXTS.en.messages.unexpected,
  },
};

export type ConsentTexts = typeof en;

const de: ConsentTexts = {
  title: "Eine App erlauben",
  question: (app) => html`Darf ${app} deine Termine lesen?`,
  signedInAs: (username) => html`Du bist angemeldet als ${username}.`,
  signOut: "Abmelden",
  may: "Die App könnte",
  mayList: [
    "Art, Fach, Titel und Datum aller deiner Termine lesen",
    "sehen, welche davon sich ändern oder gelöscht werden",
  ],
  mayNot: "Die App könnte nicht",
  mayNotList: [
    "etwas ändern oder löschen",
    "dein Passwort oder die Adressen deiner Kalender sehen",
  ],
  duration: "Das gilt, bis du die App hier trennst, höchstens ein Jahr.",
  allow: "Erlauben",
  deny: "Ablehnen",
  returnsTo: "In beiden Fällen geht dein Browser danach zu",
  opensApp: "Dann öffnet sich die App. Diesen Tab kannst du danach schließen.",
  allowed: {
    done: "Die App ist verbunden",
    doneDetail:
      "Zurück zur App, du kannst diesen Tab schließen. Falls sich die App nicht von selbst geöffnet hat, nimm den Knopf.",
    back: "Zurück zur App",
  },
  denied: {
    done: "Du hast abgelehnt",
    doneDetail:
      "Die App darf nichts lesen. Zurück zur App, du kannst diesen Tab schließen. Falls sich die App nicht von selbst geöffnet hat, nimm den Knopf.",
    back: "Zurück zur App",
  },
  messages: {
    working: "Es geht zurück zur App …",
    outdated:
      "Diese Seite war zu lange offen, oder du hast schon in einem anderen Tab entschieden. Bitte beginne noch einmal in der App.",
    throttled:
      "Das waren zu viele Versuche in kurzer Zeit. Bitte warte einen Moment und versuche es noch einmal.",
    offline: LOGIN_TEXTS.de.messages.offline,
    unexpected: LOGIN_TEXTS.de.messages.unexpected,
  },
};

export const CONSENT_TEXTS = { en, de };

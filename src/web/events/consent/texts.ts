/** The words of the consent page. */
import type { Language } from "../../language.ts";
import { LOGIN_TEXTS } from "../../login/texts.ts";
import type { DoneTexts } from "../../login/done.ts";
import type { ConsentMessages } from "./consent-data.ts";

export interface ConsentTexts {
  readonly title: string;
  /** Before and after the app's name. */
  readonly question: readonly [string, string];
  /** Before and after the user's name. */
  readonly whose: readonly [string, string];
  readonly notYou: string;
  readonly may: string;
  readonly mayList: readonly string[];
  readonly mayNot: string;
  readonly mayNotList: readonly string[];
  readonly lasts: string;
  readonly allow: string;
  readonly deny: string;
  readonly next: string;
  /** For an app that the browser opens without leaving the page. */
  readonly opensApp: string;
  readonly allowed: DoneTexts;
  readonly denied: DoneTexts;
  readonly messages: ConsentMessages;
}

export const CONSENT_TEXTS: Readonly<Record<Language, ConsentTexts>> = {
  en: {
    title: "Allow an app",
    question: ["May ", " read your events?"],
    whose: ["You are signed in as ", "."],
    notYou: "Sign out",
    may: "The app could",
    mayList: [
      "read type, subject, title and date of all your events",
      "see which of them change or are deleted",
    ],
    mayNot: "The app could not",
    mayNotList: [
      "change or delete anything",
      "see your password or the addresses of your calendars",
    ],
    lasts: "This holds until you disconnect the app here, for a year at most.",
    allow: "Allow",
    deny: "Deny",
    next: "Either way your browser goes to",
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
      unanswered: LOGIN_TEXTS.en.messages.unanswered,
    },
  },
  de: {
    title: "Eine App erlauben",
    question: ["Darf ", " deine Termine lesen?"],
    whose: ["Du bist angemeldet als ", "."],
    notYou: "Abmelden",
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
    lasts: "Das gilt, bis du die App hier trennst, höchstens ein Jahr.",
    allow: "Erlauben",
    deny: "Ablehnen",
    next: "In beiden Fällen geht dein Browser danach zu",
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
      unanswered: LOGIN_TEXTS.de.messages.unanswered,
    },
  },
};

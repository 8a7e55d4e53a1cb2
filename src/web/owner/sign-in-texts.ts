import { html, type Html } from "../html.ts";
import { LOGIN_TEXTS } from "../login/texts.ts";

const en = {
  lead: (instance: Html) =>
    html`See and manage what ${instance} keeps for you: devices, storage and backups.`,
  notices: {
    "signed-out": "You are signed out of this page. Your devices stay signed in.",
    "signed-out-everywhere":
      "All devices and browsers are signed out. They keep their data, and sync again once they sign in.",
  },
  login: {
    ...LOGIN_TEXTS.en,
    messages: {
      ...LOGIN_TEXTS.en.messages,
      outdated: "This page was open for too long. Please reload it and try again.",
      "server-unverified":
        "The server could not prove that it knows your account. You are not signed in. Please check the address of this page.",
    },
  },
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
  login: {
    ...LOGIN_TEXTS.de,
    messages: {
      ...LOGIN_TEXTS.de.messages,
      outdated:
        "Diese Seite war zu lange geöffnet. Bitte lade sie neu und versuche es noch einmal.",
      "server-unverified":
        "Der Server konnte nicht nachweisen, dass er dein Konto kennt. Du bist nicht angemeldet. Bitte prüfe die Adresse dieser Seite.",
    },
  },
};

export const OWNER_SIGN_IN_TEXTS = { en, de };

/** The words of the settings. */
import {
  MAX_PASSWORD_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
} from "../../../rules/identity/grammar.ts";
import type { Language } from "../../language.ts";
import { LOGIN_TEXTS } from "../../login/texts.ts";
import type { PasswordMessages } from "./password-data.ts";

export interface SettingsTexts {
  readonly title: string;
  readonly profile: string;
  readonly timeZone: string;
  readonly timeZoneHint: string;
  /** Braces stand for the zone of the device. */
  readonly deviceZone: string;
  readonly otherZones: string;
  readonly language: string;
  readonly languageHint: string;
  readonly browserLanguage: string;
  readonly save: string;
  readonly password: string;
  readonly passwordLead: string;
  readonly current: string;
  readonly fresh: string;
  readonly freshHint: string;
  readonly disconnect: string;
  readonly disconnectHint: string;
  readonly change: string;
  readonly needsScript: string;
  readonly needsScriptDetail: string;
  readonly insecure: string;
  readonly insecureDetail: string;
  readonly stays: string;
  readonly zoneUnknown: string;
  readonly notices: Readonly<Record<"saved" | "password-changed", string>>;
  readonly messages: PasswordMessages;
}

export const SETTINGS_TEXTS: Readonly<Record<Language, SettingsTexts>> = {
  en: {
    title: "Settings",
    profile: "Time and language",
    timeZone: "Time zone",
    timeZoneHint: "It decides on which day something is due, and which times you see here.",
    deviceZone: "This device is in {zone}. Use it",
    otherZones: "Other",
    language: "Language of these pages",
    languageHint: "The links at the top change it for now; here you choose for good.",
    browserLanguage: "As the browser asks",
    save: "Save",
    password: "Password",
    passwordLead: "Changing it ends the sessions of all other browsers.",
    current: "Current password",
    fresh: "New password",
    freshHint: `At least ${MIN_PASSWORD_CHARACTERS} characters. A few words in a row are easy to remember and hard to guess.`,
    disconnect: "Disconnect all apps too",
    disconnectHint: "When somebody else may have known the password.",
    change: "Change password",
    needsScript: LOGIN_TEXTS.en.needsScript,
    needsScriptDetail:
      "To change the password, it is turned into a proof right here in your browser, so that the password itself is never sent. Please allow JavaScript for this page and load it again. Everything else on this page works without.",
    insecure: LOGIN_TEXTS.en.insecure,
    insecureDetail: LOGIN_TEXTS.en.insecureDetail,
    stays: "Neither password leaves this browser. Only proofs made from them are sent.",
    zoneUnknown: "Please choose a time zone from the list.",
    notices: {
      saved: "Your settings were saved.",
      "password-changed": "Your password was changed. All other browsers are signed out.",
    },
    messages: {
      ...LOGIN_TEXTS.en.messages,
      passwordMissing: "Please enter your current password.",
      freshMissing: "Please enter a new password.",
      tooShort: `That is too short: at least ${MIN_PASSWORD_CHARACTERS} characters, please.`,
      tooLong: `That is too long: at most ${MAX_PASSWORD_CHARACTERS} characters, please.`,
      notText: "That has characters in it that are no text. Please choose another one.",
      same: "That is the current password. Please choose another one.",
      deriving: "Preparing both proofs on this device. This takes a moment …",
      wrong: "The current password is not right. Please try again.",
      throttled: "Too many failed attempts. To keep guessers out, there is a pause for a while.",
      outdated:
        "You are no longer signed in, or this page was open for too long. Please load it again. Your password was not changed.",
      forged:
        "The server could not prove that it knows your account. Please make sure that the address of this page is right.",
    },
  },
  de: {
    title: "Einstellungen",
    profile: "Zeit und Sprache",
    timeZone: "Zeitzone",
    timeZoneHint:
      "Sie entscheidet, an welchem Tag etwas fällig ist und welche Zeiten du hier siehst.",
    deviceZone: "Dieses Gerät ist in {zone}. Übernehmen",
    otherZones: "Weitere",
    language: "Sprache dieser Seiten",
    languageHint: "Die Links oben ändern sie für jetzt, hier wählst du sie auf Dauer.",
    browserLanguage: "Wie der Browser es wünscht",
    save: "Speichern",
    password: "Passwort",
    passwordLead: "Wer es ändert, meldet alle anderen Browser ab.",
    current: "Jetziges Passwort",
    fresh: "Neues Passwort",
    freshHint: `Mindestens ${MIN_PASSWORD_CHARACTERS} Zeichen. Ein paar Wörter hintereinander sind leicht zu merken und schwer zu erraten.`,
    disconnect: "Auch alle Apps trennen",
    disconnectHint: "Falls jemand anderes das Passwort gekannt haben könnte.",
    change: "Passwort ändern",
    needsScript: LOGIN_TEXTS.de.needsScript,
    needsScriptDetail:
      "Um das Passwort zu ändern, wird gleich hier im Browser ein Beleg daraus gemacht, damit das Passwort selbst nie gesendet wird. Bitte erlaube JavaScript für diese Seite und lade sie neu. Alles andere auf dieser Seite geht auch ohne.",
    insecure: LOGIN_TEXTS.de.insecure,
    insecureDetail: LOGIN_TEXTS.de.insecureDetail,
    stays: "Keines der Passwörter verlässt diesen Browser. Gesendet werden nur Belege daraus.",
    zoneUnknown: "Bitte wähle eine Zeitzone aus der Liste.",
    notices: {
      saved: "Deine Einstellungen wurden gespeichert.",
      "password-changed": "Dein Passwort wurde geändert. Alle anderen Browser sind abgemeldet.",
    },
    messages: {
      ...LOGIN_TEXTS.de.messages,
      passwordMissing: "Bitte gib dein jetziges Passwort ein.",
      freshMissing: "Bitte gib ein neues Passwort ein.",
      tooShort: `Das ist zu kurz: Bitte nimm mindestens ${MIN_PASSWORD_CHARACTERS} Zeichen.`,
      tooLong: `Das ist zu lang: Bitte nimm höchstens ${MAX_PASSWORD_CHARACTERS} Zeichen.`,
      notText: "Darin sind Zeichen, die kein Text sind. Bitte wähle ein anderes.",
      same: "Das ist das jetzige Passwort. Bitte wähle ein anderes.",
      deriving: "Beide Belege werden auf diesem Gerät erstellt. Das dauert einen Moment …",
      wrong: "Das jetzige Passwort stimmt nicht. Bitte versuche es noch einmal.",
      throttled:
        "Zu viele Fehlversuche. Damit niemand Passwörter durchprobiert, gibt es eine Pause.",
      outdated:
        "Du bist nicht mehr angemeldet, oder diese Seite war zu lange offen. Bitte lade sie neu. Dein Passwort wurde nicht geändert.",
      forged:
        "Der Server konnte nicht zeigen, dass er dein Konto kennt. Bitte prüfe, ob die Adresse dieser Seite stimmt.",
    },
  },
};

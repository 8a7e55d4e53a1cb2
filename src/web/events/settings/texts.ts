import {
  MAX_PASSWORD_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
} from "../../../rules/identity/grammar.ts";
import { LOGIN_TEXTS } from "../../login/texts.ts";

const en = {
  title: "Settings",
  profile: "Time and language",
  timeZone: "Time zone",
  timeZoneHint: "It decides on which day something is due, and which times you see here.",
  /** `{zone}` is replaced by the script. */
  deviceZone: "This device is in {zone}. Use it",
  otherZones: "Other",
  language: "Language of these pages",
  languageHint: "The links at the top change it for now; here you choose for good.",
  browserLanguage: "As the browser asks",
  save: "Save",
  password: "Password",
  passwordLead: "Changing it ends the sessions of all other browsers.",
  currentPassword: "Current password",
  newPassword: "New password",
  newPasswordHint: `At least ${MIN_PASSWORD_CHARACTERS} characters. A few words in a row are easy to remember and hard to guess.`,
  revokeAccess: "Disconnect all apps too",
  revokeHint: "When somebody else may have known the password.",
  change: "Change password",
  needsScript: LOGIN_TEXTS.en.needsScript,
  needsScriptDetail:
    "To change the password, it is turned into a proof right here in your browser, so that the password itself is never sent. Please allow JavaScript for this page and load it again. Everything else on this page works without.",
  insecure: LOGIN_TEXTS.en.insecure,
  insecureDetail: LOGIN_TEXTS.en.insecureDetail,
  passwordNote: "Neither password leaves this browser. Only proofs made from them are sent.",
  zoneUnknown: "Please choose a time zone from the list.",
  notices: {
    saved: "Your settings were saved.",
    "password-changed": "Your password was changed. All other browsers are signed out.",
  },
  messages: {
    ...LOGIN_TEXTS.en.messages,
    passwordMissing: "Please enter your current password.",
    newPasswordMissing: "Please enter a new password.",
    "too-short": `That is too short: at least ${MIN_PASSWORD_CHARACTERS} characters, please.`,
    "too-long": `That is too long: at most ${MAX_PASSWORD_CHARACTERS} characters, please.`,
    "not-text": "That has characters in it that are no text. Please choose another one.",
    same: "That is the current password. Please choose another one.",
    deriving: "Preparing both proofs on this device. This takes a moment …",
    unauthorized: "The current password is not right. Please try again.",
    throttled: "Too many failed attempts. To keep guessers out, there is a pause for a while.",
    outdated:
      "You are no longer signed in, or this page was open for too long. Please load it again. Your password was not changed.",
    "server-unverified":
      "The server could not prove that it knows your account. Please make sure that the address of this page is right.",
  },
};

export type SettingsTexts = typeof en;

const de: SettingsTexts = {
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
  currentPassword: "Jetziges Passwort",
  newPassword: "Neues Passwort",
  newPasswordHint: `Mindestens ${MIN_PASSWORD_CHARACTERS} Zeichen. Ein paar Wörter hintereinander sind leicht zu merken und schwer zu erraten.`,
  revokeAccess: "Auch alle Apps trennen",
  revokeHint: "Falls jemand anderes das Passwort gekannt haben könnte.",
  change: "Passwort ändern",
  needsScript: LOGIN_TEXTS.de.needsScript,
  needsScriptDetail:
    "Um das Passwort zu ändern, wird gleich hier im Browser ein Beleg daraus gemacht, damit das Passwort selbst nie gesendet wird. Bitte erlaube JavaScript für diese Seite und lade sie neu. Alles andere auf dieser Seite geht auch ohne.",
  insecure: LOGIN_TEXTS.de.insecure,
  insecureDetail: LOGIN_TEXTS.de.insecureDetail,
  passwordNote: "Keines der Passwörter verlässt diesen Browser. Gesendet werden nur Belege daraus.",
  zoneUnknown: "Bitte wähle eine Zeitzone aus der Liste.",
  notices: {
    saved: "Deine Einstellungen wurden gespeichert.",
    "password-changed": "Dein Passwort wurde geändert. Alle anderen Browser sind abgemeldet.",
  },
  messages: {
    ...LOGIN_TEXTS.de.messages,
    passwordMissing: "Bitte gib dein jetziges Passwort ein.",
    newPasswordMissing: "Bitte gib ein neues Passwort ein.",
    "too-short": `Das ist zu kurz: Bitte nimm mindestens ${MIN_PASSWORD_CHARACTERS} Zeichen.`,
    "too-long": `Das ist zu lang: Bitte nimm höchstens ${MAX_PASSWORD_CHARACTERS} Zeichen.`,
    "not-text": "Darin sind Zeichen, die kein Text sind. Bitte wähle ein anderes.",
    same: "Das ist das jetzige Passwort. Bitte wähle ein anderes.",
    deriving: "Beide Belege werden auf diesem Gerät erstellt. Das dauert einen Moment …",
    unauthorized: "Das jetzige Passwort stimmt nicht. Bitte versuche es noch einmal.",
    throttled: "Zu viele Fehlversuche. Damit niemand Passwörter durchprobiert, gibt es eine Pause.",
    outdated:
      "Du bist nicht mehr angemeldet, oder diese Seite war zu lange offen. Bitte lade sie neu. Dein Passwort wurde nicht geändert.",
    "server-unverified":
      "Der Server konnte nicht zeigen, dass er dein Konto kennt. Bitte prüfe, ob die Adresse dieser Seite stimmt.",
  },
};

export const SETTINGS_TEXTS = { en, de };

import type { Language } from "../../contract/language.ts";
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from "../../rules/identity/grammar.ts";
import { LOGIN_TEXTS } from "./texts.ts";

const en = {
  title: "Password",
  currentPassword: "Current password",
  newPassword: "New password",
  newPasswordHint: `At least ${MIN_PASSWORD_CHARACTERS} characters. A few words in a row are easy to remember and hard to guess.`,
  change: "Change password",
  needsScriptDetail:
    "To change the password, your browser creates a proof from it, so that the password itself is never sent. Please allow JavaScript for this page and reload it. Everything else on this page works without it.",
  passwordNote: "Neither password leaves this browser. It sends only proofs made from them.",
  /** For an account that signs in with passkeys alone. */
  first: {
    done: "Your password was set. You can sign in with it from now on.",
    lead: "Your account has no password: you sign in with passkeys. With a password you have a second way to sign in.",
    set: "Set password",
    deriving: "Preparing your password on this device. This takes a moment …",
    unauthorized: "You signed in too long ago. Please reload this page and sign in again.",
    passwordNote: "The password stays in this browser. Only a proof created from it is sent.",
  },
  messages: {
    ...LOGIN_TEXTS.en.messages,
    passwordMissing: "Please enter your current password.",
    newPasswordMissing: "Please enter a new password.",
    "too-short": `The password is too short: use at least ${MIN_PASSWORD_CHARACTERS} characters.`,
    "too-long": `The password is too long: use at most ${MAX_PASSWORD_CHARACTERS} characters.`,
    "not-text": "The password contains invalid characters. Please choose another one.",
    same: "This is the current password. Please choose another one.",
    deriving: "Preparing the change on this device. This takes a moment …",
    unauthorized:
      "The current password is incorrect, or this attempt has expired. Please try again.",
    throttled:
      "Too many attempts. To prevent password guessing, changing the password is paused for {time}.",
    outdated:
      "You are no longer signed in, or this page was open for too long. Please reload it. Your password was not changed.",
    "server-unverified":
      "The server could not prove that it knows your account. Please check the address of this page.",
  },
};

export type PasswordTexts = typeof en;

const de: PasswordTexts = {
  title: "Passwort",
  currentPassword: "Aktuelles Passwort",
  newPassword: "Neues Passwort",
  newPasswordHint: `Mindestens ${MIN_PASSWORD_CHARACTERS} Zeichen. Ein paar Wörter hintereinander sind leicht zu merken und schwer zu erraten.`,
  change: "Passwort ändern",
  needsScriptDetail:
    "Um das Passwort zu ändern, erstellt dein Browser daraus einen Nachweis, sodass das Passwort selbst nie gesendet wird. Bitte erlaube JavaScript für diese Seite und lade sie neu. Alles andere auf dieser Seite funktioniert auch ohne JavaScript.",
  passwordNote:
    "Beide Passwörter bleiben in diesem Browser. Gesendet werden nur daraus erstellte Nachweise.",
  first: {
    done: "Dein Passwort wurde festgelegt. Du kannst dich ab jetzt damit anmelden.",
    lead: "Dein Konto hat kein Passwort: Du meldest dich mit Passkeys an. Mit einem Passwort hast du einen zweiten Weg, dich anzumelden.",
    set: "Passwort festlegen",
    deriving: "Dein Passwort wird auf diesem Gerät vorbereitet. Das dauert einen Moment …",
    unauthorized:
      "Deine Anmeldung ist zu lange her. Bitte lade diese Seite neu und melde dich noch einmal an.",
    passwordNote:
      "Das Passwort bleibt in diesem Browser. Gesendet wird nur ein daraus erstellter Nachweis.",
  },
  messages: {
    ...LOGIN_TEXTS.de.messages,
    passwordMissing: "Bitte gib dein aktuelles Passwort ein.",
    newPasswordMissing: "Bitte gib ein neues Passwort ein.",
    "too-short": `Das Passwort ist zu kurz: Verwende mindestens ${MIN_PASSWORD_CHARACTERS} Zeichen.`,
    "too-long": `Das Passwort ist zu lang: Verwende höchstens ${MAX_PASSWORD_CHARACTERS} Zeichen.`,
    "not-text": "Das Passwort enthält ungültige Zeichen. Bitte wähle ein anderes.",
    same: "Das ist das aktuelle Passwort. Bitte wähle ein anderes.",
    deriving: "Die Änderung wird auf diesem Gerät vorbereitet. Das dauert einen Moment …",
    unauthorized:
      "Das aktuelle Passwort ist falsch, oder dieser Versuch ist abgelaufen. Bitte versuche es noch einmal.",
    throttled:
      "Zu viele Versuche. Damit niemand Passwörter erraten kann, ist das Ändern {time} lang gesperrt.",
    outdated:
      "Du bist nicht mehr angemeldet, oder diese Seite war zu lange geöffnet. Bitte lade sie neu. Dein Passwort wurde nicht geändert.",
    "server-unverified":
      "Der Server konnte nicht nachweisen, dass er dein Konto kennt. Bitte prüfe die Adresse dieser Seite.",
  },
};

export const PASSWORD_TEXTS: Readonly<Record<Language, PasswordTexts>> = { en, de };

/** The texts of passkeys: on sign-in pages, and where a signed-in person manages them. */
import type { Language } from "../../contract/language.ts";
import { LOGIN_TEXTS } from "../login/texts.ts";
import { SIGN_IN_LINK_TEXTS } from "../sign-in-link/texts.ts";

const en = {
  /** Shown by the script. Errors are named by their kinds; `{time}` is replaced. */
  messages: {
    cancelled:
      "No passkey was used: you cancelled, it took too long, or this device has no passkey for this page. Please try again.",
    "already-added": "This device or password manager already has a passkey for your account.",
    unsupported:
      "This device cannot store a passkey, or has no screen lock. Please set one up, or use another device or a security key.",
    failed: "The browser could not use a passkey here. Please try another browser or device.",
    throttled: SIGN_IN_LINK_TEXTS.en.messages.throttled,
    offline: LOGIN_TEXTS.en.messages.offline,
    unexpected: LOGIN_TEXTS.en.messages.unexpected,
  },
  signIn: "Sign in with a passkey",
  refused:
    "The server does not accept this passkey, or this sign-in has expired. Please try again, or use your password.",
  title: "Passkeys",
  lead: "Sign in with your fingerprint, your face or your screen lock instead of your password. A passkey works only at this address, so a fake page cannot steal it.",
  none: "You have no passkey yet.",
  name: "Name of the new passkey",
  nameHint: "For example the device or the password manager that stores it.",
  newName: (number: number) => `Passkey ${number}`,
  added: "Added",
  add: "Add a passkey",
  full: (count: number) =>
    `You have ${count} passkeys, which is the limit. Remove one to add another.`,
  unavailable:
    "To add a passkey, please use a browser that supports passkeys and allow JavaScript.",
  rename: "Rename",
  newNameLabel: "Name",
  remove: "Remove",
  removeQuestion:
    "You can then no longer sign in with it. Existing sign-ins stay valid. Please delete it on your device or in your password manager, too.",
  removeConfirm: "Yes, remove it",
  notFresh: "Please sign in again to do this.",
  signInAgain: "Sign in again",
  adding: {
    cancelled:
      "No passkey was created: you cancelled, it took too long, or this device cannot store one. Please try again.",
    unauthorized:
      "The passkey was not added: you signed in too long ago, or the attempt has expired. Please reload this page.",
    outdated: "You are no longer signed in. Please reload this page.",
  },
  notices: {
    "passkey-added": "The passkey was added. You can sign in with it from now on.",
    "passkey-named": "The name of the passkey was saved.",
    "passkey-removed": "The passkey was removed. You can no longer sign in with it.",
  },
  errors: {
    "passkey-gone": "This passkey has already been removed.",
    "passkey-name-invalid": "Please enter a name of at most 64 characters.",
    "last-way-in":
      "You can sign in only with this passkey, because your account has no password. Add another passkey or set a password first.",
    "not-fresh": "Nothing was changed. To add or remove a passkey, please sign in again first.",
  },
};

export type PasskeyTexts = typeof en;

const de: PasskeyTexts = {
  messages: {
    cancelled:
      "Es wurde kein Passkey verwendet: Du hast abgebrochen, es hat zu lange gedauert, oder dieses Gerät hat keinen für diese Seite. Bitte versuche es noch einmal.",
    "already-added":
      "Dieses Gerät oder dieser Passwortmanager hat schon einen Passkey für dein Konto.",
    unsupported:
      "Dieses Gerät kann keinen Passkey speichern oder hat keine Displaysperre. Bitte richte eine ein, oder verwende ein anderes Gerät oder einen Sicherheitsschlüssel.",
    failed:
      "Der Browser konnte hier keinen Passkey verwenden. Bitte versuche es mit einem anderen Browser oder Gerät.",
    throttled: SIGN_IN_LINK_TEXTS.de.messages.throttled,
    offline: LOGIN_TEXTS.de.messages.offline,
    unexpected: LOGIN_TEXTS.de.messages.unexpected,
  },
  signIn: "Mit Passkey anmelden",
  refused:
    "Der Server nimmt diesen Passkey nicht an, oder diese Anmeldung ist abgelaufen. Bitte versuche es noch einmal oder verwende dein Passwort.",
  title: "Passkeys",
  lead: "Melde dich mit Fingerabdruck, Gesicht oder Displaysperre an statt mit deinem Passwort. Ein Passkey funktioniert nur unter dieser Adresse, deshalb kann eine gefälschte Seite ihn nicht stehlen.",
  none: "Du hast noch keinen Passkey.",
  name: "Name des neuen Passkeys",
  nameHint: "Zum Beispiel das Gerät oder der Passwortmanager, der ihn speichert.",
  newName: (number) => `Passkey ${number}`,
  added: "Hinzugefügt",
  add: "Passkey hinzufügen",
  full: (count) =>
    `Du hast ${count} Passkeys, mehr sind nicht möglich. Entferne einen, um einen anderen hinzuzufügen.`,
  unavailable:
    "Um einen Passkey hinzuzufügen, verwende bitte einen Browser, der Passkeys unterstützt, und erlaube JavaScript.",
  rename: "Umbenennen",
  newNameLabel: "Name",
  remove: "Entfernen",
  removeQuestion:
    "Du kannst dich dann nicht mehr damit anmelden. Bestehende Anmeldungen bleiben gültig. Bitte lösche ihn auch auf deinem Gerät oder in deinem Passwortmanager.",
  removeConfirm: "Ja, entfernen",
  notFresh: "Bitte melde dich dafür zuerst noch einmal an.",
  signInAgain: "Noch einmal anmelden",
  adding: {
    cancelled:
      "Es wurde kein Passkey erstellt: Du hast abgebrochen, es hat zu lange gedauert, oder dieses Gerät kann keinen speichern. Bitte versuche es noch einmal.",
    unauthorized:
      "Der Passkey wurde nicht hinzugefügt: Deine Anmeldung ist zu lange her, oder der Vorgang ist abgelaufen. Bitte lade diese Seite neu.",
    outdated: "Du bist nicht mehr angemeldet. Bitte lade diese Seite neu.",
  },
  notices: {
    "passkey-added": "Der Passkey wurde hinzugefügt. Du kannst dich ab jetzt damit anmelden.",
    "passkey-named": "Der Name des Passkeys wurde gespeichert.",
    "passkey-removed": "Der Passkey wurde entfernt. Du kannst dich nicht mehr damit anmelden.",
  },
  errors: {
    "passkey-gone": "Dieser Passkey wurde schon entfernt.",
    "passkey-name-invalid": "Bitte gib einen Namen mit höchstens 64 Zeichen ein.",
    "last-way-in":
      "Nur mit diesem Passkey kannst du dich anmelden, denn dein Konto hat kein Passwort. Füge zuerst einen anderen Passkey hinzu oder lege ein Passwort fest.",
    "not-fresh":
      "Es wurde nichts geändert. Um einen Passkey hinzuzufügen oder zu entfernen, melde dich bitte zuerst noch einmal an.",
  },
};

export const PASSKEY_TEXTS: Readonly<Record<Language, PasskeyTexts>> = { en, de };

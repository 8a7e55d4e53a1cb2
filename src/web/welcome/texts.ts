/** The texts of the page of invitations and reset links. */
import type { Language } from "../../contract/language.ts";
import { html, type Html } from "../html.ts";
import { PASSWORD_TEXTS } from "../login/password-texts.ts";
import { PASSKEY_TEXTS } from "../passkey/texts.ts";
import { SIGN_IN_LINK_TEXTS } from "../sign-in-link/texts.ts";

const en = {
  title: "Your account",
  invited: "Welcome",
  invitedLead: (instance: Html) =>
    html`You have been invited to ${instance}. Choose a username, and a password or a passkey.`,
  create: "Create account",
  reset: "Choose a new way to sign in",
  resetLead: (username: Html, instance: Html) =>
    html`For the account ${username} on ${instance}. The link works once.`,
  set: "Set password",
  needsScriptDetail: SIGN_IN_LINK_TEXTS.en.needsScriptDetail,
  passwordNote:
    "Your password stays in this browser. The server gets only what it needs to check it.",
  usePasskey: "Use a passkey instead",
  passkeyHint:
    "You then sign in with your fingerprint, your face or your screen lock, and need no password.",
  tryAgain: "Try again",
  created: "Your account is ready",
  signedIn: (username: Html) => html`You are signed in here as ${username}.`,
  /** Instead of `signedIn` where the service has no page to be signed in to. */
  username: (username: Html) => html`Your username is ${username}.`,
  changed: "Your new sign-in is set up",
  connect: "Connect an app",
  theAddress: "the address of the server",
  refused: SIGN_IN_LINK_TEXTS.en.refused,
  refusedDetail:
    "It was used, has expired or was replaced by a newer one, or its address is incomplete. If you used it yourself, you can sign in. Otherwise please ask the operator of this server for a new one.",
  sync: {
    resetEnds:
      "As soon as you confirm, all devices and browsers are signed out, and your current passkeys stop working. Your data is kept.",
    changedDetail:
      "All other devices and browsers are signed out. Open each app and sign in again there.",
    steps: [
      "In the settings of the app, choose another sync server.",
      "Enter this address:",
      "Sign in on the page that opens.",
    ],
    open: "Open your page",
  },
  events: {
    resetEnds:
      "As soon as you confirm, all browsers are signed out, and your current passkeys stop working.",
    changedDetail: "All other browsers are signed out.",
    steps: [
      "In the app, choose to get events from a server.",
      "Enter this address:",
      "Sign in on the page that opens, and allow the app to read your events.",
    ],
    open: "Open your events",
  },
  appsRevoked: "Apps that you connected lose their access.",
  appsKept: "Apps that you connected keep their access.",
  /** Shown by the script. Errors are named by their kinds; `{time}` is replaced. */
  messages: {
    ...PASSWORD_TEXTS.en.messages,
    ...PASSKEY_TEXTS.en.messages,
    cancelled: PASSKEY_TEXTS.en.adding.cancelled,
    usernameMissing: "Please choose a username.",
    usernameInvalid:
      "Please choose another name, with at most 128 characters and no invisible ones.",
    usernameTaken: "This name is taken. Please choose another one.",
    passwordMissing: "Please choose a password.",
    opening: "Checking the link …",
    deriving: "Preparing your password on this device. This takes a moment …",
    proving: "Sending …",
    waitingForPasskey: "Follow the instructions of your browser or device …",
    passkeyRefused:
      "The server did not accept this passkey, or it took too long. Please try again, or choose a password.",
    outdated: SIGN_IN_LINK_TEXTS.en.messages.outdated,
  },
};

export type WelcomeTexts = typeof en;
export type WelcomeMessages = WelcomeTexts["messages"];

const de: WelcomeTexts = {
  title: "Dein Konto",
  invited: "Willkommen",
  invitedLead: (instance) =>
    html`Du wurdest zu ${instance} eingeladen. Wähle einen Benutzernamen und ein Passwort oder einen
    Passkey.`,
  create: "Konto erstellen",
  reset: "Wähle, wie du dich künftig anmeldest",
  resetLead: (username, instance) =>
    html`Für das Konto ${username} bei ${instance}. Der Link funktioniert nur einmal.`,
  set: "Passwort festlegen",
  needsScriptDetail: SIGN_IN_LINK_TEXTS.de.needsScriptDetail,
  passwordNote:
    "Dein Passwort bleibt in diesem Browser. Der Server bekommt nur, was er braucht, um es zu prüfen.",
  usePasskey: "Stattdessen einen Passkey verwenden",
  passkeyHint:
    "Du meldest dich dann mit Fingerabdruck, Gesicht oder Displaysperre an und brauchst kein Passwort.",
  tryAgain: "Noch einmal versuchen",
  created: "Dein Konto ist bereit",
  signedIn: (username) => html`Du bist hier als ${username} angemeldet.`,
  username: (username) => html`Dein Benutzername ist ${username}.`,
  changed: "Deine neue Anmeldung ist eingerichtet",
  connect: "Eine App verbinden",
  theAddress: "die Adresse des Servers",
  refused: SIGN_IN_LINK_TEXTS.de.refused,
  refusedDetail:
    "Er wurde schon verwendet, ist abgelaufen oder wurde durch einen neueren ersetzt, oder seine Adresse ist unvollständig. Wenn du ihn selbst verwendet hast, kannst du dich anmelden. Sonst bitte den Betreiber dieses Servers um einen neuen.",
  sync: {
    resetEnds:
      "Sobald du bestätigst, werden alle Geräte und Browser abgemeldet, und deine bisherigen Passkeys funktionieren nicht mehr. Deine Daten bleiben erhalten.",
    changedDetail:
      "Alle anderen Geräte und Browser sind abgemeldet. Öffne jede App und melde dich dort wieder an.",
    steps: [
      "Wähle in den Einstellungen der App einen anderen Sync-Server.",
      "Gib diese Adresse ein:",
      "Melde dich auf der Seite an, die sich öffnet.",
    ],
    open: "Deine Seite öffnen",
  },
  events: {
    resetEnds:
      "Sobald du bestätigst, werden alle Browser abgemeldet, und deine bisherigen Passkeys funktionieren nicht mehr.",
    changedDetail: "Alle anderen Browser sind abgemeldet.",
    steps: [
      "Wähle in der App, dass sie Termine von einem Server holt.",
      "Gib diese Adresse ein:",
      "Melde dich auf der Seite, die sich öffnet, an und erlaube der App, deine Termine zu lesen.",
    ],
    open: "Deine Termine öffnen",
  },
  appsRevoked: "Apps, die du verbunden hast, verlieren ihren Zugriff.",
  appsKept: "Apps, die du verbunden hast, behalten ihren Zugriff.",
  messages: {
    ...PASSWORD_TEXTS.de.messages,
    ...PASSKEY_TEXTS.de.messages,
    cancelled: PASSKEY_TEXTS.de.adding.cancelled,
    usernameMissing: "Bitte wähle einen Benutzernamen.",
    usernameInvalid:
      "Bitte wähle einen anderen Namen mit höchstens 128 Zeichen und ohne unsichtbare Zeichen.",
    usernameTaken: "Dieser Name ist vergeben. Bitte wähle einen anderen.",
    passwordMissing: "Bitte wähle ein Passwort.",
    opening: "Der Link wird geprüft …",
    deriving: "Dein Passwort wird auf diesem Gerät vorbereitet. Das dauert einen Moment …",
    proving: "Wird gesendet …",
    waitingForPasskey: "Folge den Anweisungen deines Browsers oder Geräts …",
    passkeyRefused:
      "Der Server hat diesen Passkey nicht angenommen, oder es hat zu lange gedauert. Bitte versuche es noch einmal oder wähle ein Passwort.",
    outdated: SIGN_IN_LINK_TEXTS.de.messages.outdated,
  },
};

export const WELCOME_TEXTS: Readonly<Record<Language, WelcomeTexts>> = { en, de };

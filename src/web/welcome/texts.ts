/** The texts of the page of invitations and reset links. */
import type { Language } from "../../contract/language.ts";
import { html, type Html } from "../html.ts";
import { PASSWORD_TEXTS } from "../login/password-texts.ts";

const en = {
  title: "Your account",
  invited: "Welcome",
  invitedLead: (instance: Html) =>
    html`You are invited to ${instance}. Choose the name and the password of your account.`,
  create: "Create account",
  reset: "Choose a new password",
  resetLead: (username: Html, instance: Html) =>
    html`For the account ${username} on ${instance}. The link works once.`,
  set: "Set the password",
  password: "Password",
  needsScriptDetail:
    "The secret of the link is in a part of its address that only a script can read. Please allow JavaScript for this page and reload it. The link was not used.",
  passwordNote:
    "Your password stays in this browser. The server gets only what it needs to check it.",
  tryAgain: "Try again",
  created: "Your account is ready",
  createdLead: (username: Html) => html`You are signed in here as ${username}.`,
  changed: "Your new password is set",
  changedLead: (username: Html) => html`You are signed in here as ${username}.`,
  connect: "Connect an app",
  theAddress: "the address of the server",
  refused: "This link does not work any more",
  refusedDetail:
    "A link works once and for seven days, and its address must be complete. If you have used it already, sign in with the name and the password that you chose. Otherwise please ask the operator of this server for a new one.",
  sync: {
    resetEnds:
      "When you set it, all devices and browsers are signed out. Nothing is deleted: sign in again with the new password.",
    changedDetail:
      "All other devices and browsers are signed out. Open each app and sign in again with the new password.",
    steps: [
      "In the app, choose to sync with a server of your own.",
      "Enter this address:",
      "Sign in on the page that opens, with your name and password.",
    ],
    open: "Open your page",
  },
  events: {
    resetEnds: "When you set it, all browsers are signed out.",
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
    usernameMissing: "Please choose a username.",
    usernameInvalid: "Please choose another name, of at most 128 characters.",
    usernameTaken: "This name is taken. Please choose another one.",
    passwordMissing: "Please choose a password.",
    opening: "Checking the link …",
    deriving: "Preparing your password on this device. This takes a moment …",
    proving: "Sending …",
    throttled: "Too many requests came from your network. Please try again in {time}.",
    outdated:
      "The server did not accept the request from this address. Please open the link exactly as you got it. It was not used.",
  },
};

export type WelcomeTexts = typeof en;
export type WelcomeMessages = WelcomeTexts["messages"];
/** The texts that the services have each their own of. */
export type WelcomeServiceTexts = WelcomeTexts["sync"];

const de: WelcomeTexts = {
  title: "Dein Konto",
  invited: "Willkommen",
  invitedLead: (instance) =>
    html`Du bist zu ${instance} eingeladen. Wähle den Namen und das Passwort deines Kontos.`,
  create: "Konto erstellen",
  reset: "Neues Passwort wählen",
  resetLead: (username, instance) =>
    html`Für das Konto ${username} bei ${instance}. Der Link gilt einmal.`,
  set: "Passwort festlegen",
  password: "Passwort",
  needsScriptDetail:
    "Das Geheimnis des Links steht in einem Teil seiner Adresse, den nur ein Skript lesen kann. Bitte erlaube JavaScript für diese Seite und lade sie neu. Der Link wurde nicht verwendet.",
  passwordNote:
    "Dein Passwort bleibt in diesem Browser. Der Server bekommt nur, was er braucht, um es zu prüfen.",
  tryAgain: "Noch einmal versuchen",
  created: "Dein Konto ist bereit",
  createdLead: (username) => html`Du bist hier als ${username} angemeldet.`,
  changed: "Dein neues Passwort gilt",
  changedLead: (username) => html`Du bist hier als ${username} angemeldet.`,
  connect: "Eine App verbinden",
  theAddress: "die Adresse des Servers",
  refused: "Dieser Link gilt nicht mehr",
  refusedDetail:
    "Ein Link gilt einmal und sieben Tage lang, und seine Adresse muss vollständig sein. Wenn du ihn schon verwendet hast, melde dich mit dem Namen und dem Passwort an, die du gewählt hast. Sonst bitte den Betreiber dieses Servers um einen neuen.",
  sync: {
    resetEnds:
      "Wenn du es festlegst, werden alle Geräte und Browser abgemeldet. Gelöscht wird nichts: Melde dich mit dem neuen Passwort wieder an.",
    changedDetail:
      "Alle anderen Geräte und Browser sind abgemeldet. Öffne jede App und melde dich mit dem neuen Passwort wieder an.",
    steps: [
      "Wähle in der App, dass sie sich mit einem eigenen Server synchronisiert.",
      "Gib diese Adresse ein:",
      "Melde dich auf der Seite, die sich öffnet, mit deinem Namen und Passwort an.",
    ],
    open: "Deine Seite öffnen",
  },
  events: {
    resetEnds: "Wenn du es festlegst, werden alle Browser abgemeldet.",
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
    usernameMissing: "Bitte wähle einen Benutzernamen.",
    usernameInvalid: "Bitte wähle einen anderen Namen mit höchstens 128 Zeichen.",
    usernameTaken: "Dieser Name ist vergeben. Bitte wähle einen anderen.",
    passwordMissing: "Bitte wähle ein Passwort.",
    opening: "Der Link wird geprüft …",
    deriving: "Dein Passwort wird auf diesem Gerät vorbereitet. Das dauert einen Moment …",
    proving: "Wird gesendet …",
    throttled: "Aus deinem Netz kamen zu viele Anfragen. Bitte versuche es in {time} noch einmal.",
    outdated:
      "Der Server hat die Anfrage von dieser Adresse nicht angenommen. Bitte öffne den Link genau so, wie du ihn bekommen hast. Er wurde nicht verwendet.",
  },
};

export const WELCOME_TEXTS: Readonly<Record<Language, WelcomeTexts>> = { en, de };

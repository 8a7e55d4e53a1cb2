/** The texts of every sign-in and of the login page. */
import type { Language } from "../../contract/language.ts";
import { html, type Html } from "../html.ts";

const en = {
  title: (instance: string) => `Sign in to ${instance}`,
  heading: "Sign in",
  purpose: (instance: Html) => html`An app on your device wants to sync with ${instance}.`,
  username: "User name",
  password: "Password",
  submit: "Sign in",
  passwordNote: "Your password stays in this browser. Only a proof that you know it is sent.",
  returnsTo: "Afterwards you go back to",
  needsScript: "This page needs JavaScript",
  needsScriptDetail:
    "It turns your password into a proof right here in your browser, so that the password itself is never sent. Please allow JavaScript for this page and load it again. Nothing was sent.",
  insecure: "This connection is not safe",
  insecureDetail:
    "The page was opened without HTTPS, and browsers then switch off the cryptography that protects your password. Please open it by an address that begins with https:// or ask whoever runs this server. Nothing was sent.",
  done: "You are signed in",
  doneDetail:
    "Back to the app: you can close this tab. If the app did not open by itself, use the button.",
  back: "Back to the app",
  errorTitle: (instance: string) => `No sign-in at ${instance}`,
  badLink: "This sign-in link does not work",
  badLinkDetail:
    "Something in it is missing, wrong or not allowed on this server. Please go back to the app and start signing in again. If it happens again, tell the maker of the app what stands below.",
  unavailable: "Signing in is not possible right now",
  unavailableDetail:
    "The server is busy or has a problem. Your link is fine: please load this page again in a moment.",
  reference: "For support",
  /** Shown by the script. Errors are named by their kinds; `{time}` is replaced. */
  messages: {
    usernameMissing: "Please enter your user name.",
    passwordMissing: "Please enter your password.",
    contacting: "Contacting the server …",
    deriving: "Preparing the proof on this device. This takes a moment …",
    proving: "Sending the proof …",
    unauthorized: "The user name or the password is not right. Please try again.",
    expired:
      "That took too long, so the server no longer accepts it. Please enter your password again.",
    outdated:
      "This page was open for too long, or the sign-in was finished in another tab. Please load the page again, or start again in the app.",
    throttled: "Too many failed attempts. To keep guessers out, signing in is paused for a while.",
    waitFor: "You can try again in {time}.",
    mayTryAgain: "You can try again now.",
    offline: "The server cannot be reached. Please check your connection and try again.",
    unexpected: "The server could not handle this. Please try again in a moment.",
    "server-unverified":
      "The server could not prove that it knows your account. You were not sent back to the app. Please make sure that the address of this page is right.",
    "unsafe-challenge":
      "The server asked for an unsafe way of checking your password, so the sign-in was stopped. Your password was not used. Please make sure that the address of this page is right.",
    show: "Show",
    showPassword: "Show password",
    hide: "Hide",
    hidePassword: "Hide password",
  },
};

export type LoginTexts = typeof en;
export type SignInMessages = LoginTexts["messages"];

const de: LoginTexts = {
  title: (instance) => `Anmelden bei ${instance}`,
  heading: "Anmelden",
  purpose: (instance) => html`Eine App auf deinem Gerät möchte sich mit ${instance} abgleichen.`,
  username: "Benutzername",
  password: "Passwort",
  submit: "Anmelden",
  passwordNote:
    "Dein Passwort bleibt in diesem Browser. Gesendet wird nur ein Beleg, dass du es kennst.",
  returnsTo: "Danach geht es zurück zu",
  needsScript: "Diese Seite braucht JavaScript",
  needsScriptDetail:
    "Sie macht aus deinem Passwort gleich hier im Browser einen Beleg, damit das Passwort selbst nie gesendet wird. Bitte erlaube JavaScript für diese Seite und lade sie neu. Es wurde nichts gesendet.",
  insecure: "Diese Verbindung ist nicht sicher",
  insecureDetail:
    "Die Seite wurde ohne HTTPS geöffnet, und Browser schalten dann die Verschlüsselung ab, die dein Passwort schützt. Bitte öffne sie unter einer Adresse, die mit https:// beginnt, oder frage, wer diesen Server betreibt. Es wurde nichts gesendet.",
  done: "Du bist angemeldet",
  doneDetail:
    "Zurück zur App: Du kannst diesen Tab schließen. Falls sich die App nicht von selbst geöffnet hat, nimm den Knopf.",
  back: "Zurück zur App",
  errorTitle: (instance) => `Keine Anmeldung bei ${instance}`,
  badLink: "Dieser Anmelde-Link funktioniert nicht",
  badLinkDetail:
    "Etwas darin fehlt, ist falsch oder auf diesem Server nicht erlaubt. Bitte geh zurück zur App und beginne die Anmeldung neu. Passiert es wieder, dann nenne dem Hersteller der App, was unten steht.",
  unavailable: "Anmelden ist gerade nicht möglich",
  unavailableDetail:
    "Der Server ist überlastet oder hat eine Störung. Dein Link ist in Ordnung: Bitte lade diese Seite gleich noch einmal.",
  reference: "Für den Support",
  messages: {
    usernameMissing: "Bitte gib deinen Benutzernamen ein.",
    passwordMissing: "Bitte gib dein Passwort ein.",
    contacting: "Der Server wird gefragt …",
    deriving: "Der Beleg wird auf diesem Gerät erstellt. Das dauert einen Moment …",
    proving: "Der Beleg wird gesendet …",
    unauthorized: "Der Benutzername oder das Passwort stimmt nicht. Bitte versuche es noch einmal.",
    expired:
      "Das hat zu lange gedauert, darum nimmt der Server es nicht mehr an. Bitte gib dein Passwort noch einmal ein.",
    outdated:
      "Diese Seite war zu lange offen, oder die Anmeldung wurde in einem anderen Tab beendet. Bitte lade die Seite neu oder beginne noch einmal in der App.",
    throttled:
      "Zu viele Fehlversuche. Damit niemand Passwörter durchprobiert, macht die Anmeldung eine Pause.",
    waitFor: "Du kannst es in {time} wieder versuchen.",
    mayTryAgain: "Du kannst es jetzt wieder versuchen.",
    offline:
      "Der Server ist nicht erreichbar. Bitte prüfe deine Verbindung und versuche es noch einmal.",
    unexpected: "Der Server konnte das nicht bearbeiten. Bitte versuche es gleich noch einmal.",
    "server-unverified":
      "Der Server konnte nicht zeigen, dass er dein Konto kennt. Du wurdest nicht zur App zurückgeschickt. Bitte prüfe, ob die Adresse dieser Seite stimmt.",
    "unsafe-challenge":
      "Der Server verlangte eine unsichere Prüfung deines Passworts, darum wurde die Anmeldung abgebrochen. Dein Passwort wurde nicht verwendet. Bitte prüfe, ob die Adresse dieser Seite stimmt.",
    show: "Anzeigen",
    showPassword: "Passwort anzeigen",
    hide: "Verbergen",
    hidePassword: "Passwort verbergen",
  },
};

export const LOGIN_TEXTS: Readonly<Record<Language, LoginTexts>> = { en, de };

/** The texts of every sign-in and of the login page. */
import type { Language } from "../../contract/language.ts";
import { html, type Html } from "../html.ts";

const en = {
  title: (instance: string) => `Sign in to ${instance}`,
  heading: "Sign in",
  purpose: (instance: Html) => html`An app on your device wants to sync with ${instance}.`,
  username: "Username",
  password: "Password",
  submit: "Sign in",
  passwordNote: "Your password never leaves this browser. It sends only a proof that you know it.",
  forgotten: "Forgot your password? Ask the operator of this server for a reset link.",
  returnsTo: "Afterwards you return to",
  needsScript: "This page needs JavaScript",
  needsScriptDetail:
    "Your browser uses it to create a proof from your password, so that the password itself is never sent. Please allow JavaScript for this page and reload it. Nothing was sent.",
  noCookies: "This browser blocks cookies",
  noCookiesDetail:
    "This page needs one to know that you are signed in. Please allow cookies for this address and reload the page. Nothing was sent.",
  insecure: "This connection is not secure",
  insecureDetail:
    "The page was opened without HTTPS, and browsers then disable the cryptography that protects your password. Please open it at an address that begins with https://, or contact the operator of this server. Nothing was sent.",
  otherAddress: "This page was opened at another address",
  otherAddressDetail: (address: Html) =>
    html`You can sign in only at ${address}, the address of this server. Nothing was sent. If an app
    opened this page, correct the address of the server in the app.`,
  otherAddressOpen: "Open the page there",
  done: "You are signed in",
  doneDetail:
    "Continue in the app. You can close this tab. If the app did not open automatically, use the button.",
  back: "Back to the app",
  errorTitle: (instance: string) => `Cannot sign in to ${instance}`,
  badLink: "This sign-in link does not work",
  badLinkDetail:
    "The link is incomplete, or this server does not allow it. Please return to the app and sign in again. If this happens again, send the reference below to the developer of the app.",
  unlistedRedirect: "This app is not allowed on this server",
  unlistedRedirectDetail:
    "The app wants to send you back to an address that this server does not allow, so the sign-in was cancelled. Nothing was sent. If you trust the app, ask the operator of this server to allow its redirect URI. It is the redirect_uri in the address of this page.",
  unavailable: "Sign-in is not possible right now",
  unavailableDetail:
    "The server is overloaded or has an internal error. Please reload this page in a moment.",
  suspended: "Paused by the operator",
  suspendedDetail:
    "The operator has paused this address, so you cannot sign in here right now. Your account, your data and links that you received are kept. Please ask the operator when you can sign in again.",
  reference: "For support",
  /** Shown by the script. Errors are named by their kinds; `{time}` is replaced. */
  messages: {
    usernameMissing: "Please enter your username.",
    passwordMissing: "Please enter your password.",
    contacting: "Contacting the server …",
    deriving: "Preparing your password on this device. This takes a moment …",
    proving: "Signing in …",
    unauthorized:
      "The username or password is incorrect, or this sign-in has expired. Please try again.",
    outdated:
      "This page was open for too long, or the sign-in was completed in another tab. Please reload the page, or start again in the app.",
    throttled: "Too many attempts. To prevent password guessing, sign-in is paused for {time}.",
    waitFor: "You can try again in {time}.",
    mayTryAgain: "You can try again now.",
    offline: "The server cannot be reached. Please check your connection and try again.",
    unexpected: "The server could not process the request. Please try again in a moment.",
    "server-unverified":
      "The server could not prove that it knows your account. You were not sent back to the app. Please check the address of this page.",
    "unsafe-challenge":
      "The server asked for your password in an unsafe way, so the sign-in was cancelled. Your password was not used. Please check the address of this page.",
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
  purpose: (instance) =>
    html`Eine App auf deinem Gerät möchte sich mit ${instance} synchronisieren.`,
  username: "Benutzername",
  password: "Passwort",
  submit: "Anmelden",
  passwordNote:
    "Dein Passwort verlässt diesen Browser nie. Er sendet nur einen Nachweis, dass du es kennst.",
  forgotten:
    "Passwort vergessen? Bitte den Betreiber dieses Servers um einen Link zum Zurücksetzen.",
  returnsTo: "Danach kehrst du zurück zu",
  needsScript: "Diese Seite braucht JavaScript",
  needsScriptDetail:
    "Dein Browser erstellt damit aus deinem Passwort einen Nachweis, sodass das Passwort selbst nie gesendet wird. Bitte erlaube JavaScript für diese Seite und lade sie neu. Es wurde nichts gesendet.",
  noCookies: "Dieser Browser blockiert Cookies",
  noCookiesDetail:
    "Diese Seite braucht eines, um zu wissen, dass du angemeldet bist. Bitte erlaube Cookies für diese Adresse und lade die Seite neu. Es wurde nichts gesendet.",
  insecure: "Diese Verbindung ist nicht sicher",
  insecureDetail:
    "Die Seite wurde ohne HTTPS geöffnet, und Browser schalten dann die Kryptografie ab, die dein Passwort schützt. Bitte öffne sie unter einer Adresse, die mit https:// beginnt, oder wende dich an den Betreiber dieses Servers. Es wurde nichts gesendet.",
  otherAddress: "Diese Seite wurde unter einer anderen Adresse geöffnet",
  otherAddressDetail: (address) =>
    html`Anmelden kannst du dich nur unter ${address}, der Adresse dieses Servers. Es wurde nichts
    gesendet. Wenn eine App diese Seite geöffnet hat, korrigiere die Adresse des Servers in der App.`,
  otherAddressOpen: "Die Seite dort öffnen",
  done: "Du bist angemeldet",
  doneDetail:
    "Mach in der App weiter. Du kannst diesen Tab schließen. Falls sich die App nicht automatisch geöffnet hat, verwende die Schaltfläche.",
  back: "Zurück zur App",
  errorTitle: (instance) => `Anmeldung bei ${instance} nicht möglich`,
  badLink: "Dieser Anmeldelink funktioniert nicht",
  badLinkDetail:
    "Der Link ist unvollständig, oder dieser Server erlaubt ihn nicht. Bitte kehre zur App zurück und melde dich erneut an. Wenn das wieder passiert, sende die Referenz unten an den Entwickler der App.",
  unlistedRedirect: "Diese App ist auf diesem Server nicht zugelassen",
  unlistedRedirectDetail:
    "Die App möchte dich an eine Adresse zurückschicken, die dieser Server nicht erlaubt, deshalb wurde die Anmeldung abgebrochen. Es wurde nichts gesendet. Wenn du der App vertraust, bitte den Betreiber dieses Servers, ihre Weiterleitungsadresse zu erlauben. Sie steht als redirect_uri in der Adresse dieser Seite.",
  unavailable: "Die Anmeldung ist gerade nicht möglich",
  unavailableDetail:
    "Der Server ist überlastet oder hat einen internen Fehler. Bitte lade diese Seite gleich neu.",
  suspended: "Vom Betreiber pausiert",
  suspendedDetail:
    "Der Betreiber hat diese Adresse pausiert, deshalb kannst du dich hier gerade nicht anmelden. Dein Konto, deine Daten und die Links, die du bekommen hast, bleiben erhalten. Bitte frage den Betreiber, wann du dich wieder anmelden kannst.",
  reference: "Für den Support",
  messages: {
    usernameMissing: "Bitte gib deinen Benutzernamen ein.",
    passwordMissing: "Bitte gib dein Passwort ein.",
    contacting: "Verbindung zum Server …",
    deriving: "Dein Passwort wird auf diesem Gerät vorbereitet. Das dauert einen Moment …",
    proving: "Wird angemeldet …",
    unauthorized:
      "Der Benutzername oder das Passwort ist falsch, oder diese Anmeldung ist abgelaufen. Bitte versuche es noch einmal.",
    outdated:
      "Diese Seite war zu lange geöffnet, oder die Anmeldung wurde in einem anderen Tab abgeschlossen. Bitte lade die Seite neu oder beginne noch einmal in der App.",
    throttled:
      "Zu viele Versuche. Damit niemand Passwörter erraten kann, ist die Anmeldung {time} lang gesperrt.",
    waitFor: "Du kannst es in {time} noch einmal versuchen.",
    mayTryAgain: "Du kannst es jetzt noch einmal versuchen.",
    offline:
      "Der Server ist nicht erreichbar. Bitte prüfe deine Verbindung und versuche es noch einmal.",
    unexpected:
      "Der Server konnte die Anfrage nicht verarbeiten. Bitte versuche es gleich noch einmal.",
    "server-unverified":
      "Der Server konnte nicht nachweisen, dass er dein Konto kennt. Du wurdest nicht zur App weitergeleitet. Bitte prüfe die Adresse dieser Seite.",
    "unsafe-challenge":
      "Der Server wollte dein Passwort auf unsichere Weise prüfen, deshalb wurde die Anmeldung abgebrochen. Dein Passwort wurde nicht verwendet. Bitte prüfe die Adresse dieser Seite.",
    show: "Anzeigen",
    showPassword: "Passwort anzeigen",
    hide: "Verbergen",
    hidePassword: "Passwort verbergen",
  },
};

export const LOGIN_TEXTS: Readonly<Record<Language, LoginTexts>> = { en, de };

export function withMessages(texts: LoginTexts, changes: Partial<SignInMessages>): LoginTexts {
  return { ...texts, messages: { ...texts.messages, ...changes } };
}

/** The texts of pages with browser sessions, which lead to no app. */
export const SESSION_LOGIN_TEXTS: Readonly<Record<Language, LoginTexts>> = {
  en: withMessages(en, {
    "server-unverified":
      "The server could not prove that it knows your account. You are not signed in. Please check the address of this page.",
  }),
  de: withMessages(de, {
    "server-unverified":
      "Der Server konnte nicht nachweisen, dass er dein Konto kennt. Du bist nicht angemeldet. Bitte prüfe die Adresse dieser Seite.",
  }),
};

/** The texts of the page of sign-in links. */
import { html, type Html } from "../html.ts";
import { LOGIN_TEXTS } from "../login/texts.ts";

const en = {
  title: "Sign in on this device",
  lead: (instance: Html) =>
    html`While someone is guessing passwords at ${instance}, new browsers have to wait. With this
    link, this browser can sign in right away. You still need your password.`,
  hint: "Continue only in the browser in which you want to sign in, and only if you asked for the link. It works once.",
  submit: "Let this browser sign in",
  needsScript: LOGIN_TEXTS.en.needsScript,
  needsScriptDetail:
    "Only a script can read the secret part of the link. Please allow JavaScript for this page and reload it. The link was not used.",
  done: "You can sign in now",
  doneSync: "Go back to the app and sign in there. You can close this tab.",
  doneEvents: "This browser no longer has to wait.",
  signIn: LOGIN_TEXTS.en.submit,
  refused: "This link no longer works",
  refusedDetail: (command: Html) =>
    html`A link works once, within ten minutes, and only if its address is complete. Please ask the
    operator of this server for a new one. The operator creates it with ${command}.`,
  /** Shown by the script. Errors are named by their kinds; `{time}` is replaced. */
  messages: {
    contacting: LOGIN_TEXTS.en.messages.contacting,
    throttled: "Too many requests came from your network. Please try again in {time}.",
    offline: LOGIN_TEXTS.en.messages.offline,
    outdated:
      "The server did not accept the request from this address. Please open the link exactly as you received it. It was not used.",
    unexpected: LOGIN_TEXTS.en.messages.unexpected,
  },
};

export type SignInLinkTexts = typeof en;
export type SignInLinkMessages = SignInLinkTexts["messages"];

const de: SignInLinkTexts = {
  title: "Auf diesem Gerät anmelden",
  lead: (instance) =>
    html`Solange jemand bei ${instance} Passwörter zu erraten versucht, müssen neue Browser warten.
    Mit diesem Link kann sich dieser Browser sofort anmelden. Dein Passwort brauchst du trotzdem.`,
  hint: "Mach nur weiter, wenn du um den Link gebeten hast, und nur in dem Browser, in dem du dich anmelden möchtest. Er funktioniert nur einmal.",
  submit: "Diesen Browser zulassen",
  needsScript: LOGIN_TEXTS.de.needsScript,
  needsScriptDetail:
    "Den geheimen Teil des Links kann nur ein Skript lesen. Bitte erlaube JavaScript für diese Seite und lade sie neu. Der Link wurde nicht verwendet.",
  done: "Du kannst dich jetzt anmelden",
  doneSync: "Kehre zur App zurück und melde dich dort an. Du kannst diesen Tab schließen.",
  doneEvents: "Dieser Browser muss nicht mehr warten.",
  signIn: LOGIN_TEXTS.de.submit,
  refused: "Dieser Link funktioniert nicht mehr",
  refusedDetail: (command) =>
    html`Ein Link funktioniert nur einmal, nur zehn Minuten lang und nur mit vollständiger Adresse.
    Bitte den Betreiber dieses Servers um einen neuen. Er erstellt ihn mit ${command}.`,
  messages: {
    contacting: LOGIN_TEXTS.de.messages.contacting,
    throttled: "Aus deinem Netz kamen zu viele Anfragen. Bitte versuche es in {time} noch einmal.",
    offline: LOGIN_TEXTS.de.messages.offline,
    outdated:
      "Der Server hat die Anfrage von dieser Adresse nicht angenommen. Bitte öffne den Link genau so, wie du ihn bekommen hast. Er wurde nicht verwendet.",
    unexpected: LOGIN_TEXTS.de.messages.unexpected,
  },
};

export const SIGN_IN_LINK_TEXTS = { en, de };

/** The texts of the page of sign-in links. */
import { html, type Html } from "../html.ts";
import { LOGIN_TEXTS } from "../login/texts.ts";

const en = {
  title: "Sign in on this device",
  lead: (instance: Html) =>
    html`With this link, this browser can sign in to ${instance} even while others guess passwords
    and new browsers have to wait. You still need your password.`,
  hint: "Continue only in the browser in which you want to sign in, and only if you asked for the link. It works once.",
  submit: "Let this browser sign in",
  needsScript: LOGIN_TEXTS.en.needsScript,
  needsScriptDetail:
    "The secret of the link is in a part of its address that only a script can read. Please allow JavaScript for this page and reload it. The link was not used.",
  done: "You can sign in now",
  doneSync: "Go back to the app and sign in there. You can close this tab.",
  doneEvents: "This browser does not have to wait any more.",
  signIn: LOGIN_TEXTS.en.submit,
  refused: "This link does not work any more",
  refusedDetail: (command: Html) =>
    html`A link works once and for ten minutes, and its address must be complete. Please ask the
    operator of this server for a new one; it is made with ${command}.`,
  /** Shown by the script. Errors are named by their kinds; `{time}` is replaced. */
  messages: {
    contacting: LOGIN_TEXTS.en.messages.contacting,
    throttled: "Too many requests came from your network. Please try again in {time}.",
    offline: LOGIN_TEXTS.en.messages.offline,
    outdated:
      "The server did not accept the request from this address. Please open the link exactly as you got it. It was not used.",
    unexpected: LOGIN_TEXTS.en.messages.unexpected,
  },
};

export type SignInLinkTexts = typeof en;
export type SignInLinkMessages = SignInLinkTexts["messages"];

const de: SignInLinkTexts = {
  title: "Auf diesem Gerät anmelden",
  lead: (instance) =>
    html`Mit diesem Link kann sich dieser Browser bei ${instance} anmelden, auch während andere
    Passwörter raten und neue Browser warten müssen. Dein Passwort brauchst du trotzdem.`,
  hint: "Fahre nur in dem Browser fort, in dem du dich anmelden möchtest, und nur, wenn du um den Link gebeten hast. Er gilt einmal.",
  submit: "Diesen Browser zulassen",
  needsScript: LOGIN_TEXTS.de.needsScript,
  needsScriptDetail:
    "Das Geheimnis des Links steht in einem Teil seiner Adresse, den nur ein Skript lesen kann. Bitte erlaube JavaScript für diese Seite und lade sie neu. Der Link wurde nicht verwendet.",
  done: "Du kannst dich jetzt anmelden",
  doneSync: "Kehre zur App zurück und melde dich dort an. Du kannst diesen Tab schließen.",
  doneEvents: "Dieser Browser muss nicht mehr warten.",
  signIn: LOGIN_TEXTS.de.submit,
  refused: "Dieser Link gilt nicht mehr",
  refusedDetail: (command) =>
    html`Ein Link gilt einmal und zehn Minuten lang, und seine Adresse muss vollständig sein. Bitte
    den Betreiber dieses Servers um einen neuen; er wird mit ${command} erstellt.`,
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

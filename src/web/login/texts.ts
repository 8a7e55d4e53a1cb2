/** Every sentence of the login page, once per language. */
import type { Language } from "../language.ts";
import type { LoginMessages } from "./login-data.ts";

export interface LoginTexts {
  readonly title: (instance: string) => string;
  readonly heading: string;
  /** Before and after the instance's name. */
  readonly purpose: readonly [string, string];
  readonly username: string;
  readonly password: string;
  readonly submit: string;
  readonly staysHere: string;
  readonly returnsTo: string;
  readonly needsScript: string;
  readonly needsScriptDetail: string;
  readonly insecure: string;
  readonly insecureDetail: string;
  readonly done: string;
  readonly doneDetail: string;
  readonly back: string;
  readonly errorTitle: (instance: string) => string;
  readonly badLink: string;
  readonly badLinkDetail: string;
  readonly outOfService: string;
  readonly outOfServiceDetail: string;
  readonly reference: string;
  readonly messages: LoginMessages;
}

const en: LoginTexts = {
  title: (instance) => `Sign in to ${instance}`,
  heading: "Sign in",
  purpose: ["An app on your device wants to sync with ", "."],
  username: "User name",
  password: "Password",
  submit: "Sign in",
  staysHere: "Your password stays in this browser. Only a proof that you know it is sent.",
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
  errorTitle: (instance) => `No sign-in at ${instance}`,
  badLink: "This sign-in link does not work",
  badLinkDetail:
    "Something in it is missing, wrong or not allowed on this server. Please go back to the app and start signing in again. If it happens again, tell the maker of the app what stands below.",
  outOfService: "Signing in is not possible right now",
  outOfServiceDetail:
    "The server is busy or has a problem. Your link is fine: please load this page again in a moment.",
  reference: "For support",
  messages: {
    usernameMissing: "Please enter your user name.",
    passwordMissing: "Please enter your password.",
    contacting: "Contacting the server …",
    deriving: "Preparing the proof on this device. This takes a moment …",
    proving: "Sending the proof …",
    wrong: "The user name or the password is not right. Please try again.",
    expired:
      "That took too long, so the server no longer accepts it. Please enter your password again.",
    outdated:
      "This page was open for too long, or the sign-in was finished in another tab. Please load the page again, or start again in the app.",
    throttled: "Too many failed attempts. To keep guessers out, signing in is paused for a while.",
    waitFor: "You can try again in {time}.",
    mayTryAgain: "You can try again now.",
    offline: "The server cannot be reached. Please check your connection and try again.",
    unanswered: "The server could not handle this. Please try again in a moment.",
    forged:
      "The server could not prove that it knows your account. You were not sent back to the app. Please make sure that the address of this page is right.",
    weakened:
      "The server asked for an unsafe way of checking your password, so the sign-in was stopped. Your password was not used. Please make sure that the address of this page is right.",
    show: "Show",
    showPassword: "Show password",
    hide: "Hide",
    hidePassword: "Hide password",
  },
};

const de: LoginTexts = {
  title: (instance) => `Anmelden bei ${instance}`,
  heading: "Anmelden",
  purpose: ["Eine App auf deinem Gerät möchte sich mit ", " abgleichen."],
  username: "Benutzername",
  password: "Passwort",
  submit: "Anmelden",
  staysHere:
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
  outOfService: "Anmelden ist gerade nicht möglich",
  outOfServiceDetail:
    "Der Server ist überlastet oder hat eine Störung. Dein Link ist in Ordnung: Bitte lade diese Seite gleich noch einmal.",
  reference: "Für den Support",
  messages: {
    usernameMissing: "Bitte gib deinen Benutzernamen ein.",
    passwordMissing: "Bitte gib dein Passwort ein.",
    contacting: "Der Server wird gefragt …",
    deriving: "Der Beleg wird auf diesem Gerät erstellt. Das dauert einen Moment …",
    proving: "Der Beleg wird gesendet …",
    wrong: "Der Benutzername oder das Passwort stimmt nicht. Bitte versuche es noch einmal.",
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
    unanswered: "Der Server konnte das nicht bearbeiten. Bitte versuche es gleich noch einmal.",
    forged:
      "Der Server konnte nicht zeigen, dass er dein Konto kennt. Du wurdest nicht zur App zurückgeschickt. Bitte prüfe, ob die Adresse dieser Seite stimmt.",
    weakened:
      "Der Server verlangte eine unsichere Prüfung deines Passworts, darum wurde die Anmeldung abgebrochen. Dein Passwort wurde nicht verwendet. Bitte prüfe, ob die Adresse dieser Seite stimmt.",
    show: "Anzeigen",
    showPassword: "Passwort anzeigen",
    hide: "Verbergen",
    hidePassword: "Passwort verbergen",
  },
};

export const LOGIN_TEXTS: Readonly<Record<Language, LoginTexts>> = { en, de };

/** The sign-in, for an app that asks for authorization or for the account pages. */
import type { SignInView } from "../../../contract/events/page-views.ts";
import type { Language } from "../../../contract/language.ts";
import { EVENTS_SIGN_IN_SCRIPT } from "../../generated/events-sign-in-script.ts";
import { html, type Html } from "../../html.ts";
import { signInForm } from "../../login/form.ts";
import type { SignInPageData } from "../../login/sign-in.ts";
import { LOGIN_TEXTS, type LoginTexts } from "../../login/texts.ts";
import { PATHS, renderEventsPage, type EventsFrame } from "../frame.ts";
import type { SessionData } from "../../login/session-requests.ts";

export function renderSignInPage(view: SignInView, frame: EventsFrame): string {
  const { origin, interaction, csrf, purpose, appName } = view;
  const texts = TEXTS[frame.language];
  const { login } = texts;
  const data: SessionData & SignInPageData = {
    origin,
    ownAddress: `${origin}${PATHS.home}`,
    endpoint: PATHS.signIn,
    csrf,
    purpose,
    attempt: { interaction },
    messages: login.messages,
  };
  const lead =
    appName === null ? texts.forOneself : texts.forApp(html`<strong>${appName}</strong>`);
  const main = html`<div class="narrow">
    <div class="card" id="sign-in">
      <h1>${login.heading}</h1>
      <p class="lead">${lead}</p>
      ${signInForm(data, login)}
    </div>
  </div>`;
  return renderEventsPage(frame, { title: login.heading, script: EVENTS_SIGN_IN_SCRIPT, main });
}

function withMessages(language: Language, changes: Partial<LoginTexts["messages"]>): LoginTexts {
  const texts = LOGIN_TEXTS[language];
  return { ...texts, messages: { ...texts.messages, ...changes } };
}

const en = {
  forApp: (app: Html) => html`${app} asks for access to your events. Sign in to decide.`,
  forOneself: "Manage your events, your calendars and the apps with access to them.",
  login: withMessages("en", {
    "server-unverified":
      "The server could not prove that it knows your account. You are not signed in. Please check the address of this page.",
  }),
};

const de: typeof en = {
  forApp: (app) =>
    html`${app} möchte auf deine Termine zugreifen. Melde dich an, um zu entscheiden.`,
  forOneself: "Verwalte deine Termine, deine Kalender und die Apps mit Zugriff darauf.",
  login: withMessages("de", {
    "server-unverified":
      "Der Server konnte nicht nachweisen, dass er dein Konto kennt. Du bist nicht angemeldet. Bitte prüfe die Adresse dieser Seite.",
  }),
};

const TEXTS = { en, de };

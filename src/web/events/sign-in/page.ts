/** The sign-in, for an app that asks for authorization or for the account pages, and by a link. */
import type { SignInView } from "../../../contract/events/page-views.ts";
import { EVENTS_SIGN_IN_SCRIPT } from "../../generated/events-sign-in-script.ts";
import { html, type Html } from "../../html.ts";
import { sessionSignIn } from "../../login/form.ts";
import { SESSION_LOGIN_TEXTS } from "../../login/texts.ts";
import { PATHS, renderEventsPage, type EventsFrame } from "../frame.ts";
import { SIGN_IN_LINK_SCRIPT } from "../../generated/sign-in-link-script.ts";
import { signInLinkContent } from "../../sign-in-link/content.ts";
import { SIGN_IN_LINK_TEXTS } from "../../sign-in-link/texts.ts";

export function renderSignInPage(view: SignInView, frame: EventsFrame): string {
  const { appName } = view;
  const { language } = frame;
  const login = SESSION_LOGIN_TEXTS[language];
  const texts = TEXTS[language];
  const lead =
    appName === null ? texts.forOneself : texts.forApp(html`<strong>${appName}</strong>`);
  const place = {
    home: PATHS.home,
    endpoint: PATHS.signIn,
    ...(view.hasPasskeys && { passkeyEndpoint: PATHS.signInWithPasskey }),
    language,
  };
  const main = html`<div class="narrow">${sessionSignIn(view, place, login, lead)}</div>`;
  return renderEventsPage(frame, { title: login.heading, script: EVENTS_SIGN_IN_SCRIPT, main });
}

const en = {
  forApp: (app: Html) => html`${app} asks for access to your events. Sign in to decide.`,
  forOneself: "Manage your events, your calendars and the apps with access to them.",
};

const de: typeof en = {
  forApp: (app) =>
    html`${app} möchte auf deine Termine zugreifen. Melde dich an, um zu entscheiden.`,
  forOneself: "Verwalte deine Termine, deine Kalender und die Apps, die darauf zugreifen.",
};

const TEXTS = { en, de };

export function renderSignInLinkPage(frame: EventsFrame): string {
  const { language, displayName } = frame;
  const texts = SIGN_IN_LINK_TEXTS[language];
  const next = `${PATHS.signIn}?lang=${language}`;
  const content = signInLinkContent({
    displayName,
    texts,
    data: { endpoint: PATHS.signInLink, knownBrowserPlace: "cookie" },
    command: "trellis events sign-in-link",
    done: html`<p class="lead">${texts.doneEvents}</p>
      <a class="button primary large" href="${next}">${texts.signIn}</a>`,
  });
  const main = html`<div class="narrow">${content}</div>`;
  return renderEventsPage(frame, { title: texts.title, script: SIGN_IN_LINK_SCRIPT, main });
}

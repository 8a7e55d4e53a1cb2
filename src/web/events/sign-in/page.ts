/** Where people sign in: for an app that waits, or by themselves. */
import { EVENTS_SIGN_IN_SCRIPT } from "../../generated/events-sign-in-script.ts";
import { html } from "../../html.ts";
import { loginForm } from "../../login/form.ts";
import { renderEventsPage, type EventsFrame } from "../frame.ts";
import { PATHS } from "../paths.ts";
import type { SessionData } from "../session-data.ts";
import { SIGN_IN_TEXTS } from "./texts.ts";

export interface SignInPageView {
  readonly interaction: string;
  readonly csrf: string;
  readonly purpose: string;
  readonly appName: string | null;
}

export function renderSignInPage(view: SignInPageView, frame: EventsFrame): string {
  const { interaction, csrf, purpose, appName } = view;
  const texts = SIGN_IN_TEXTS[frame.language];
  const { login, forApp, forOneself } = texts;
  const { messages } = login;
  const data: SessionData = {
    endpoint: PATHS.signIn,
    csrf,
    purpose,
    attempt: { interaction },
    messages,
  };
  const lead =
    appName === null ? forOneself : html`${forApp[0]}<strong>${appName}</strong>${forApp[1]}`;
  const main = html`<div class="narrow">
    <div class="card" id="sign-in">
      <h1>${login.heading}</h1>
      <p class="lead">${lead}</p>
      ${loginForm(data, login)}
    </div>
  </div>`;
  return renderEventsPage(frame, { title: login.heading, script: EVENTS_SIGN_IN_SCRIPT, main });
}

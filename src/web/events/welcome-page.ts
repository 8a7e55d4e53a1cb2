/** The page of invitations and reset links of the events service. */
import type { WelcomeView } from "../../contract/events/page-views.ts";
import { WELCOME_SCRIPT } from "../generated/welcome-script.ts";
import { html } from "../html.ts";
import { welcomeContent } from "../welcome/content.ts";
import { WELCOME_TEXTS } from "../welcome/texts.ts";
import { PATHS, renderEventsPage, type EventsFrame } from "./frame.ts";

export function renderWelcomePage({ address }: WelcomeView, frame: EventsFrame): string {
  const { displayName, language } = frame;
  const content = welcomeContent({
    service: "events",
    displayName,
    language,
    origin: address,
    data: { endpoint: PATHS.welcome, knownBrowserPlace: "cookie" },
    signInUrl: `${PATHS.signIn}?lang=${language}`,
  });
  const { title } = WELCOME_TEXTS[language];
  const main = html`<div class="narrow">${content}</div>`;
  return renderEventsPage(frame, { title, script: WELCOME_SCRIPT, main });
}

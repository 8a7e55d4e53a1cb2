import { SIGN_IN_LINK_SCRIPT } from "../generated/sign-in-link-script.ts";
import { html } from "../html.ts";
import { signInLinkContent } from "../sign-in-link/content.ts";
import { SIGN_IN_LINK_TEXTS } from "../sign-in-link/texts.ts";
import { PATHS, renderEventsPage, type EventsFrame } from "./frame.ts";

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

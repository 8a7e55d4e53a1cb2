/** The start page: what the others are for. */
import { EVENTS_ACCOUNT_SCRIPT } from "../../generated/events-account-script.ts";
import { html } from "../../html.ts";
import { FRAME_TEXTS } from "../frame-texts.ts";
import { renderEventsPage, SECTIONS } from "../frame.ts";
import { sectionIcon } from "../icons.ts";
import { PATHS } from "../paths.ts";
import type { SignedInFrame } from "../signed-in.ts";
import { HOME_TEXTS } from "./texts.ts";

export function renderHomePage(frame: SignedInFrame): string {
  const { account, language } = frame;
  const texts = HOME_TEXTS[language];
  const title = texts.welcome(account.username);
  const main = html`<h1>${title}</h1>
    <p class="lead">${texts.lead}</p>
    <ul class="tiles">
      ${SECTIONS.map(
        (section) =>
          html`<li class="tile">
            ${sectionIcon(section)}
            <h2><a href="${PATHS[section]}">${FRAME_TEXTS[language][section]}</a></h2>
            <p>${texts.sections[section]}</p>
          </li>`,
      )}
    </ul>`;
  return renderEventsPage(frame, {
    title,
    navigation: "home",
    script: EVENTS_ACCOUNT_SCRIPT,
    main,
  });
}

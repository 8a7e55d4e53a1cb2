/** The start page: links to the others, or what this is about and a way to sign in. */
import { html, type Html } from "../../html.ts";
import { FRAME_TEXTS } from "../frame-texts.ts";
import { renderEventsPage, SECTIONS, type EventsFrame } from "../frame.ts";
import { sectionIcon } from "../icons.ts";
import { PATHS } from "../paths.ts";
import { HOME_TEXTS, type HomeTexts } from "./texts.ts";

export function renderHomePage(frame: EventsFrame): string {
  const { account, language } = frame;
  const texts = HOME_TEXTS[language];
  return renderEventsPage(frame, {
    title: account === null ? texts.visitorHeading : texts.welcome(account.username),
    navigation: "home",
    main: account === null ? visitor(frame, texts) : overview(frame, account.username, texts),
  });
}

function overview({ language }: EventsFrame, username: string, texts: HomeTexts): Html {
  return html`<h1>${texts.welcome(username)}</h1>
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
}

function visitor({ language }: EventsFrame, texts: HomeTexts): Html {
  return html`<div class="narrow">
    <div class="card">
      <h1>${texts.visitorHeading}</h1>
      <p class="lead">${texts.visitorLead}</p>
      <ul class="points">
        ${texts.visitorPoints.map((point) => html`<li>${point}</li>`)}
      </ul>
      <p><a class="submit" href="${PATHS.signIn}">${FRAME_TEXTS[language].signIn}</a></p>
    </div>
  </div>`;
}

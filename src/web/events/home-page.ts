import { html } from "../html.ts";
import { FRAME_TEXTS, PATHS, renderAccountPage, SECTIONS, type SignedInFrame } from "./frame.ts";
import { sectionIcon } from "./messages.ts";

export function renderHomePage(frame: SignedInFrame): string {
  const { account, language } = frame;
  const texts = TEXTS[language];
  const title = texts.welcome(account.username);
  const main = html`<h1>${title}</h1>
    <p class="lead">${texts.lead}</p>
    <ul class="tiles">
      ${SECTIONS.map(
        (section) =>
          html`<li class="panel tile">
            ${sectionIcon(section)}
            <h2>
              <a class="target" href="${PATHS[section]}">${FRAME_TEXTS[language][section]}</a>
            </h2>
            <p>${texts.sections[section]}</p>
          </li>`,
      )}
    </ul>`;
  return renderAccountPage(frame, { title, navigation: "home", main });
}

const en = {
  welcome: (username: string) => `Hello, ${username}`,
  lead: "What is due, where it comes from, and who may read it.",
  sections: {
    events: "See everything that is due, and add events of your own.",
    subscriptions: "Subscribe to the calendar of your school or club, and see how it is doing.",
    apps: "See which apps may read your events, and disconnect them.",
    settings: "Time zone, language and password.",
  },
};

const de: typeof en = {
  welcome: (username) => `Hallo, ${username}`,
  lead: "Was ansteht, woher es kommt und wer es lesen darf.",
  sections: {
    events: "Sieh alles, was ansteht, und trage eigene Termine ein.",
    subscriptions:
      "Abonniere den Kalender deiner Schule oder deines Vereins und sieh, wie es ihm geht.",
    apps: "Sieh, welche Apps deine Termine lesen dürfen, und trenne sie.",
    settings: "Zeitzone, Sprache und Passwort.",
  },
};

const TEXTS = { en, de };

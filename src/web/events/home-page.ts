import { html } from "../html.ts";
import {
  FRAME_TEXTS,
  PATHS,
  renderAccountPage,
  SECTIONS,
  type SignedInFrame,
  sectionIcon,
} from "./frame.ts";

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
            <p class="meta">${texts.sections[section]}</p>
          </li>`,
      )}
    </ul>`;
  return renderAccountPage(frame, { title, navigation: "home", main });
}

const en = {
  welcome: (username: string) => `Hello, ${username}`,
  lead: "Your events, your calendars, and the apps with access to them.",
  sections: {
    events: "See all events, and add your own.",
    subscriptions: "Subscribe to the calendar of your school or club, and see its status.",
    apps: "See which apps can read your events, and revoke their access.",
    settings: "Time zone, language, password and passkeys.",
  },
};

const de: typeof en = {
  welcome: (username) => `Hallo, ${username}`,
  lead: "Deine Termine, deine Kalender und die Apps, die darauf zugreifen.",
  sections: {
    events: "Sieh dir alle Termine an und trage eigene ein.",
    subscriptions:
      "Abonniere den Kalender deiner Schule oder deines Vereins und prüfe seinen Status.",
    apps: "Sieh nach, welche Apps deine Termine lesen können, und widerrufe ihren Zugriff.",
    settings: "Zeitzone, Sprache, Passwort und Passkeys.",
  },
};

const TEXTS = { en, de };

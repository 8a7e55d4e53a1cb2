/** The frame of the events pages: who is signed in, one navigation, and the page itself. */
import { renderDocument, type DocumentFrame } from "../document.ts";
import { EVENTS_STYLE } from "../generated/events-style.ts";
import { html, type Html } from "../html.ts";
import { FRAME_TEXTS } from "./frame-texts.ts";
import { PATHS } from "./paths.ts";

export interface EventsFrame extends DocumentFrame {
  /** Null before sign-in. */
  readonly account: {
    readonly username: string;
    readonly csrf: string;
    readonly timeZone: string;
  } | null;
  readonly now: number;
}

export interface EventsPage {
  readonly title: string;
  readonly main: Html;
  readonly script?: string;
  /** Absent where nothing is to lead away from what is asked. */
  readonly navigation?: "home" | Section;
}

export type Section = "events" | "subscriptions" | "apps" | "settings";

export const SECTIONS: readonly Section[] = ["events", "subscriptions", "apps", "settings"];

export function renderEventsPage(frame: EventsFrame, page: EventsPage): string {
  const { title, script, navigation, main } = page;
  return renderDocument(frame, {
    title: `${title} · ${frame.displayName}`,
    style: EVENTS_STYLE,
    ...(script !== undefined && { script }),
    referrer: "same-origin",
    ...(navigation !== undefined && { homeUrl: PATHS.home }),
    ...(frame.account !== null &&
      navigation !== undefined && { header: accountBar(frame, frame.account, navigation) }),
    main,
  });
}

function accountBar(
  { language }: EventsFrame,
  { username, csrf }: NonNullable<EventsFrame["account"]>,
  current: NonNullable<EventsPage["navigation"]>,
): Html {
  const texts = FRAME_TEXTS[language];
  return html`<div class="account-bar">
    <nav class="sections" aria-label="${texts.navigation}">
      <ul>
        ${SECTIONS.map(
          (section) =>
            html`<li>
              <a href="${PATHS[section]}" ${section === current && html` aria-current="page"`}
                >${texts[section]}</a
              >
            </li>`,
        )}
      </ul>
    </nav>
    <form class="sign-out" method="post" action="${PATHS.signOut}">
      <input type="hidden" name="csrf" value="${csrf}" />
      <p>${texts.signedInAs} <strong>${username}</strong></p>
      <button class="quiet" type="submit">${texts.signOut}</button>
    </form>
  </div>`;
}

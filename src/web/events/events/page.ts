/** Everything that is due, page by page, and a form for what is entered by hand. */
import { EVENTS_ACCOUNT_SCRIPT } from "../../generated/events-account-script.ts";
import { html, type Html } from "../../html.ts";
import { emptyState } from "../empty-state.ts";
import { FRAME_TEXTS } from "../frame-texts.ts";
import { renderEventsPage } from "../frame.ts";
import { notice, errorMessage } from "../messages.ts";
import { PATHS } from "../paths.ts";
import type { SignedInFrame } from "../signed-in.ts";
import { eventForm, fieldOfError, type EventFormFields } from "./form.ts";
import { eventGroups, type ListedEvent } from "./list.ts";
import { EVENTS_TEXTS, type EventFormError, type EventsTexts } from "./texts.ts";

export interface EventsPageView {
  readonly events: readonly ListedEvent[];
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly types: readonly string[];
  readonly timeZone: string;
  readonly editing: string | null;
  readonly fields: EventFormFields;
  readonly problem: EventFormError | null;
  readonly notice: "added" | "saved" | "deleted" | null;
}

export function renderEventListPage(view: EventsPageView, frame: SignedInFrame): string {
  const texts = EVENTS_TEXTS[frame.language];
  const { problem, total } = view;
  const main = html`${notice(view.notice && texts.notices[view.notice])}
    ${errorMessage(problem && texts.problems[problem], problem && fieldOfError(problem))}
    <div class="page-head">
      <h1>${texts.title}</h1>
      ${total > 0 && html`<p class="meta">${texts.count(total)}</p>`}
    </div>
    <p class="lead">
      ${texts.lead[0]}<a href="${PATHS.settings}">${view.timeZone}</a>${texts.lead[1]}
    </p>
    ${eventForm(view, frame, texts)}
    ${
      total === 0
        ? emptyState("events", texts.empty, texts.emptyHint)
        : eventGroups(view.events, frame, texts)
    }
    ${view.pages > 1 && pageLinks(view, texts)}`;
  const prefix = problem === null ? "" : `${FRAME_TEXTS[frame.language].problem}: `;
  return renderEventsPage(frame, {
    title: `${prefix}${texts.title}`,
    navigation: "events",
    script: EVENTS_ACCOUNT_SCRIPT,
    main,
  });
}

function pageLinks({ page, pages }: EventsPageView, texts: EventsTexts): Html {
  const link = (to: number, label: string, rel: "prev" | "next") =>
    to >= 1 &&
    to <= pages &&
    html`<a class="button" rel="${rel}" href="${`${PATHS.events}?page=${to}`}">${label}</a>`;
  return html`<nav class="paging" aria-label="${texts.pages}">
    ${link(page - 1, texts.previous, "prev")}
    <p>${texts.pageOf(page, pages)}</p>
    ${link(page + 1, texts.following, "next")}
  </nav>`;
}

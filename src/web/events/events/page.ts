/** All events page by page, and the form for those entered by hand. */
import type { EventsView } from "../../../contract/events/page-views.ts";
import { html, type Html } from "../../html.ts";
import { PATHS, renderAccountPage, type SignedInFrame } from "../frame.ts";
import { emptyState, errorMessage, notice } from "../messages.ts";
import { EVENT_ERROR_FIELDS, eventForm } from "./form.ts";
import { eventGroups } from "./list.ts";
import { EVENTS_TEXTS, type EventsTexts } from "./texts.ts";

export function renderEventListPage(view: EventsView, frame: SignedInFrame): string {
  const texts = EVENTS_TEXTS[frame.language];
  const { error, total } = view;
  const main = html`${notice(view.notice && texts.notices[view.notice])}
    ${errorMessage(error && texts.errors[error], error && EVENT_ERROR_FIELDS[error])}
    <div class="row page-head">
      <h1>${texts.title}</h1>
      ${total > 0 && html`<p class="meta">${texts.count(total)}</p>`}
    </div>
    <p class="lead">${texts.lead(html`<a href="${PATHS.settings}">${view.timeZone}</a>`)}</p>
    ${eventForm(view, frame, texts)}
    ${
      total === 0
        ? emptyState("events", texts.empty, texts.emptyHint)
        : eventGroups(view.events, frame, texts)
    }
    ${view.pages > 1 && pageLinks(view, texts)}`;
  const hasError = error !== null;
  return renderAccountPage(frame, { title: texts.title, navigation: "events", hasError, main });
}

function pageLinks({ page, pages }: EventsView, texts: EventsTexts): Html {
  const link = (to: number, label: string, rel: "prev" | "next") =>
    to >= 1 &&
    to <= pages &&
    html`<a class="button" rel="${rel}" href="${`${PATHS.events}?page=${to}`}">${label}</a>`;
  return html`<nav class="row paging" aria-label="${texts.pages}">
    ${link(page - 1, texts.previous, "prev")}
    <p>${texts.pageOf(page, pages)}</p>
    ${link(page + 1, texts.next, "next")}
  </nav>`;
}

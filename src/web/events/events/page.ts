/** All events page by page, and the form for those entered by hand. */
import type { EventsView, EventItem } from "../../../contract/events/page-views.ts";
import { ACCOUNT_TEXTS } from "../../account-texts.ts";
import { html, type Html } from "../../html.ts";
import { typeBadge } from "../event-types.ts";
import { confirmForm } from "../../forms.ts";
import { clockOf, PATHS, renderAccountPage, sectionIcon, type SignedInFrame } from "../frame.ts";
import { emptyState, errorMessage, notice } from "../../components.ts";
import { describeEventDay, type EventDay } from "../../moments.ts";
import { EVENT_ERROR_FIELDS, eventForm } from "./form.ts";
import { EVENTS_TEXTS } from "./texts.ts";

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
    ${eventForm(view, frame)}
    ${
      total === 0
        ? emptyState(sectionIcon("events"), texts.empty, texts.emptyHint)
        : eventGroups(view.events, frame)
    }
    ${view.pages > 1 && pageLinks(view, frame)}`;
  const hasError = error !== null;
  return renderAccountPage(frame, { title: texts.title, navigation: "events", hasError, main });
}

function pageLinks({ page, pages }: EventsView, { language }: SignedInFrame): Html {
  const texts = EVENTS_TEXTS[language];
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

interface DatedEvent {
  readonly event: EventItem;
  readonly day: EventDay | null;
}

/** Upcoming, past and undated events. */
function eventGroups(events: readonly EventItem[], frame: SignedInFrame): Html[] {
  const clock = clockOf(frame);
  const all = events.map((event): DatedEvent => ({
    event,
    day: describeEventDay(event.date, clock),
  }));
  const groups = {
    upcoming: all.filter(({ day }) => day?.isPast === false),
    past: all.filter(({ day }) => day?.isPast === true),
    undated: all.filter(({ day }) => day === null),
  };
  return (["upcoming", "past", "undated"] as const)
    .filter((name) => groups[name].length > 0)
    .map(
      (name) =>
        html`<section class="group ${name}" aria-labelledby="group-${name}">
          <h2 class="meta label" id="group-${name}">${EVENTS_TEXTS[frame.language][name]}</h2>
          <ul class="panel agenda">
            ${groups[name].map((member) => eventItem(member, frame))}
          </ul>
        </section>`,
    );
}

function eventItem({ event, day }: DatedEvent, frame: SignedInFrame): Html {
  const { type, title, subjectName, sourceKind, sourceName } = event;
  const texts = EVENTS_TEXTS[frame.language];
  const isManual = sourceKind === "manual";
  const name = title ?? subjectName ?? ACCOUNT_TEXTS[frame.language].untitled;
  return html`<li class="row event">
    ${dateTile(day)}
    <div class="row event-body">
      <div class="event-text">
        <h3>${name}</h3>
        <p class="row meta">
          ${typeBadge(type, frame.language)}
          ${title !== null && subjectName !== null && html`<span>${subjectName}</span>`}
          ${day !== null && html`<span>${day.time ?? texts.allDay}</span> <span>${day.distance}</span>`}
          <span>${isManual ? texts.byHand : texts.fromSource(sourceName)}</span>
        </p>
      </div>
      ${isManual && actions(event.eventId, name, frame)}
    </div>
  </li>`;
}

function dateTile(day: EventDay | null): Html {
  if (day === null) return html`<span class="date-tile" aria-hidden="true">–</span>`;
  return html`<time class="date-tile" datetime="${day.iso}">
    <span>${day.weekday}</span> <b>${day.dayOfMonth}</b>
    <span>${day.month} ${day.year}</span>
  </time>`;
}

function actions(eventId: string, name: string, { account, language }: SignedInFrame): Html {
  const texts = EVENTS_TEXTS[language];
  return html`<div class="row actions">
    <a class="quiet" href="${`${PATHS.events}?edit=${encodeURIComponent(eventId)}`}"
      >${ACCOUNT_TEXTS[language].edit}<span class="unseen"> ${name}</span></a
    >
    ${confirmForm({
      label: texts.delete,
      name,
      question: texts.deleteQuestion,
      confirm: texts.deleteConfirm,
      action: PATHS.events,
      members: { csrf: account.csrf, action: "delete", event: eventId },
    })}
  </div>`;
}

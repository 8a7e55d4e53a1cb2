/** The events by month and page, and the form for those entered by hand. */
import type { EventsView, EventItem } from "../../../contract/events/page-views.ts";
import { isFiltered } from "../../../rules/events/wire/filter-events.ts";
import { ACCOUNT_TEXTS } from "../../account-texts.ts";
import { html, type Html } from "../../html.ts";
import { typeBadge } from "../event-types.ts";
import { confirmForm } from "../../forms.ts";
import { clockOf, PATHS, renderAccountPage, sectionIcon, type SignedInFrame } from "../frame.ts";
import { emptyState, errorMessage, notice } from "../../components.ts";
import { describeEventDay, type EventDay } from "../../moments.ts";
import { filterForm } from "./filter-form.ts";
import { EVENT_ERROR_FIELDS, eventForm } from "./form.ts";
import { EVENTS_TEXTS } from "./texts.ts";

/** So few are seen at a glance. */
const FEW_EVENTS = 10;

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
        : html`${(total > FEW_EVENTS || isFiltered(view.filter)) && filterForm(view, frame)}
          ${eventList(view, frame)}`
    }`;
  const hasError = error !== null;
  return renderAccountPage(frame, { title: texts.title, navigation: "events", hasError, main });
}

function eventList(view: EventsView, frame: SignedInFrame): Html {
  const texts = EVENTS_TEXTS[frame.language];
  if (view.found === 0) {
    return html`<p class="panel entry group" role="status">
      ${texts.nothingFound} <a href="${PATHS.events}">${texts.showAll}</a>
    </p>`;
  }
  return html`${eventGroups(view.events, frame)} ${pageLinks(view, frame)}`;
}

/** Past events go from the newest to the oldest, all others from the earliest on. */
function pageLinks(view: EventsView, { language }: SignedInFrame): Html {
  const texts = EVENTS_TEXTS[language];
  const { page, pages, first, found, events, filter } = view;
  const labels = filter.state === "past" ? texts.past : texts.pages;
  const link = (to: number, label: string, rel: "prev" | "next") =>
    to >= 1 &&
    to <= pages &&
    html`<a class="button" rel="${rel}" href="${pageUrl(filter, to)}">${label}</a>`;
  return html`<nav class="row paging" aria-label="${texts.pagesLabel}">
    ${link(page - 1, labels.previous, "prev")}
    <p>${texts.position(first, first + events.length - 1, found)}</p>
    ${link(page + 1, labels.next, "next")}
  </nav>`;
}

function pageUrl({ text, sourceId, state }: EventsView["filter"], page: number): string {
  const query = new URLSearchParams({
    ...(text !== "" && { text }),
    ...(sourceId !== null && { source: sourceId }),
    ...(state !== null && { state }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size === 0 ? PATHS.events : `${PATHS.events}?${query.toString()}`;
}

interface DatedEvent {
  readonly event: EventItem;
  readonly day: EventDay | null;
}

interface EventGroup {
  readonly kind: "upcoming" | "past" | "undated";
  readonly title: string;
  readonly members: DatedEvent[];
}

/** The events come in the full order: upcoming ones by month, then past ones, then those without a date. */
function eventGroups(events: readonly EventItem[], frame: SignedInFrame): Html[] {
  const groups: EventGroup[] = [];
  for (const event of events) {
    const day = describeEventDay(event.date, clockOf(frame));
    const { kind, title } = groupOf(day, frame);
    const last = groups.at(-1);
    if (last?.title === title) last.members.push({ event, day });
    else groups.push({ kind, title, members: [{ event, day }] });
  }
  return groups.map(
    ({ kind, title, members }, index) =>
      html`<section class="group ${kind}" aria-labelledby="group-${index}">
        <h2 class="meta label" id="group-${index}">${title}</h2>
        <ul class="panel agenda">
          ${members.map((member) => eventItem(member, frame))}
        </ul>
      </section>`,
  );
}

function groupOf(day: EventDay | null, { language }: SignedInFrame): Omit<EventGroup, "members"> {
  const { undated, pastMonth } = EVENTS_TEXTS[language];
  if (day === null) return { kind: "undated", title: undated };
  return day.isPast
    ? { kind: "past", title: pastMonth(day.monthAndYear) }
    : { kind: "upcoming", title: day.monthAndYear };
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

/** The events of one page, grouped by upcoming, past and undated. */
import type { ListedEvent } from "../../../contract/events/page-views.ts";
import { html, type Html } from "../../html.ts";
import { typeBadge } from "../event-types.ts";
import { confirmForm } from "../forms.ts";
import { clockOf, PATHS, type SignedInFrame } from "../frame.ts";
import { describeEventDay, type EventDay } from "../moments.ts";
import type { EventsTexts } from "./texts.ts";

interface DatedEvent {
  readonly event: ListedEvent;
  readonly day: EventDay | null;
}

export function eventGroups(
  events: readonly ListedEvent[],
  frame: SignedInFrame,
  texts: EventsTexts,
): Html[] {
  const clock = clockOf(frame);
  const all = events.map((event): DatedEvent => ({
    event,
    day: describeEventDay(event.date, clock),
  }));
  const groups = [
    {
      name: "upcoming",
      label: texts.upcoming,
      members: all.filter(({ day }) => day?.isPast === false),
    },
    { name: "past", label: texts.past, members: all.filter(({ day }) => day?.isPast === true) },
    { name: "undated", label: texts.undated, members: all.filter(({ day }) => day === null) },
  ];
  return groups
    .filter(({ members }) => members.length > 0)
    .map(
      ({ name, label, members }) =>
        html`<section class="group ${name}" aria-labelledby="group-${name}">
          <h2 class="label" id="group-${name}">${label}</h2>
          <ul class="panel agenda">
            ${members.map((member) => eventItem(member, frame, texts))}
          </ul>
        </section>`,
    );
}

function eventItem({ event, day }: DatedEvent, frame: SignedInFrame, texts: EventsTexts): Html {
  const { type, title, subjectName, sourceKind, sourceName } = event;
  const isManual = sourceKind === "manual";
  const name = title ?? subjectName ?? texts.untitled;
  return html`<li class="event">
    ${dateTile(day)}
    <div class="event-text">
      <h3>${name}</h3>
      <p class="row meta">
        ${typeBadge(type, frame.language)}
        ${title !== null && subjectName !== null && html`<span>${subjectName}</span>`}
        ${day !== null && html`<span>${day.time ?? texts.allDay}</span> <span>${day.distance}</span>`}
        <span>${isManual ? texts.byHand : texts.fromSource(sourceName)}</span>
      </p>
    </div>
    ${isManual && actions(event.eventId, name, frame, texts)}
  </li>`;
}

function dateTile(day: EventDay | null): Html {
  if (day === null) return html`<span class="date-tile" aria-hidden="true">–</span>`;
  return html`<time class="date-tile" datetime="${day.iso}">
    <span>${day.weekday}</span> <b>${day.dayOfMonth}</b>
    <span>${day.month} ${day.year}</span>
  </time>`;
}

function actions(
  eventId: string,
  name: string,
  { account }: SignedInFrame,
  texts: EventsTexts,
): Html {
  return html`<div class="row actions">
    <a class="quiet" href="${`${PATHS.events}?edit=${encodeURIComponent(eventId)}`}"
      >${texts.editLink}<span class="unseen"> ${name}</span></a
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

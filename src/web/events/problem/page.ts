/** A page for what could not be done: what happened, what to do, and what support needs. */
import { html } from "../../html.ts";
import { formatWait } from "../../login/countdown.ts";
import { renderEventsPage, type EventsFrame } from "../frame.ts";
import { PATHS } from "../paths.ts";
import { PROBLEM_TEXTS, type PageError } from "./texts.ts";

export interface ErrorPageView {
  readonly status: number;
  readonly code: PageError;
  readonly retryAfterSeconds: number | null;
  readonly requestId: string;
}

export function renderErrorPage(view: ErrorPageView, frame: EventsFrame): string {
  const { status, code, retryAfterSeconds, requestId } = view;
  const texts = PROBLEM_TEXTS[frame.language];
  const { title, detail } = texts.problems[code];
  const main = html`<div class="narrow">
    <div class="card">
      <h1>${title}</h1>
      <p class="lead">${detail}</p>
      ${
        retryAfterSeconds !== null &&
        html`<p class="lead">
          <strong>${texts.waitFor(formatWait(retryAfterSeconds, frame.language))}</strong>
        </p>`
      }
      <p class="after"><a class="button" href="${PATHS.home}">${texts.home}</a></p>
      <p class="return">
        ${texts.reference} <code>${status} ${code}</code> <code>${requestId}</code>
      </p>
    </div>
  </div>`;
  return renderEventsPage(frame, { title, navigation: "home", main });
}

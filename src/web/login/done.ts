/** The way back to an app, for when the browser stays: shown by a script in place of a card. */
import { findElement } from "../find-element.ts";
import { html, type Html } from "../html.ts";

export interface DoneTexts {
  readonly done: string;
  readonly doneDetail: string;
  readonly back: string;
}

export function donePanel(texts: DoneTexts, id = "done"): Html {
  return html`<div class="card done" id="${id}" hidden>
    <svg class="tick" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="m6 12.5 4 4 8-9" />
    </svg>
    <h1 id="${id}-title" tabindex="-1">${texts.done}</h1>
    <p class="lead">${texts.doneDetail}</p>
    <a class="submit" id="${id}-back">${texts.back}</a>
  </div>`;
}

export function showDone(replacedId: string, target: string, id = "done"): void {
  findElement(HTMLElement, replacedId).hidden = true;
  findElement(HTMLElement, id).hidden = false;
  findElement(HTMLAnchorElement, `${id}-back`).href = target;
  findElement(HTMLElement, `${id}-title`).focus();
}

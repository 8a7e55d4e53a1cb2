/** The address of the app, and the panel for when the app opens and the browser stays on the page. */
import { html, type Html } from "../html.ts";
import { findElement } from "../page-script.ts";
import type { LoginTexts } from "./texts.ts";

/** The part that identifies the app stands out: the host of a web address, or else the scheme. */
export function returnAddress(redirectUri: string): Html {
  const origin = /^https?:\/\/[^/?#]*/i.exec(redirectUri);
  const end = origin === null ? redirectUri.indexOf(":") + 1 : origin[0].length;
  return html`<code><b>${redirectUri.slice(0, end)}</b>${redirectUri.slice(end)}</code>`;
}

/** The panel is hidden until `showDone`. */
export function donePanel(
  texts: Pick<LoginTexts, "done" | "doneDetail" | "back">,
  id = "done",
): Html {
  return html`<div class="card done" id="${id}" hidden>
    <svg class="success" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="m6 12.5 4 4 8-9" />
    </svg>
    <h1 id="${id}-title" tabindex="-1">${texts.done}</h1>
    <p class="lead">${texts.doneDetail}</p>
    <a class="button primary large" id="${id}-back">${texts.back}</a>
  </div>`;
}

export function showDone(replacedId: string, target: string, id = "done"): void {
  findElement(HTMLElement, replacedId).hidden = true;
  findElement(HTMLElement, id).hidden = false;
  findElement(HTMLAnchorElement, `${id}-back`).href = target;
  findElement(HTMLElement, `${id}-title`).focus();
}

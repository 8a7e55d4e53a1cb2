/** A list with one line for each item where there is room; on a phone the facts are below the name. */
import type { Language } from "../contract/language.ts";
import { ACCOUNT_TEXTS } from "./account-texts.ts";
import { html, type Html } from "./html.ts";

/** The others of a long list open on request. */
const SHOWN = 10;

/** Each line names its facts for screen readers and phones; the headings are for the eye alone. */
export function lineList(
  kind: string,
  headings: readonly string[],
  items: readonly Html[],
  language: Language,
): Html {
  const more = items.slice(SHOWN);
  return html`<div class="panel lines ${kind}">
    ${
      headings.length > 0 &&
      html`<div class="line headings" aria-hidden="true">
        ${headings.map((heading) => html`<span>${heading}</span>`)}
      </div>`
    }
    <ul>
      ${items.slice(0, SHOWN)}
    </ul>
    ${
      more.length > 0 &&
      html`<details class="more">
        <summary>${ACCOUNT_TEXTS[language].showMore(more.length)}</summary>
        <ul>
          ${more}
        </ul>
      </details>`
    }
  </div>`;
}

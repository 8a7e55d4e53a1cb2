/** Lists of a person's things: with one line for each where there is room, or with a box for each. */
import type { Language } from "../contract/language.ts";
import { ACCOUNT_TEXTS } from "./account-texts.ts";
import { html, type Html } from "./html.ts";
import { listFilter } from "./list-filter.ts";

/** The others of a long list open on request, unless they are hardly more. */
const SHOWN = 10;
const MAX_WHOLE = 12;

/** Each line names its facts for screen readers and phones; the headings are for the eye alone. */
export function lineList(
  kind: string,
  headings: readonly string[],
  items: readonly Html[],
  language: Language,
): Html {
  const id = `${kind}-list`;
  return html`${filterOf(id, items, language)}
    <div class="panel lines ${kind}" id="${id}">
      ${
        headings.length > 0 &&
        html`<div class="line headings" aria-hidden="true">
          ${headings.map((heading) => html`<span>${heading}</span>`)}
        </div>`
      }
      ${firstItems(items, "", language)}
    </div>`;
}

/** A box for each item, the later ones on request. */
export function entryList(id: string, items: readonly Html[], language: Language): Html {
  return html`${filterOf(id, items, language)}
    <div id="${id}">${firstItems(items, "entries", language)}</div>`;
}

const filterOf = (id: string, items: readonly Html[], language: Language) =>
  items.length > MAX_WHOLE && listFilter(id, language);

function firstItems(items: readonly Html[], kind: string, language: Language): Html {
  const more = items.length > MAX_WHOLE ? items.slice(SHOWN) : [];
  return html`<ul class="${kind}">
      ${items.slice(0, items.length - more.length)}
    </ul>
    ${
      more.length > 0 &&
      html`<details class="more">
        <summary>${ACCOUNT_TEXTS[language].showMore(more.length)}</summary>
        <ul class="${kind}">
          ${more}
        </ul>
      </details>`
    }`;
}

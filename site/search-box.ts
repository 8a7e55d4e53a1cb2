/** The button of the search and its dialog, which `browser/search-dialog.ts` brings to life. */
import type { Language } from "../src/contract/language.ts";
import { html, type Html } from "../src/web/html.ts";
import { SITE_TEXTS } from "./texts.ts";

const SEARCH_ICON = html`<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
  <path d="M16.5 16.5 21 21M18 10.5a7.5 7.5 0 1 1-15 0 7.5 7.5 0 0 1 15 0Z" />
</svg>`;

/** Hidden until the script shows it. `root` and `scripts` are seen from the page. */
export function searchButton(language: Language, root: string, scripts: readonly string[]): Html {
  return html`<button
    class="search-button"
    id="search-button"
    type="button"
    aria-haspopup="dialog"
    hidden
    data-root="${root === "" ? "" : `${root}/`}"
    data-scripts="${scripts.join(" ")}"
  >
    ${SEARCH_ICON}<span>${SITE_TEXTS[language].search}</span><kbd>/</kbd>
  </button>`;
}

export function searchDialog(language: Language): Html {
  const texts = SITE_TEXTS[language];
  return html`<dialog
    id="search"
    aria-label="${texts.searchHint}"
    data-empty="${texts.empty}"
    data-none="${texts.none}"
    data-failed="${texts.failed}"
    data-results="${texts.results}"
  >
    <div class="search-box">
      <form method="dialog" role="search">
        ${SEARCH_ICON}
        <input
          id="search-input"
          type="search"
          aria-label="${texts.searchHint}"
          placeholder="${texts.searchHint}"
          autocomplete="off"
          spellcheck="false"
        />
        <button class="quiet" type="submit">${texts.close}</button>
      </form>
      <p class="fine" id="search-status" role="status">${texts.loading}</p>
      <ol id="search-results"></ol>
    </div>
  </dialog>`;
}

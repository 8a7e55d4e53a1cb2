import type { Language } from "../../contract/language.ts";
import { html, type Html } from "../html.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

/** Hidden until the script shows it: without a script, or a secure context, it could do nothing. */
export function copyButton(text: string, what: string, language: Language): Html {
  const { copy, copied } = DOWNLOAD_TEXTS[language];
  return html`<button
    class="quiet copy"
    type="button"
    hidden
    data-copy="${text}"
    data-copied="${copied}"
  >
    <span class="copy-label">${copy}</span><span class="unseen"> ${what}</span>
  </button>`;
}

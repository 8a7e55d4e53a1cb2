/** Messages, facts and sections of pages for a signed-in person. */
import type { Language } from "../contract/language.ts";
import { html, type Html, type HtmlValue } from "./html.ts";

export function cardSection(id: string, title: string, content: Html): Html {
  return html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;
}

/** What a list says while it has nothing. */
export function emptyState(icon: Html | null, title: string, hint: string): Html {
  return html`<div class="panel empty">
    ${icon}
    <p class="empty-title">${title}</p>
    <p>${hint}</p>
  </div>`;
}

/** The notice takes the focus, so that screen readers announce it. */
export function notice(text: string | null): Html | null {
  return text === null
    ? null
    : html`<p class="notice" role="status" tabindex="-1" autofocus>${text}</p>`;
}

export function errorMessage(text: string | null, fieldName: string | null = null): Html | null {
  if (text === null) return null;
  return html`<div class="error" role="alert" tabindex="-1" autofocus>
    <p>${fieldName === null ? text : html`<a href="#${fieldName}">${text}</a>`}</p>
  </div>`;
}

export function factList(facts: readonly (readonly [label: string, value: HtmlValue])[]): Html {
  return html`<dl class="facts">
    ${facts.map(
      ([label, value]) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

const COPY_TEXTS = {
  en: { copy: "Copy", copied: "Copied" },
  de: { copy: "Kopieren", copied: "Kopiert" },
};

/** Hidden until the script shows it: without a script, or a secure context, it could do nothing. */
export function copyButton(text: string, what: string, language: Language): Html {
  const { copy, copied } = COPY_TEXTS[language];
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

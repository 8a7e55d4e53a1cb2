/** Messages and facts of pages for a signed-in person. */
import { html, type Html, type HtmlValue } from "./html.ts";

/** Takes the focus, so that screen readers announce it. */
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

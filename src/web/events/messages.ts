/** What a page says first: that something was done, or what is wrong and where. */
import { html, type Html } from "../html.ts";

/** It takes the focus, so that it is read out; the page is new and nobody is torn from a field. */
export function notice(text: string | null): Html | null {
  return text === null
    ? null
    : html`<p class="notice" role="status" tabindex="-1" autofocus>${text}</p>`;
}

export function errorMessage(text: string | null, fieldName: string | null = null): Html | null {
  if (text === null) return null;
  return html`<div class="problem" role="alert" tabindex="-1" autofocus>
    <p>${fieldName === null ? text : html`<a href="#${fieldName}">${text}</a>`}</p>
  </div>`;
}

/** A step that cannot be taken back: asked once more, without a script. */
import { html, type Html } from "../html.ts";
import { hiddenFields } from "./hidden-fields.ts";

export interface ConfirmOptions {
  /** On what opens the question; `name` tells those who do not see the row what it is about. */
  readonly label: string;
  readonly name: string;
  readonly question: string;
  readonly confirm: string;
  readonly action: string;
  readonly members: Readonly<Record<string, string>>;
}

export function confirmForm(options: ConfirmOptions): Html {
  const { label, name, question, confirm, action, members } = options;
  return html`<details class="confirm">
    <summary class="quiet">${label}<span class="unseen"> ${name}</span></summary>
    <form class="question" method="post" action="${action}">
      ${hiddenFields(members)}
      <p>${question}</p>
      <button class="button danger" type="submit">
        ${confirm}<span class="unseen"> ${name}</span>
      </button>
    </form>
  </details>`;
}

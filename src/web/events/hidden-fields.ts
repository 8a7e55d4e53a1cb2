/** What a form carries beside what a person types. */
import { html, type Html } from "../html.ts";

export function hiddenFields(members: Readonly<Record<string, string>>): Html[] {
  return Object.entries(members).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
}

/** A list with nothing in it: what it is for, and what to do first. */
import { html, type Html } from "../html.ts";
import type { Section } from "./frame.ts";
import { sectionIcon } from "./icons.ts";

export function emptyState(section: Section, title: string, hint: string): Html {
  return html`<div class="empty">
    ${sectionIcon(section)}
    <p class="empty-title">${title}</p>
    <p>${hint}</p>
  </div>`;
}

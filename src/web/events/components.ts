/** Empty lists and icons of the events pages. */
import { html, type Html } from "../html.ts";
import type { Section } from "./frame.ts";

export function emptyState(section: Section, title: string, hint: string): Html {
  return html`<div class="panel empty">
    ${sectionIcon(section)}
    <p class="empty-title">${title}</p>
    <p>${hint}</p>
  </div>`;
}

const ICONS: Readonly<Record<Section, Html>> = {
  events: html`<path d="M4 6h16v14H4zM4 10.5h16M8.5 3.5v4M15.5 3.5v4M8.5 15l2.25 2.25 4.5-4.5" />`,
  subscriptions: html`<path d="M5 19h.01M5 12.5a6.5 6.5 0 0 1 6.5 6.5M5 6a13 13 0 0 1 13 13" />`,
  apps: html`<path
    d="M9.5 14.5l5-5M8 11l-2.5 2.5a3.9 3.9 0 0 0 5 5L13 16M16 13l2.5-2.5a3.9 3.9 0 0 0-5-5L11 8"
  />`,
  settings: html`<path d="M4 7h9M17 7h3M4 17h3M11 17h9M15 4.75v4.5M9 14.75v4.5" />`,
};

export function sectionIcon(section: Section): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    ${ICONS[section]}
  </svg>`;
}

/** The same part of a page stands at different depths: under the newest release, and under others. */
import { html, type Html } from "../html.ts";

export type HeadingLevel = 3 | 4;

export function heading(level: HeadingLevel, text: string): Html {
  return level === 3 ? html`<h3>${text}</h3>` : html`<h4>${text}</h4>`;
}

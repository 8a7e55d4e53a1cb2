/** The list of changes, by kind; kinds without any are left out. */
import type { ReleaseNotes } from "../../contract/release/schemas.ts";
import { html, type Html } from "../html.ts";
import type { Language } from "../language.ts";
import { heading, type HeadingLevel } from "./heading.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

// What touches safety is read first.
const ORDER = ["security", "added", "changed", "fixed"] as const satisfies (keyof ReleaseNotes)[];

export function changeList(
  changes: ReleaseNotes,
  language: Language,
  level: HeadingLevel,
): Html | null {
  const kinds = ORDER.filter((kind) => changes[kind].length > 0);
  if (kinds.length === 0) return null;
  return html`<div class="changes">
    ${kinds.map(
      (kind) =>
        html`<div class="change-kind">
          ${heading(level, DOWNLOAD_TEXTS[language].changeKinds[kind])}
          <ul>
            ${changes[kind].map((change) => html`<li>${change}</li>`)}
          </ul>
        </div>`,
    )}
  </div>`;
}

/** Withdrawn releases by name and reason, for people who have one of them. */
import { parseDateTime } from "../../contract/date-time.ts";
import type { WithdrawnSource } from "../../contract/release/catalog.ts";
import type { Language } from "../../contract/language.ts";
import { html, type Html } from "../html.ts";
import { dateElement, releaseAnchor } from "./localise-release.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

export function withdrawnSection(
  releases: readonly WithdrawnSource[],
  language: Language,
): Html | null {
  if (releases.length === 0) return null;
  const texts = DOWNLOAD_TEXTS[language];
  return html`<section id="withdrawn" aria-labelledby="withdrawn-title">
    <h2 id="withdrawn-title">${texts.withdrawnVersions}</h2>
    <p class="intro">${texts.aboutWithdrawn}</p>
    <ul class="withdrawn">
      ${releases.map((release) => withdrawnItem(release, language))}
    </ul>
  </section>`;
}

function withdrawnItem(release: WithdrawnSource, language: Language): Html {
  const texts = DOWNLOAD_TEXTS[language];
  const { at, reason, replacedBy } = release.withdrawal;
  return html`<li id="${releaseAnchor(release)}">
    <p class="row kicker">
      <strong>${texts.version(release.version)}</strong>
      <span>${texts.withdrawnOn} ${dateElement(parseDateTime(at) ?? 0, language)}</span>
      ${replacedBy !== undefined && html`<span>${texts.replacedBy(replacedBy)}</span>`}
    </p>
    <p class="reason">${reason}</p>
  </li>`;
}

/** The story of the newest release: its highlights with their pictures, then every change. */
import type { Release } from "../../contract/release/schemas.ts";
import { html, type Html } from "../html.ts";
import type { Language } from "../language.ts";
import { changeList } from "./changes.ts";
import { highlightIcon } from "./icons.ts";
import { tellStory, type StoryHighlight } from "./story.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

export function highlightSection(release: Release, language: Language): Html | null {
  const texts = DOWNLOAD_TEXTS[language];
  const { highlights, changes } = tellStory(release, language);
  const list = changeList(changes, language, 3);
  if (highlights.length === 0 && list === null) return null;
  return html`<section class="news" aria-labelledby="news">
    <h2 id="news">${texts.whatIsNew}</h2>
    ${highlights.length > 0 && html`<div class="highlights">${highlights.map(highlightCard)}</div>`}
    ${
      highlights.length > 0 && list !== null
        ? html`<details class="more">
            <summary>${texts.allChanges}</summary>
            ${list}
          </details>`
        : list
    }
  </section>`;
}

function highlightCard({ title, description, icon, imageUrl }: StoryHighlight): Html {
  const image =
    imageUrl !== null &&
    html`<img
      src="${imageUrl}"
      alt="${title}"
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
    />`;
  return html`<article class="highlight${image && " pictured"}">
    <div class="highlight-text">
      ${highlightIcon(icon)}
      <h3>${title}</h3>
      <p>${description}</p>
    </div>
    ${image}
  </article>`;
}

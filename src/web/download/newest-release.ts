/** The newest release: its headline, the download button and its highlights. */
import { parseDateTime } from "../../contract/date-time.ts";
import type { Language } from "../../contract/language.ts";
import type { Release } from "../../contract/release/schemas.ts";
import { deadlineHasPassed } from "../../rules/release/decide-update.ts";
import { compareVersions } from "../../rules/release/version.ts";
import { formatDate } from "../format.ts";
import { html, type Html } from "../html.ts";
import { platformLinks } from "./files.ts";
import { highlightIcon } from "./icons.ts";
import {
  changeList,
  localiseRelease,
  releaseAnchor,
  releaseDate,
  type LocalisedHighlight,
} from "./localise-release.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

export interface HeroOptions {
  readonly language: Language;
  readonly smartDownloadUrl: string;
  readonly now: number;
  readonly earlier: readonly Release[];
}

export function hero(release: Release, options: HeroOptions): Html {
  const { language } = options;
  const texts = DOWNLOAD_TEXTS[language];
  const { headline, summary } = localiseRelease(release, language);
  const hasPresentation = release.presentation !== undefined;
  return html`<div class="hero" id="${releaseAnchor(release)}">
    <p class="row kicker">
      ${hasPresentation && html`<span>${texts.newVersion(release.version)}</span> `}${releaseDate(release, language)}
      <span>${texts.build(release.buildNumber)}</span>
    </p>
    <h1>${headline}</h1>
    ${summary !== null && html`<p class="summary">${summary}</p>`}
    <div class="download" id="download">
      ${downloadButton(options)}
      <p class="choose">${texts.chooseYourSystem}</p>
      ${platformLinks(release, language)} ${supportNotes(release, options)}
    </div>
  </div>`;
}

/** Without a script the server selects the file by User-Agent; the script shows it beforehand. */
function downloadButton({ language, smartDownloadUrl }: HeroOptions): Html {
  const texts = DOWNLOAD_TEXTS[language];
  return html`<a
    class="button primary"
    id="download-button"
    href="${smartDownloadUrl}"
    data-other-label="${texts.seeAllFiles}"
  >
    <span class="button-label">${texts.downloadForYourSystem}</span>
    <span class="button-detail">${texts.picksTheRightFile}</span>
  </a>`;
}

/** The minimum version is mentioned only when an older version was published. */
function supportNotes(release: Release, { language, now, earlier }: HeroOptions): Html | null {
  const texts = DOWNLOAD_TEXTS[language];
  const notes: string[] = [];
  const deadline = release.mandatoryAfter && parseDateTime(release.mandatoryAfter);
  if (typeof deadline === "number") {
    const isRequired = deadlineHasPassed(release.mandatoryAfter, now);
    notes.push(
      (isRequired ? texts.requiredSince : texts.requiredFrom)(formatDate(deadline, language)),
    );
  }
  const oldest = release.minimumSupportedVersion;
  if (earlier.some(({ version }) => compareVersions(version, oldest) < 0)) {
    notes.push(texts.oldestSupported(oldest));
  }
  if (notes.length === 0) return null;
  return html`<p class="notes">${notes.map((note) => html`<span>${note}.</span> `)}</p>`;
}

export function highlightSection(release: Release, language: Language): Html | null {
  const texts = DOWNLOAD_TEXTS[language];
  const { highlights, changes } = localiseRelease(release, language);
  const list = changeList(changes, language, 3);
  if (highlights.length === 0 && list === null) return null;
  return html`<section class="news" aria-labelledby="news">
    <h2 id="news">${texts.whatIsNew}</h2>
    ${highlights.length > 0 && html`<div class="row highlights">${highlights.map(highlightCard)}</div>`}
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

function highlightCard({ title, description, icon, imageUrl }: LocalisedHighlight): Html {
  const image =
    imageUrl !== null &&
    html`<img
      src="${imageUrl}"
      alt="${title}"
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
    />`;
  return html`<article class="panel highlight${image && " pictured"}">
    <div class="highlight-text">
      ${highlightIcon(icon)}
      <h3>${title}</h3>
      <p>${description}</p>
    </div>
    ${image}
  </article>`;
}

/** The top of the page: what is new, and the button. */
import { parseDateTime } from "../../contract/date-time.ts";
import type { Release } from "../../contract/release/schemas.ts";
import { deadlineHasPassed } from "../../rules/release/decide-update.ts";
import { compareVersions } from "../../rules/release/version.ts";
import { formatDate } from "../format.ts";
import { html, type Html } from "../html.ts";
import type { Language } from "../language.ts";
import { platformLinks } from "./platform-links.ts";
import { releaseDate } from "./release-date.ts";
import { releaseAnchor, tellStory } from "./story.ts";
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
  const { headline, summary } = tellStory(release, language);
  const told = release.presentation !== undefined;
  return html`<div class="hero" id="${releaseAnchor(release)}">
    <p class="kicker">
      ${told && html`<span>${texts.newVersion(release.version)}</span> `}${releaseDate(release, language)}
      <span>${texts.build(release.buildNumber)}</span>
    </p>
    <h1>${headline}</h1>
    ${summary !== null && html`<p class="summary">${summary}</p>`}
    <div class="download" id="download">
      ${downloadButton(options)}
      <p class="choose">${texts.chooseYourSystem}</p>
      ${platformLinks(release, language)} ${policyNotes(release, options)}
    </div>
  </div>`;
}

/** Without a script the server picks by User-Agent; the script can say beforehand what it will be. */
function downloadButton({ language, smartDownloadUrl }: HeroOptions): Html {
  const texts = DOWNLOAD_TEXTS[language];
  return html`<a
    class="button"
    id="download-button"
    href="${smartDownloadUrl}"
    data-other-label="${texts.seeAllFiles}"
  >
    <span class="button-label">${texts.downloadForYourSystem}</span>
    <span class="button-detail">${texts.picksTheRightFile}</span>
  </a>`;
}

/** Only what concerns somebody: a bound below every version ever published says nothing. */
function policyNotes(release: Release, { language, now, earlier }: HeroOptions): Html | null {
  const texts = DOWNLOAD_TEXTS[language];
  const notes: string[] = [];
  const deadline = release.mandatoryAfter && parseDateTime(release.mandatoryAfter);
  if (typeof deadline === "number") {
    const required = deadlineHasPassed(release.mandatoryAfter, now);
    notes.push(
      (required ? texts.requiredSince : texts.requiredFrom)(formatDate(deadline, language)),
    );
  }
  const oldest = release.minimumSupportedVersion;
  if (earlier.some(({ version }) => compareVersions(version, oldest) < 0)) {
    notes.push(texts.oldestSupported(oldest));
  }
  if (notes.length === 0) return null;
  return html`<p class="notes">${notes.map((note) => html`<span>${note}.</span> `)}</p>`;
}

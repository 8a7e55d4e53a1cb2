/** The sections of the betas, of the earlier and of the withdrawn releases. */
import { parseDateTime } from "../../contract/date-time.ts";
import type { Language } from "../../contract/language.ts";
import type { PublishedSource, WithdrawnSource } from "../../contract/release/catalog.ts";
import { appVersionOf } from "../../rules/release/app-version.ts";
import { ACCOUNT_TEXTS } from "../account-texts.ts";
import { html, type Html } from "../html.ts";
import { fileList, platformLinks } from "./files.ts";
import { nameVersion, type GroupedReleases } from "./group-releases.ts";
import {
  changeList,
  dateElement,
  localiseRelease,
  releaseAnchor,
  releaseDate,
} from "./localise-release.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

export function betaSection(releases: GroupedReleases, language: Language): Html | null {
  const { beta, earlierBetas, newest } = releases;
  if (beta === undefined && earlierBetas.length === 0) return null;
  const texts = DOWNLOAD_TEXTS[language];
  return html`<section class="panel beta" id="beta" aria-labelledby="beta-title">
    <p class="tag">${texts.beta}</p>
    ${
      beta === undefined
        ? html`<h2 id="beta-title">${texts.earlierBetas}</h2>
            <p class="intro">
              ${newest && texts.noNewerBeta(appVersionOf(newest))} ${texts.betaWarning}
            </p>`
        : html`<div id="${releaseAnchor(beta)}">
            <h2 id="beta-title">${texts.betaVersion(appVersionOf(beta))}</h2>
            <p class="row meta kicker">
              ${releaseDate(beta, language)} <span>${texts.build(beta.buildNumber)}</span>
            </p>
            ${betaBody(beta, language)}
          </div>`
    }
    ${
      earlierBetas.length > 0 &&
      html`${beta && html`<h3>${texts.earlierBetas}</h3>`} ${pastReleases(earlierBetas, language)}`
    }
  </section>`;
}

export function earlierSection({ earlier }: GroupedReleases, language: Language): Html | null {
  if (earlier.length === 0) return null;
  return html`<section id="earlier" aria-labelledby="earlier-title">
    <h2 id="earlier-title">${DOWNLOAD_TEXTS[language].earlierVersions}</h2>
    ${pastReleases(earlier, language)}
  </section>`;
}

/** The older ones open on request, and for a link to one of them. */
const SHOWN = 10;

function pastReleases(releases: readonly PublishedSource[], language: Language): Html {
  const [shown, more] = [releases.slice(0, SHOWN), releases.slice(SHOWN)];
  const list = (some: readonly PublishedSource[]) =>
    html`<div class="past">${some.map((release) => pastRelease(release, language))}</div>`;
  return html`${list(shown)}
  ${
    more.length > 0 &&
    html`<details class="more">
      <summary>${ACCOUNT_TEXTS[language].showMore(more.length)}</summary>
      ${list(more)}
    </details>`
  }`;
}

/** The anchor is inside the details, so that a link to it opens them. */
function pastRelease(release: PublishedSource, language: Language): Html {
  const { build } = DOWNLOAD_TEXTS[language];
  const { headline } = localiseRelease(release, language);
  return html`<details class="past-release">
    <summary>
      <h3 class="past-version">${appVersionOf(release)}</h3>
      <span class="past-headline">${release.presentation && headline}</span>
      <span class="row fine past-date"
        >${releaseDate(release, language)} <span>${build(release.buildNumber)}</span></span
      >
    </summary>
    <div id="${releaseAnchor(release)}">${pastBody(release, language)}</div>
  </details>`;
}

function betaBody(beta: PublishedSource, language: Language): Html {
  const texts = DOWNLOAD_TEXTS[language];
  const { summary, changes } = localiseRelease(beta, language);
  return html`${summary !== null && html`<p class="summary">${summary}</p>`}
    <p class="warning">${texts.betaWarning}</p>
    ${changeList(changes, language, 3)} ${platformLinks(beta, language)}
    <details class="more">
      <summary>${texts.allFilesOf(appVersionOf(beta))}</summary>
      ${fileList(beta, language, 3)}
    </details>`;
}

function pastBody(release: PublishedSource, language: Language): Html {
  const { summary, changes } = localiseRelease(release, language);
  return html`${summary !== null && html`<p class="summary">${summary}</p>`}
  ${changeList(changes, language, 4)} ${fileList(release, language, 4)}`;
}

/** The section is for people who have a withdrawn release. */
export function withdrawnSection(releases: GroupedReleases, language: Language): Html | null {
  const { withdrawn } = releases;
  if (withdrawn.length === 0) return null;
  const texts = DOWNLOAD_TEXTS[language];
  return html`<section id="withdrawn" aria-labelledby="withdrawn-title">
    <h2 id="withdrawn-title">${texts.withdrawnVersions}</h2>
    <p class="intro">${texts.aboutWithdrawn}</p>
    <ul class="withdrawn">
      ${withdrawn.map((release) => withdrawnItem(release, releases, language))}
    </ul>
  </section>`;
}

function withdrawnItem(
  release: WithdrawnSource,
  releases: GroupedReleases,
  language: Language,
): Html {
  const texts = DOWNLOAD_TEXTS[language];
  const { at, reason, replacedBy } = release.withdrawal;
  return html`<li id="${releaseAnchor(release)}">
    <p class="row meta kicker">
      <strong>${texts.version(appVersionOf(release))}</strong>
      <span>${texts.withdrawnOn} ${dateElement(parseDateTime(at) ?? 0, language)}</span>
      ${replacedBy !== undefined && html`<span>${texts.replacedBy(nameVersion(replacedBy, releases))}</span>`}
    </p>
    <p class="reason">${reason}</p>
  </li>`;
}

/** The newest release: its headline, the download button and its highlights. */
import { parseDateTime } from "../../contract/date-time.ts";
import type { PublishedSource } from "../../contract/release/catalog.ts";
import type { Language } from "../../contract/language.ts";
import { appVersionOf } from "../../rules/release/app-version.ts";
import { deadlineHasPassed } from "../../rules/release/decide-update.ts";
import type { Site } from "../../rules/release/site/validate-site.ts";
import { compareVersions } from "../../rules/release/version.ts";
import { formatDate, formatList } from "../format.ts";
import { html, type Html } from "../html.ts";
import { filesByPlatform, platformLinks } from "./files.ts";
import { nameVersion } from "./group-releases.ts";
import { highlightIcon } from "./icons.ts";
import {
  changeList,
  localiseRelease,
  releaseAnchor,
  releaseDate,
  type LocalisedHighlight,
  type LocalisedRelease,
} from "./localise-release.ts";
import type { PageOptions } from "./page-options.ts";
import { heroFigure, heroLogo } from "./screenshots.ts";
import { storeLine } from "./stores.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

export function hero(release: PublishedSource, options: PageOptions, language: Language): Html {
  const { site } = options;
  const texts = DOWNLOAD_TEXTS[language];
  const { headline, summary } = introduce(release, options, language);
  const version =
    release.presentation === undefined
      ? texts.version(appVersionOf(release))
      : texts.newVersion(appVersionOf(release));
  return html`<div class="hero" id="${releaseAnchor(release)}">
    ${heroLogo(site, language)}
    <div class="hero-text">
      <p class="row meta kicker">
        <span>${version}</span> ${releaseDate(release, language)}
        <span>${texts.build(release.buildNumber)}</span>
      </p>
      <h1>${headline}</h1>
      ${summary !== null && html`<p class="summary">${summary}</p>`}
      <div class="download" id="download">
        ${downloads(release, options, language)} ${supportNotes(release, options, language)}
      </div>
    </div>
    ${heroFigure(site, language)}
  </div>`;
}

/** The app in the words of its maker, or else the presentation of the release, or else its name. */
function introduce(
  release: PublishedSource,
  { site, productName }: PageOptions,
  language: Language,
): Pick<LocalisedRelease, "headline" | "summary"> {
  const texts = DOWNLOAD_TEXTS[language];
  const description = site?.description?.[language];
  if (site?.tagline === undefined && release.presentation !== undefined) {
    return localiseRelease(release, language);
  }
  const platforms = filesByPlatform(release).map(({ platform }) => texts.platforms[platform]);
  const available =
    platforms.length === 0 ? null : texts.availableFor(formatList(platforms, language));
  return {
    headline: site?.tagline?.[language] ?? productName,
    summary: description ?? available,
  };
}

/** A release may have nothing but bundles for a store. */
function downloads(release: PublishedSource, options: PageOptions, language: Language): Html {
  const texts = DOWNLOAD_TEXTS[language];
  const stores = options.site?.stores ?? [];
  const links = platformLinks(release, language);
  if (links === null) {
    return html`<p class="notice">${texts.onlyInStores}</p>
      ${storeLine(stores, language)}`;
  }
  return html`${downloadButton(release, options, language)}
    <p class="meta choose">${texts.chooseYourSystem}</p>
    ${links} ${storeLine(stores, language)}`;
}

/** Without a script the server selects the file by User-Agent; the script shows it beforehand. */
function downloadButton(
  release: PublishedSource,
  { smartDownloadUrl, productName, site }: PageOptions,
  language: Language,
): Html {
  const texts = DOWNLOAD_TEXTS[language];
  const isForIos = release.artifacts.some(({ platform }) => platform === "ios");
  const store = site?.stores?.find(({ platform }) => platform === "ios");
  const storeData =
    store !== undefined &&
    html` data-ios-url="${store.url}" data-ios-label="${store.name}"
    data-ios-detail="${texts.appForIphone}"`;
  return html`${
      !isForIos &&
      store === undefined &&
      html`<p class="notice" id="ios-note" hidden>${texts.iphoneNote(productName)}</p>`
    }
    <a
      class="button primary"
      id="download-button"
      href="${smartDownloadUrl}"
      data-other-label="${texts.seeAllFiles}"
      data-no-file-detail="${texts.noFileForProcessor}"
      data-emulated-detail="${texts.emulated}"
      ${storeData}
    >
      <span class="button-label">${texts.downloadForYourSystem}</span>
      <span class="button-detail">${texts.picksTheRightFile}</span>
    </a>`;
}

/** The minimum version is mentioned only when an older version was published. */
function supportNotes(
  release: PublishedSource,
  { now, releases }: PageOptions,
  language: Language,
): Html | null {
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
  if (releases.earlier.some(({ version }) => compareVersions(version, oldest) < 0)) {
    notes.push(texts.oldestSupported(nameVersion(oldest, releases)));
  }
  if (notes.length === 0) return null;
  return html`<p class="meta notes">${notes.map((note) => html`<span>${note}.</span> `)}</p>`;
}

/** With a tagline the headline is about the app, so the presentation of the release is here. */
export function newsSection(
  release: PublishedSource,
  site: Site | null,
  language: Language,
): Html | null {
  const texts = DOWNLOAD_TEXTS[language];
  const { headline, summary, highlights, changes } = localiseRelease(release, language);
  const list = changeList(changes, language, 3);
  const hasPresentation = site?.tagline !== undefined && release.presentation !== undefined;
  if (highlights.length === 0 && list === null && !hasPresentation) return null;
  return html`<section class="news" aria-labelledby="news">
    ${hasPresentation && html`<p class="eyebrow">${texts.newIn(appVersionOf(release))}</p>`}
    <h2 id="news">${hasPresentation ? headline : texts.whatIsNew}</h2>
    ${hasPresentation && html`<p class="summary">${summary}</p>`}
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

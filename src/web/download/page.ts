import type { PublishedSource } from "../../contract/release/catalog.ts";
import type { Language } from "../../contract/language.ts";
import { languageSwitch } from "../document.ts";
import { html, type Html } from "../html.ts";
import { httpsHref } from "../safe-link.ts";
import { fileList, filesByPlatform } from "./files.ts";
import { pageHead } from "./head.ts";
import { hero, newsSection } from "./newest-release.ts";
import { betaSection, earlierSection, withdrawnSection } from "./other-releases.ts";
import type { PageOptions } from "./page-options.ts";
import { requirementSection } from "./requirements.ts";
import { heroFigure, heroLogo, logoAddress, screenshotSection } from "./screenshots.ts";
import { chosenPage, FEED_NAME, pathToTop } from "./site-paths.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

export function downloadPage(options: PageOptions, language: Language): Html {
  return html`<!doctype html>
    <html lang="${language}">
      ${pageHead(options, language)}
      <body>
        <a class="skip" href="#download">${DOWNLOAD_TEXTS[language].skipLink}</a>
        ${header(options, language)}
        <main>${content(options, language)}</main>
        ${footer(options, language)}
        <p class="unseen" id="copy-status" role="status"></p>
      </body>
    </html> `;
}

function header({ productName, site }: PageOptions, language: Language): Html {
  const top = pathToTop(language);
  const url = (other: Language) => `${top}${chosenPage(other)}`;
  return html`<header class="row">
    <p class="brand">
      <img class="brand-logo" src="${logoAddress(site, language)}" alt="" />
      <span>${productName}</span>
    </p>
    ${languageSwitch(language, { en: url("en"), de: url("de") })}
  </header>`;
}

function content(options: PageOptions, language: Language): Html {
  const { releases, site } = options;
  const { newest } = releases;
  return html`${newest ? hero(newest, options, language) : welcome(options, language)}
  ${screenshotSection(site, language)} ${newest && newsSection(newest, site, language)}
  ${newest && installation(newest, options, language)} ${betaSection(releases, language)}
  ${earlierSection(releases, language)} ${withdrawnSection(releases, language)}`;
}

function welcome({ productName, releases, site }: PageOptions, language: Language): Html {
  const texts = DOWNLOAD_TEXTS[language];
  return html`<div class="hero" id="download">
    ${heroLogo(site, language)}
    <div class="hero-text">
      <h1>${texts.nothingYet(productName)}</h1>
      ${site?.tagline && html`<p class="summary">${site.tagline[language]}</p>`}
      <p class="summary">${releases.beta ? texts.onlyBeta : texts.comeBack}</p>
    </div>
    ${heroFigure(site, language)}
  </div>`;
}

function installation(
  release: PublishedSource,
  { manifestUrl, site }: PageOptions,
  language: Language,
): Html {
  const texts = DOWNLOAD_TEXTS[language];
  const files =
    filesByPlatform(release).length > 0 &&
    html`<section id="files" aria-labelledby="files-title">
      <h2 id="files-title">${texts.allFiles}</h2>
      <p class="intro">
        ${texts.aboutChecksums} <a href="${manifestUrl}">${texts.signedManifest}</a>.
      </p>
      ${fileList(release, language, 3, true)}
    </section>`;
  return html`${requirementSection(release, site?.stores ?? [], language)} ${files}`;
}

function footer({ productName, site }: PageOptions, language: Language): Html {
  const links = (site?.links ?? []).flatMap(({ label, url }) => {
    const href = httpsHref(url);
    return href === null ? [] : [html`<a class="target" href="${href}">${label[language]}</a> `];
  });
  return html`<footer class="row meta">
    <p>${productName}</p>
    <p class="row footer-links">
      ${links}
      <a class="target" href="${FEED_NAME}" type="application/atom+xml"
        >${DOWNLOAD_TEXTS[language].feed}</a
      >
    </p>
  </footer>`;
}

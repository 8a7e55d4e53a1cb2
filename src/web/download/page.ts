import { LANGUAGES, type Language } from "../../contract/language.ts";
import type { Release } from "../../contract/release/schemas.ts";
import { languageSwitch } from "../document.ts";
import { DOWNLOAD_SCRIPT } from "../generated/download-script.ts";
import { DOWNLOAD_STYLE } from "../generated/download-style.ts";
import { html, trustedHtml, type Html } from "../html.ts";
import { checksumGuide, fileList } from "./files.ts";
import type { GroupedReleases } from "./group-releases.ts";
import { localiseRelease } from "./localise-release.ts";
import { hero, highlightSection } from "./newest-release.ts";
import { betaSection, earlierSection } from "./other-releases.ts";
import { DEFAULT_LANGUAGE, FEED_NAME, ICON_NAME, pageFolder, pathToTop } from "./site-paths.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

// The policy contains the hash of the text between the tags, so no space may be added there.
const STYLE = trustedHtml(`<style>${DOWNLOAD_STYLE}</style>`);
const SCRIPT = trustedHtml(`<script>${DOWNLOAD_SCRIPT}</script>`);

export interface PageOptions {
  readonly productName: string;
  readonly releases: GroupedReleases;
  readonly smartDownloadUrl: string;
  /** Absolute, ending in a slash. */
  readonly websiteUrl: string;
  readonly manifestUrl: string;
  readonly policy: string;
  readonly now: number;
}

export function downloadPage(options: PageOptions, language: Language): Html {
  return html`<!doctype html>
    <html lang="${language}">
      ${head(options, language)}
      <body>
        <a class="skip" href="#download">${DOWNLOAD_TEXTS[language].skipLink}</a>
        ${header(options.productName, language)}
        <main>${content(options, language)}</main>
        ${footer(options.productName, language)} ${SCRIPT}
      </body>
    </html> `;
}

function head(options: PageOptions, language: Language): Html {
  const { productName, releases, websiteUrl, policy } = options;
  const texts = DOWNLOAD_TEXTS[language];
  const { newest } = releases;
  const summary = newest && localiseRelease(newest, language).summary;
  const alternates = LANGUAGES.map(
    (other) =>
      html`<link rel="alternate" hreflang="${other}" href="${websiteUrl}${pageFolder(other)}" /> `,
  );
  return html`<head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <meta name="color-scheme" content="light dark" />
    <title>
      ${newest ? texts.title(productName, newest.version) : texts.nothingYet(productName)}
    </title>
    <meta name="description" content="${summary ?? texts.feedTitle(productName)}" />
    <link rel="canonical" href="${websiteUrl}${pageFolder(language)}" />
    ${alternates}
    <link
      rel="alternate"
      hreflang="x-default"
      href="${websiteUrl}${pageFolder(DEFAULT_LANGUAGE)}"
    />
    <link
      rel="alternate"
      type="application/atom+xml"
      title="${texts.feedTitle(productName)}"
      href="${FEED_NAME}"
    />
    <link rel="icon" type="image/svg+xml" href="${pathToTop(language)}${ICON_NAME}" />
    ${STYLE}
  </head>`;
}

function header(productName: string, language: Language): Html {
  const url = (other: Language) => `${pathToTop(language)}${pageFolder(other)}`;
  return html`<header>
    <p class="brand">${productName}</p>
    ${languageSwitch(language, { en: url("en"), de: url("de") })}
  </header>`;
}

function content(options: PageOptions, language: Language): Html {
  const { releases } = options;
  const { newest, earlier } = releases;
  return html`${newest ? hero(newest, { ...options, language, earlier }) : welcome(options, language)}
  ${newest && highlightSection(newest, language)}
  ${newest && fileSection(newest, options, language)} ${betaSection(releases, language)}
  ${earlierSection(releases, language)}`;
}

function welcome({ productName, releases }: PageOptions, language: Language): Html {
  const texts = DOWNLOAD_TEXTS[language];
  return html`<div class="hero" id="download">
    <h1>${texts.nothingYet(productName)}</h1>
    <p class="summary">${releases.beta ? texts.onlyBeta : texts.comeBack}</p>
  </div>`;
}

function fileSection(release: Release, { manifestUrl }: PageOptions, language: Language): Html {
  const texts = DOWNLOAD_TEXTS[language];
  return html`<section id="files" aria-labelledby="files-title">
    <h2 id="files-title">${texts.allFiles}</h2>
    <p class="intro">
      ${texts.aboutChecksums} <a href="${manifestUrl}">${texts.signedManifest}</a>.
    </p>
    ${fileList(release, language, 3)} ${checksumGuide(release, language)}
  </section>`;
}

function footer(productName: string, language: Language): Html {
  return html`<footer>
    <p>${productName}</p>
    <p>
      <a class="target" href="${FEED_NAME}" type="application/atom+xml"
        >${DOWNLOAD_TEXTS[language].feed}</a
      >
    </p>
  </footer>`;
}

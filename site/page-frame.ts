/** The document around every page of the site: header, contents, search, footer. */
import type { Language } from "../src/contract/language.ts";
import { languageSwitch, LOGO, SKIP_LINK } from "../src/web/document.ts";
import { html, type Html } from "../src/web/html.ts";
import { contents, LANDING } from "./contents.ts";
import { WAYS } from "./navigation.ts";
import type { DocsPage } from "./read-pages.ts";
import { searchButton, searchDialog } from "./search-box.ts";
import { relativeUrl } from "./site-files.ts";
import { SITE_TEXTS } from "./texts.ts";

export interface SiteContext {
  readonly pages: ReadonlyMap<string, DocsPage>;
  readonly assets: Assets;
  readonly version: string | undefined;
}

/** Paths in the site. */
export interface Assets {
  readonly style: string;
  readonly theme: string;
  readonly script: string;
  readonly icon: string;
  /** Absent in a packed package, which has no film. */
  readonly films?: Readonly<Record<Language, string>>;
  /** In the order in which they have to be loaded. */
  readonly search: Readonly<Record<Language, readonly string[]>>;
}

export interface FramedPage {
  readonly path: string;
  readonly language: Language;
  readonly title: string;
  readonly description: string;
  /** The path of this page, or what comes closest, in each language. */
  readonly translations: Readonly<Record<Language, string>>;
  /** Where it is in the contents; a landing page has none. */
  readonly place?: DocsPage;
  readonly main: Html;
}

export function renderFrame(site: SiteContext, page: FramedPage): string {
  const { language, path, place } = page;
  const texts = SITE_TEXTS[language];
  const url = (target: string) => relativeUrl(path, target);
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>${place === undefined ? page.title : `${page.title} · Trellis`}</title>
        <meta name="description" content="${page.description}" />
        <link rel="icon" type="image/svg+xml" href="${url(site.assets.icon)}" />
        <link rel="stylesheet" href="${url(site.assets.style)}" />
        <script src="${url(site.assets.theme)}"></script>
        <script src="${url(site.assets.script)}" defer></script>
      </head>
      <body
        data-copy-text="${texts.copy}"
        data-copied-text="${texts.copied}"
        class="${place === undefined ? "landing" : "page"}"
      >
        <a class="skip" href="#main">${SKIP_LINK[language]}</a>
        ${pageHeader(site, page)}
        <div class="frame">
          ${place !== undefined && contents(site.pages, place)}
          <main id="main">${page.main}</main>
        </div>
        ${pageFooter(site, page)} ${searchDialog(language)}
        <p class="unseen" id="copy-status" role="status"></p>
      </body>
    </html> `.markup;
}

function pageHeader(
  { assets }: SiteContext,
  { language, path, place, translations }: FramedPage,
): Html {
  const texts = SITE_TEXTS[language];
  const url = (target: string) => relativeUrl(path, target);
  const landing = url(LANDING[language]);
  return html`<header class="bar">
    <a class="brand" href="${landing}"
      >${LOGO} <span>Trellis <small>${texts.docs}</small></span></a
    >
    <nav class="ways" aria-label="${texts.ways}">
      <ul>
        ${WAYS.map(
          ({ id, title }) =>
            html`<li>
              <a
                class="target"
                href="${landing}#${id}"
                ${place?.section?.id === id && html` aria-current="true"`}
                >${title[language]}</a
              >
            </li>`,
        )}
      </ul>
    </nav>
    ${searchButton(language, url("."), assets.search[language].map(url))} ${themeButton(language)}
    ${languageSwitch(language, { en: url(translations.en), de: url(translations.de) })}
  </header>`;
}

/** Hidden until the script shows it. */
function themeButton(language: Language): Html {
  const texts = SITE_TEXTS[language];
  return html`<button
    class="theme-button"
    id="theme"
    type="button"
    hidden
    data-system="${texts.themeSystem}"
    data-light="${texts.themeLight}"
    data-dark="${texts.themeDark}"
  >
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="8" />
      <path d="M12 4a8 8 0 0 1 0 16Z" />
    </svg>
  </button>`;
}

function pageFooter(site: SiteContext, { path, language }: FramedPage): Html {
  const texts = SITE_TEXTS[language];
  const links = [
    ["CHANGELOG.md", texts.changes],
    ["docs/glossary.md", texts.glossary],
    ["SECURITY.md", texts.security],
  ] as const;
  return html`<footer class="row fine">
    <p>${site.version !== undefined && `Trellis ${site.version}. `}${texts.footer}</p>
    <ul class="row">
      ${links.map(([source, text]) => {
        const page = site.pages.get(source);
        if (page === undefined) return null;
        return html`<li><a class="target" href="${relativeUrl(path, page.path)}">${text}</a></li>`;
      })}
    </ul>
  </footer>`;
}

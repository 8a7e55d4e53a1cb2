/** The HTML document around every page of a service. */
import { LANGUAGES, type Language } from "../contract/language.ts";
import { PAGES_STYLE } from "./generated/pages-style.ts";
import { html, trustedHtml, type Html } from "./html.ts";

export type LanguageUrls = Readonly<Record<Language, string>>;

export interface DocumentFrame {
  readonly language: Language;
  /** The name of the instance. */
  readonly displayName: string;
  /** The nonce is for this response alone; the Content-Security-Policy names it. */
  readonly nonce: string;
  /** The address of this page in each language. */
  readonly languageUrls: LanguageUrls;
}

export interface DocumentContent {
  readonly title: string;
  /** Style and script are generated, so neither is escaped. The default is the style of the services. */
  readonly style?: string;
  readonly script?: string;
  readonly referrer: "no-referrer" | "same-origin";
  /** The link of the instance's name, when it is one. */
  readonly homeUrl?: string;
  readonly header?: Html;
  readonly main: Html;
}

export function renderDocument(frame: DocumentFrame, content: DocumentContent): string {
  const { language, nonce, languageUrls } = frame;
  const { title, style = PAGES_STYLE, script, referrer, header, main } = content;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="${referrer}" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="${ICON}" />
        <style nonce="${nonce}">
          ${trustedHtml(style)}
        </style>
      </head>
      <body>
        ${header !== undefined && html`<a class="skip" href="#main">${SKIP_LINK[language]}</a>`}
        <header class="row">
          ${brand(frame, content.homeUrl)} ${languageSwitch(language, languageUrls)} ${header}
        </header>
        <main id="main">${main}</main>
        ${
          script !== undefined &&
          html`<script nonce="${nonce}">
            ${trustedHtml(script)};
          </script>`
        }
      </body>
    </html> `.markup;
}

export const SKIP_LINK: Readonly<Record<Language, string>> = {
  en: "Skip to content",
  de: "Zum Inhalt",
};

const LATTICE = "M12 2 22 12 12 22 2 12ZM7 7 17 17M17 7 7 17";

export const LOGO = html`<svg class="logo" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
  <path d="${LATTICE}" />
</svg>`;

/** Part of the page, which loads nothing. A page without one makes browsers ask for /favicon.ico. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 32 32"><rect x="-4" y="-4" width="32" height="32" rx="8" fill="#1b6748"/><path d="${LATTICE}" fill="none" stroke="#fff" stroke-width="2.25" stroke-linejoin="round"/></svg>`,
)}`;

function brand({ displayName }: DocumentFrame, homeUrl: string | undefined): Html {
  return homeUrl === undefined
    ? html`<p class="brand">${LOGO} <span>${displayName}</span></p>`
    : html`<p>
        <a class="brand" href="${homeUrl}">${LOGO} <span>${displayName}</span></a>
      </p>`;
}

/** Each language under its own name, for people who do not read the other one. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch" };

const SWITCH_LABEL: Readonly<Record<Language, string>> = { en: "Language", de: "Sprache" };

export function languageSwitch(language: Language, urls: LanguageUrls): Html {
  const links = LANGUAGES.map(
    (other) =>
      html`<li>
        <a
          class="target"
          href="${urls[other]}"
          lang="${other}"
          hreflang="${other}"
          ${other === language && html` aria-current="page"`}
          >${LANGUAGE_NAMES[other]}</a
        >
      </li>`,
  );
  return html`<nav aria-label="${SWITCH_LABEL[language]}">
    <ul class="row languages">
      ${links}
    </ul>
  </nav>`;
}

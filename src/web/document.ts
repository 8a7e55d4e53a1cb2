/** The frame of the pages a service shows: one document, one style, at most one script. */
import { html, trustedHtml, type Html } from "./html.ts";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "./language.ts";

export interface DocumentFrame {
  readonly language: Language;
  /** The name of the instance, so that people know where they are. */
  readonly displayName: string;
  /** Of this response alone; the policy names it. */
  readonly nonce: string;
  /** This page in each language. */
  readonly languageUrls: Readonly<Record<Language, string>>;
}

export interface DocumentContent {
  readonly title: string;
  /** Ours from beginning to end, like the script. */
  readonly style: string;
  readonly script?: string;
  readonly referrer: "no-referrer" | "same-origin";
  /** Where the name leads, when it leads anywhere. */
  readonly homeUrl?: string;
  /** What stands in the header beside the name and the languages. */
  readonly header?: Html;
  readonly main: Html;
}

export function renderDocument(frame: DocumentFrame, content: DocumentContent): string {
  const { language, nonce } = frame;
  const { title, style, script, referrer, header, main } = content;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="${referrer}" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${trustedHtml(style)}
        </style>
      </head>
      <body>
        ${header !== undefined && html`<a class="skip" href="#main">${SKIP[language]}</a>`}
        <header>${brand(frame, content.homeUrl)} ${languageSwitch(frame)} ${header}</header>
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

const SKIP: Readonly<Record<Language, string>> = { en: "Skip to content", de: "Zum Inhalt" };
const SWITCH: Readonly<Record<Language, string>> = { en: "Language", de: "Sprache" };

/** A small trellis: what grows on it is up to the instance. */
const MARK = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
  <path d="M12 2 22 12 12 22 2 12ZM7 7 17 17M17 7 7 17" />
</svg>`;

function brand({ displayName }: DocumentFrame, homeUrl: string | undefined): Html {
  return homeUrl === undefined
    ? html`<p class="brand">${MARK} <span>${displayName}</span></p>`
    : html`<p>
        <a class="brand" href="${homeUrl}">${MARK} <span>${displayName}</span></a>
      </p>`;
}

function languageSwitch({ language, languageUrls }: DocumentFrame): Html {
  return html`<nav aria-label="${SWITCH[language]}">
    <ul class="languages">
      ${LANGUAGES.map(
        (other) =>
          html`<li>
            <a
              href="${languageUrls[other]}"
              lang="${other}"
              hreflang="${other}"
              ${other === language && html` aria-current="page"`}
              >${LANGUAGE_NAMES[other]}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

/** The frame of the pages around a sign-in: one document, one style, at most one script. */
import { LOGIN_STYLE } from "../generated/login-style.ts";
import { html, trustedHtml, type Html } from "../html.ts";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "../language.ts";
import { LOGIN_TEXTS } from "./texts.ts";

export interface FrameOptions {
  readonly language: Language;
  /** The name of the instance, so that people know where they are. */
  readonly displayName: string;
  /** Of this response alone; the policy names it. */
  readonly nonce: string;
  /** This page in each language. */
  readonly languageUrls: Readonly<Record<Language, string>>;
}

export interface FrameContent {
  readonly title: string;
  readonly main: Html;
  /** Ours from beginning to end. */
  readonly script?: string;
}

export function renderDocument(options: FrameOptions, { title, main, script }: FrameContent): Html {
  const { language, displayName, nonce } = options;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${trustedHtml(LOGIN_STYLE)}
        </style>
      </head>
      <body>
        <header>
          <p class="brand">${MARK} <span>${displayName}</span></p>
          ${languageSwitch(options)}
        </header>
        <main>${main}</main>
        ${
          script !== undefined &&
          html`<script nonce="${nonce}">
            ${trustedHtml(script)};
          </script>`
        }
      </body>
    </html> `;
}

/** A small trellis: what grows on it is up to the instance. */
const MARK = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
  <path d="M12 2 22 12 12 22 2 12ZM7 7 17 17M17 7 7 17" />
</svg>`;

function languageSwitch({ language, languageUrls }: FrameOptions): Html {
  return html`<nav aria-label="${LOGIN_TEXTS[language].languageSwitch}">
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

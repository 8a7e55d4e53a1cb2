/** What a page shows in place of the one that was asked for. */
import type { Language } from "../contract/language.ts";
import { renderDocument, type DocumentFrame } from "./document.ts";
import { html, type Html, type HtmlValue } from "./html.ts";
import { LOGIN_TEXTS } from "./login/texts.ts";

export interface ErrorReference {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
}

export interface ErrorTexts {
  readonly title: string;
  readonly detail: string;
}

/** `further` is between the words and the reference, by which an operator finds the request in the log. */
export function errorCard(
  { title, detail }: ErrorTexts,
  reference: ErrorReference | null,
  language: Language,
  further: HtmlValue = null,
): Html {
  return html`<div class="narrow card">
    <h1>${title}</h1>
    <p class="lead">${detail}</p>
    ${further}
    ${
      reference !== null &&
      html`<p class="return fine">
        ${LOGIN_TEXTS[language].reference} <code>${reference.status} ${reference.code}</code>
        <code>${reference.requestId}</code>
      </p>`
    }
  </div>`;
}

/** The page for an address that is not there. */
export function renderNotFoundPage(
  frame: DocumentFrame,
  reference: ErrorReference | null,
  homeUrl: string | null,
  texts: ErrorTexts = NOT_FOUND_TEXTS[frame.language],
): string {
  const home =
    homeUrl !== null &&
    html`<p class="after">
      <a class="button" href="${homeUrl}">${NOT_FOUND_TEXTS[frame.language].home}</a>
    </p>`;
  return renderDocument(frame, {
    title: `${texts.title} · ${frame.displayName}`,
    referrer: "no-referrer",
    main: errorCard(texts, reference, frame.language, home),
  });
}

const en = {
  title: "Page not found",
  detail: "The address is wrong, or the page no longer exists.",
  home: "Go to the start page",
};

const de: typeof en = {
  title: "Seite nicht gefunden",
  detail: "Die Adresse ist falsch, oder die Seite existiert nicht mehr.",
  home: "Zur Startseite",
};

export const NOT_FOUND_TEXTS = { en, de };

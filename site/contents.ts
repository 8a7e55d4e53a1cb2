/** The contents beside every page: by what a reader wants to do. */
import type { Language } from "../src/contract/language.ts";
import { html, type Html } from "../src/web/html.ts";
import { isQuickStart, QUICK_STARTS, SECTIONS, type Section } from "./navigation.ts";
import { germanSource, type DocsPage } from "./read-pages.ts";
import { relativeUrl } from "./site-files.ts";
import { SITE_TEXTS } from "./texts.ts";

export const LANDING: Readonly<Record<Language, string>> = {
  en: "index.html",
  de: "de/index.html",
};

type Pages = ReadonlyMap<string, DocsPage>;

/** As seen from the page. */
export function contents(pages: Pages, { language, path, section: open }: DocsPage): Html {
  const texts = SITE_TEXTS[language];
  const top = [
    { shortTitle: texts.overview, path: LANDING[language], source: "", language },
    ...entryPages(pages, [QUICK_STARTS], language),
  ];
  const tag = html` <small class="tag">${texts.quickStart}</small>`;
  const links = (linked: readonly LinkedPage[]) =>
    linked.map((page) => pageLink(page, path, language, isQuickStart(page.source) && tag));
  return html`<details class="contents" id="contents">
    <summary>${texts.menu}</summary>
    <nav aria-label="${texts.contents}">
      <ul>
        ${links(top)}
      </ul>
      ${SECTIONS.map(
        (section) =>
          html`<details ${section.id === open?.id && html` open`}>
            <summary>${section.title[language]}</summary>
            <ul>
              ${links(entryPages(pages, section.entries, language))}
            </ul>
          </details>`,
      )}
    </nav>
  </details>`;
}

type LinkedPage = Pick<DocsPage, "path" | "source" | "shortTitle" | "language">;

export function pageLink(
  page: LinkedPage,
  from: string,
  language: Language,
  tag: Html | false = false,
): Html {
  const isOther = page.language !== language;
  return html`<li>
    <a
      href="${relativeUrl(from, page.path)}"
      ${page.path === from && html` aria-current="page"`}
      ${isOther && html` lang="${page.language}" hreflang="${page.language}"`}
      >${page.shortTitle}${tag}</a
    >
  </li>`;
}

/** In the language of the reader where there is such a page. */
export function entryPages(
  pages: Pages,
  entries: Section["entries"],
  language: Language,
): DocsPage[] {
  return entries.flatMap((source) => {
    const translated = language === "de" ? pages.get(germanSource(source)) : undefined;
    return translated ?? pages.get(source) ?? [];
  });
}

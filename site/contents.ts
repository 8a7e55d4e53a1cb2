/** The contents beside every page: by what a reader wants to do. */
import type { Language } from "../src/contract/language.ts";
import { html, type Html } from "../src/web/html.ts";
import { isQuickStart, parentSource, QUICK_STARTS, SECTIONS, type Section } from "./navigation.ts";
import { germanSource, type DocsPage } from "./read-pages.ts";
import { relativeUrl } from "./site-files.ts";
import { SITE_TEXTS } from "./texts.ts";

export const LANDING: Readonly<Record<Language, string>> = {
  en: "index.html",
  de: "de/index.html",
};

type Pages = ReadonlyMap<string, DocsPage>;

/** As seen from the page. */
export function contents(pages: Pages, here: DocsPage): Html {
  const { language, path, section: open } = here;
  const texts = SITE_TEXTS[language];
  const top = [
    { shortTitle: texts.overview, path: LANDING[language], source: "", language },
    ...entryPages(pages, [QUICK_STARTS], language),
  ];
  const tag = html` <small class="tag">${texts.quickStart}</small>`;
  const family = parentPage(pages, here) ?? here;
  const links = (linked: readonly LinkedPage[]) =>
    linked.map((page) =>
      pageLink(page, path, language, {
        tag: isQuickStart(page.source) && tag,
        below: page.path === family.path && pagesBelow(pages, family, here),
      }),
    );
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
              ${links(topPages(pages, section.entries, language))}
            </ul>
          </details>`,
      )}
    </nav>
  </details>`;
}

/** The pages of its folder; those whose titles begin alike, as those of one module do, stand together. */
function pagesBelow(pages: Pages, parent: DocsPage, { path, language }: DocsPage): Html | null {
  const children = [...pages.values()].filter((page) => parentPage(pages, page) === parent);
  if (children.length === 0) return null;
  const groups = Map.groupBy(children, ({ shortTitle }) => shortTitle.split(": ")[0] ?? "");
  return html`<ul>
    ${[...groups].map(([name, group]) => {
      if (group.length === 1) return group.map((page) => pageLink(page, path, language));
      const links = group.map((page) => {
        const shortTitle = page.shortTitle.slice(`${name}: `.length);
        return pageLink({ ...page, shortTitle }, path, language);
      });
      if (name === parent.shortTitle) return links;
      return html`<li>
        <span>${name}</span>
        <ul>
          ${links}
        </ul>
      </li>`;
    })}
  </ul>`;
}

type LinkedPage = Pick<DocsPage, "path" | "source" | "shortTitle" | "language">;

interface LinkParts {
  /** Behind the title. */
  readonly tag?: Html | false;
  /** A list of pages below this one. */
  readonly below?: Html | null | false;
}

export function pageLink(
  page: LinkedPage,
  from: string,
  language: Language,
  { tag = false, below = false }: LinkParts = {},
): Html {
  const isOther = page.language !== language;
  return html`<li>
    <a
      href="${relativeUrl(from, page.path)}"
      ${page.path === from && html` aria-current="page"`}
      ${isOther && html` lang="${page.language}" hreflang="${page.language}"`}
      >${page.shortTitle}${tag}</a
    >
    ${below}
  </li>`;
}

/** Without the pages that are below another one. */
export function topPages(
  pages: Pages,
  entries: Section["entries"],
  language: Language,
): DocsPage[] {
  return entryPages(pages, entries, language).filter((page) => !parentPage(pages, page));
}

export function parentPage(pages: Pages, { source }: DocsPage): DocsPage | undefined {
  const parent = parentSource(source);
  return parent === source ? undefined : pages.get(parent);
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

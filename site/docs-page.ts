/** A page of the documentation: where it is, what it says, what comes next. */
import type { Language } from "../src/contract/language.ts";
import { html, type Html } from "../src/web/html.ts";
import { renderPage, type PageTargets } from "./markdown.ts";
import { QUICK_STARTS, SECTIONS } from "./navigation.ts";
import { entryPages, LANDING, parentPage } from "./contents.ts";
import { renderFrame, type SiteContext } from "./page-frame.ts";
import { germanSource, type DocsPage } from "./read-pages.ts";
import { relativeUrl } from "./site-files.ts";
import { SITE_TEXTS } from "./texts.ts";

/** A longer outline shows the main sections alone. */
const MAX_OUTLINE = 24;
const MAX_DESCRIPTION = 160;

export function renderDocsPage(site: SiteContext, page: DocsPage, targets: PageTargets): string {
  const main = html`${breadcrumb(site, page)} ${outline(page)}
    <article class="prose">${renderPage(page, targets)}</article>
    ${pager(site, page)}`;
  const [first] = page.sections;
  return renderFrame(site, {
    path: page.path,
    language: page.language,
    title: page.title,
    description: shorten(first?.words.trim() ?? ""),
    translations: translationsOf(site, page),
    place: page,
    main,
  });
}

function translationsOf({ pages }: SiteContext, page: DocsPage): Record<Language, string> {
  const english = pages.get(page.source.replace("/de/", "/"));
  const german = pages.get(germanSource(english?.source ?? page.source));
  const isTranslated = german?.language === "de";
  return { en: english?.path ?? LANDING.en, de: isTranslated ? german.path : LANDING.de };
}

function breadcrumb({ pages }: SiteContext, page: DocsPage): Html {
  const { path, language, section } = page;
  const parent = parentPage(pages, page);
  const texts = SITE_TEXTS[language];
  const landing = relativeUrl(path, LANDING[language]);
  const places = [
    { text: `Trellis ${texts.docs}`, url: landing },
    section !== undefined && { text: section.title[language], url: `${landing}#${section.id}` },
    parent !== undefined && { text: parent.shortTitle, url: relativeUrl(path, parent.path) },
  ].filter((place) => place !== false);
  return html`<nav class="breadcrumb" aria-label="${texts.breadcrumb}">
    <ol>
      ${places.map(({ text, url }) => html`<li><a href="${url}">${text}</a></li>`)}
    </ol>
  </nav>`;
}

function outline({ sections, language }: DocsPage): Html | null {
  const below = sections.filter(({ level }) => level === 2 || level === 3);
  const shown = below.length > MAX_OUTLINE ? below.filter(({ level }) => level === 2) : below;
  if (shown.length < 2) return null;
  const title = SITE_TEXTS[language].outline;
  return html`<details class="outline" id="outline">
    <summary>${title}</summary>
    <nav aria-label="${title}">
      <ul>
        ${shown.map(
          ({ level, text, anchor }) =>
            html`<li${level === 3 && html` class="deeper"`}><a href="#${anchor}">${text}</a></li>`,
        )}
      </ul>
    </nav>
  </details>`;
}

function pager(site: SiteContext, page: DocsPage): Html | null {
  const { language, path } = page;
  const texts = SITE_TEXTS[language];
  const entries = [QUICK_STARTS, ...SECTIONS.flatMap((section) => [...section.entries])];
  const order = entryPages(site.pages, entries, language);
  const index = order.findIndex((candidate) => candidate.path === path);
  const steps = [
    { page: order[index - 1], label: texts.previous, rel: "prev" },
    { page: order[index + 1], label: texts.next, rel: "next" },
  ];
  return html`<nav class="pager" aria-label="${texts.pager}">
    ${steps.map(({ page: step, label, rel }) => {
      if (step === undefined) return null;
      const lang = step.language !== language && html` lang="${step.language}"`;
      return html`<a class="${rel}" rel="${rel}" href="${relativeUrl(path, step.path)}"
        ><span>${label}</span> <strong ${lang}>${step.title}</strong></a
      >`;
    })}
  </nav>`;
}

function shorten(text: string): string {
  if (text.length <= MAX_DESCRIPTION) return text;
  return `${text.slice(0, text.lastIndexOf(" ", MAX_DESCRIPTION))} …`;
}

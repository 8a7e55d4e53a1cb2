/** The index that browsers search: every heading with the words below it. */
import type { Language } from "../src/contract/language.ts";
import { isQuickStart } from "./navigation.ts";
import { SITE_TEXTS } from "./texts.ts";
import type { DocsPage } from "./read-pages.ts";
import type { SearchIndex, SearchSection } from "./search/search-index.ts";

/** The first that fits a path counts. */
const WEIGHTS: readonly (readonly [RegExp, number])[] = [
  [/^docs\/quick-starts\//, 3],
  [/^docs\/(guides\/|operate\/|comparison\.md)/, 3],
  [/^docs\/reference\/\w+\.md$/, 2],
  [/^docs\/reference\//, 1],
  [/^docs\/(protocol\/|security\.md|glossary\.md)/, 0.8],
  [/^CHANGELOG/, 0.1],
];
const OTHER_WEIGHT = 0.4;

export function buildSearchIndex(pages: readonly DocsPage[], language: Language): SearchIndex {
  const own = pages.filter((page) => page.language === language);
  return {
    pages: own.map((page) => ({
      path: page.path,
      title: page.title,
      group: groupOf(page),
      lang: language,
      weight: weightOf(page),
      isProtocol: page.section?.id === "protocol",
    })),
    sections: own.flatMap((page, number) =>
      page.sections.map((section): SearchSection => {
        const anchor = section.level === 1 ? "" : section.anchor;
        const words = isRead(page) ? section.words.trim() : "";
        return [number, anchor, section.text, words];
      }),
    ),
  };
}

function groupOf({ section, source, language }: DocsPage): string {
  const title = section?.title[language];
  const kind = isQuickStart(source) ? SITE_TEXTS[language].quickStart : undefined;
  return [title, kind].filter((text) => text !== undefined).join(" · ");
}

function weightOf({ source }: DocsPage): number {
  return WEIGHTS.find(([places]) => places.test(source))?.[1] ?? OTHER_WEIGHT;
}

/** Long lists for few readers are found by their headings. */
function isRead(page: DocsPage): boolean {
  return weightOf(page) > OTHER_WEIGHT;
}

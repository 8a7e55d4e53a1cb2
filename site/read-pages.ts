/** The pages of the site, parsed. What only a maintainer needs stays in the repository. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "../src/contract/language.ts";
import { parsePage, type ParsedPage } from "./markdown.ts";
import { CONTENTS_TITLES, QUICK_STARTS, SECTIONS, type Section } from "./navigation.ts";

export interface DocsPage extends ParsedPage {
  /** The path in the repository. */
  readonly source: string;
  /** The path in the site. */
  readonly path: string;
  readonly language: Language;
  readonly title: string;
  /** The title in lists, where two pages must not have the same. */
  readonly shortTitle: string;
  readonly section: Section | undefined;
}

/** By their path in the repository, in the order of reading. A packed package lacks some. */
export function readPages(root: string): ReadonlyMap<string, DocsPage> {
  const pages = new Map<string, DocsPage>();
  const add = (source: string, section: Section | undefined) => {
    const file = join(root, source);
    if (existsSync(file)) pages.set(source, readPage(source, section, readFileSync(file, "utf8")));
  };
  add(QUICK_STARTS, undefined);
  add(germanSource(QUICK_STARTS), undefined);
  for (const section of SECTIONS) {
    for (const source of section.entries) {
      add(source, section);
      if (source.startsWith("docs/quick-starts/")) add(germanSource(source), section);
    }
  }
  return pages;
}

export function germanSource(source: string): string {
  return source.replace("docs/quick-starts/", "docs/quick-starts/de/");
}

function readPage(source: string, section: Section | undefined, text: string): DocsPage {
  const parsed = parsePage(text);
  const [first] = parsed.sections;
  if (first?.level !== 1) throw new Error(`${source} has no title: begin it with "# …"`);
  return {
    ...parsed,
    source,
    path: source.replace(/\.md$/, ".html"),
    language: source.includes("/de/") ? "de" : "en",
    title: first.text,
    shortTitle: CONTENTS_TITLES[source] ?? first.text,
    section,
  };
}

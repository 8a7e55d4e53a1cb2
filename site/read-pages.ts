/** The pages of the site, parsed: those that a reader looks for, and those that only they lead to. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "../src/contract/language.ts";
import { parsePage, type ParsedPage } from "./markdown.ts";
import { CONTENTS_TITLES, DECISIONS, QUICK_STARTS, SECTIONS, type Section } from "./navigation.ts";

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
  const read = (source: string, section: Section | undefined) =>
    readPage(source, section, readFileSync(join(root, source), "utf8"));
  const add = (source: string, section: Section | undefined) => {
    if (existsSync(join(root, source))) pages.set(source, read(source, section));
  };
  add(QUICK_STARTS, undefined);
  add(germanSource(QUICK_STARTS), undefined);
  for (const section of SECTIONS) {
    for (const source of section.entries) {
      add(source, section);
      if (source.startsWith("docs/quick-starts/")) add(germanSource(source), section);
    }
  }
  const contribute = SECTIONS.find(({ id }) => id === "contribute");
  const decisions = listDecisions(root).map((source) => read(source, contribute));
  const index = readPage(`${DECISIONS}/index.md`, contribute, decisionsIndex(decisions));
  for (const page of [index, ...decisions]) pages.set(page.source, page);
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

function listDecisions(root: string): string[] {
  if (!existsSync(join(root, DECISIONS))) return [];
  const names = readdirSync(join(root, DECISIONS)).filter((name) => name.endsWith(".md"));
  return names.sort().map((name) => `${DECISIONS}/${name}`);
}

function decisionsIndex(decisions: readonly DocsPage[]): string {
  const lines = decisions.map(
    ({ title, source }) => `- [${title}](${source.slice(DECISIONS.length + 1)})`,
  );
  return `# Decisions\n\nChoices that a reader of the code could question, and why they were made.\n\n${lines.join("\n")}\n`;
}

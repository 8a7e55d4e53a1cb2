/** Finds sections of pages: guides first, what few readers look for last, protocols when they are asked for. */
import MiniSearch from "minisearch";
import { cutExcerpt, type ExcerptPart } from "./excerpt.ts";
import type { SearchIndex, SearchPage } from "./search-index.ts";
import { createSynonyms } from "./synonyms.ts";

export interface SearchResult {
  readonly page: SearchPage;
  /** Empty for the page as a whole. */
  readonly anchor: string;
  readonly heading: string;
  /** Words around the first that were looked for; empty where the index has none. */
  readonly excerpt: readonly ExcerptPart[];
}

const MAX_RESULTS = 12;
const MAX_RESULTS_OF_PAGE = 2;

const STOP_WORDS = new Set(
  "a an and are as at be by for from how i is it my of on or that the this to what with do can der die das den dem ein eine einen einer und oder im ist zu zum zur mit von für wie ich mein meine auf".split(
    " ",
  ),
);
const ASKS_FOR_PROTOCOL = /protoco?l|protokoll|conformance|konformität/i;

/** "Backups", "restoring", "restored" and "encryption" are the same as what a person types. */
const ENDING = /^(.{4,}?)(?:ings?|ions?|ed|es|s|e)$/;
const SYNONYMS = createSynonyms((word) => word.replace(ENDING, "$1"));

interface Indexed {
  readonly id: number;
  readonly page: SearchPage;
  readonly anchor: string;
  readonly heading: string;
  readonly title: string;
  readonly words: string;
}

export function createSearch(indexes: readonly SearchIndex[]): (query: string) => SearchResult[] {
  const indexed = indexes
    .flatMap(({ pages, sections }) =>
      sections.flatMap(([number, anchor, heading, words]) => {
        const page = pages[number];
        return page === undefined ? [] : [{ page, anchor, heading, title: page.title, words }];
      }),
    )
    .map((section, id): Indexed => ({ ...section, id }));
  const search = new MiniSearch<Indexed>({
    fields: ["title", "heading", "words"],
    extractField: (section, field) =>
      field === "words" ? distinctWords(section) : section[field as keyof Indexed],
    tokenize: splitWords,
    processTerm: indexTerm,
    searchOptions: {
      processTerm: queryTerm,
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 && !term.startsWith("~") ? 0.2 : false),
      boost: { title: 3, heading: 2 },
      boostDocument: (id) => weigh(indexed[Number(id)]),
    },
  });
  search.addAll(indexed);
  return (query) => {
    const every = search.search(query, { combineWith: "AND" });
    const some = every.length < MAX_RESULTS ? search.search(query) : [];
    const ids = new Set([...every, ...some].map(({ id }) => Number(id)));
    const found = omitProtocols(
      [...ids].flatMap((id) => indexed[id] ?? []),
      query,
    );
    // Such as the name of a command or a key: a reader who types all of it wants no guide.
    const isExact = ({ heading }: Indexed) =>
      /[ ._-]/.test(query) && heading.toLowerCase() === query.toLowerCase();
    const sorted = found.toSorted((a, b) => Number(isExact(b)) - Number(isExact(a)));
    const terms = splitWords(query).flatMap((word) => queryTerm(word) ?? []);
    const isMatch = (word: string) =>
      (indexTerm(word) ?? []).some((term) => terms.some((wanted) => term.startsWith(wanted)));
    return limit(sorted).map(({ page, anchor, heading, words }) => ({
      page,
      anchor,
      heading,
      excerpt: cutExcerpt(words, isMatch),
    }));
  };
}

/** A heading that is not the page's own competes with whole pages. */
function weigh(section: Indexed | undefined): number {
  if (section === undefined) return 1;
  return section.page.weight * (section.anchor === "" ? 1.5 : 1);
}

function omitProtocols(found: readonly Indexed[], query: string): readonly Indexed[] {
  if (ASKS_FOR_PROTOCOL.test(query)) return found;
  const others = found.filter(({ page }) => !page.isProtocol);
  return others.length > 0 ? others : found;
}

/** A word that a long list repeats counts once. */
function distinctWords({ words, heading }: Indexed): string {
  const known = new Set(splitWords(heading.toLowerCase()));
  const all = splitWords(words.toLowerCase()).filter((word) => word.length > 2 && !known.has(word));
  return [...new Set(all)].join(" ");
}

function splitWords(text: string): string[] {
  return text.split(/[^\p{L}\p{N}_]+/u);
}

/** A page has its words and what they have in common with others, so that the beginning of a word finds it too. */
function indexTerm(word: string): string[] | null {
  const term = readTerm(word);
  if (term === null) return null;
  const shared = SYNONYMS.get(term);
  return shared === undefined ? [term] : [term, shared];
}

function queryTerm(word: string): string | null {
  const term = readTerm(word);
  return term === null ? null : (SYNONYMS.get(term) ?? term);
}

/** An error code is a word of its own, with a sign that no other word begins with. */
function readTerm(word: string): string | null {
  const lower = word.toLowerCase();
  if (lower === "" || STOP_WORDS.has(lower)) return null;
  return lower.includes("_") ? `=${lower}` : lower.replace(ENDING, "$1");
}

function limit(sections: readonly Indexed[]): Indexed[] {
  const countByPage = new Map<SearchPage, number>();
  const shown = sections.filter(({ page }) => {
    const count = (countByPage.get(page) ?? 0) + 1;
    countByPage.set(page, count);
    return count <= MAX_RESULTS_OF_PAGE;
  });
  return shown.slice(0, MAX_RESULTS);
}

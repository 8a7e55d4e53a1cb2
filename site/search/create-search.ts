/** Finds sections of pages: guides first, what few readers look for last. */
import MiniSearch from "minisearch";
import type { SearchIndex, SearchPage } from "./search-index.ts";

export interface SearchResult {
  readonly page: SearchPage;
  /** Empty for the page as a whole. */
  readonly anchor: string;
  readonly heading: string;
}

const MAX_RESULTS = 12;
const MAX_RESULTS_OF_PAGE = 2;

const STOP_WORDS = new Set(
  "a an and are as at be by for from how i is it my of on or that the this to what with do can der die das den dem ein eine einen einer und oder im ist zu zum zur mit von für wie ich mein meine auf".split(
    " ",
  ),
);

/** "Backups", "restoring", "restored" and "encryption" are the same as what a person types. */
const ENDING = /^(.{4,}?)(?:ings?|ions?|ed|es|s|e)$/;

interface Indexed extends SearchResult {
  readonly id: number;
  readonly title: string;
  readonly words: string;
}

export function createSearch(indexes: readonly SearchIndex[]): (query: string) => SearchResult[] {
  const sections = indexes.flatMap(({ pages, sections }) =>
    sections.flatMap(([number, anchor, heading, words]) => {
      const page = pages[number];
      return page === undefined ? [] : [{ page, anchor, heading, title: page.title, words }];
    }),
  );
  const indexed: Indexed[] = sections.map((section, id) => ({ ...section, id }));
  const search = new MiniSearch<Indexed>({
    fields: ["title", "heading", "words"],
    tokenize: (text) => text.split(/[^\p{L}\p{N}_]+/u),
    processTerm: readTerm,
    searchOptions: {
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      boost: { title: 3, heading: 2 },
      boostDocument: (id) => weigh(indexed[Number(id)]),
    },
  });
  search.addAll(indexed);
  return (query) => {
    const every = search.search(query, { combineWith: "AND" });
    const some = every.length < MAX_RESULTS ? search.search(query) : [];
    const ids = new Set([...every, ...some].map(({ id }) => Number(id)));
    const found = [...ids].flatMap((id) => indexed[id] ?? []);
    // Such as the name of a command: a reader who types all of it wants no guide.
    const isExact = ({ heading }: SearchResult) =>
      query.includes(" ") && heading.toLowerCase() === query.toLowerCase();
    return limit(found.toSorted((a, b) => Number(isExact(b)) - Number(isExact(a))));
  };
}

/** A heading that is not the page's own competes with whole pages. */
function weigh(section: Indexed | undefined): number {
  if (section === undefined) return 1;
  return section.page.weight * (section.anchor === "" ? 1.5 : 1);
}

/** An error code is a word of its own, with a sign that no other word begins with. */
function readTerm(term: string): string | null {
  const lower = term.toLowerCase();
  if (lower.includes("_")) return `=${lower}`;
  return STOP_WORDS.has(lower) ? null : lower.replace(ENDING, "$1");
}

function limit(sections: readonly SearchResult[]): SearchResult[] {
  const countByPage = new Map<SearchPage, number>();
  const shown = sections.filter(({ page }) => {
    const count = (countByPage.get(page) ?? 0) + 1;
    countByPage.set(page, count);
    return count <= MAX_RESULTS_OF_PAGE;
  });
  return shown.slice(0, MAX_RESULTS);
}

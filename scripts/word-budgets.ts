/** How many words the documentation may have: as long as people read. */

interface Budget {
  /** Pages, and folders with everything in them that has no budget of its own. */
  readonly places: readonly string[];
  readonly words: number;
}

const BUDGETS: readonly Budget[] = [
  { places: ["README.md"], words: 500 },
  { places: ["CONTRIBUTING.md"], words: 800 },
  { places: ["site/landing."], words: 520 },
  { places: ["docs/comparison.md"], words: 700 },
  { places: ["docs/quick-starts/"], words: 1500 },
  { places: ["docs/quick-starts/de/"], words: 1500 },
  { places: ["docs/guides/"], words: 12_750 },
  { places: ["docs/protocol/"], words: 10_700 },
  { places: ["docs/protocol/sealed.md"], words: 1200 },
  { places: ["docs/operate/"], words: 4100 },
  { places: ["docs/operate/postgres.md", "docs/operate/sizes.md"], words: 3000 },
  { places: ["docs/architecture.md", "docs/storage.md", "docs/glossary.md"], words: 5050 },
  { places: ["docs/security.md"], words: 3500 },
  { places: ["docs/decisions/"], words: 3000 },
  { places: ["docs/benchmarks.md"], words: 1200 },
];
/** A longer page of these folders is split, also when it is generated: a person reads no more at once. */
const READ_AT_ONCE = /^docs\/(reference|guides|operate|quick-starts)\//;
const MAX_PAGE_WORDS = 3000;
const MAX_DECISION_WORDS = 150;
const MAX_DECISIONS = 20;
/** Pages that `npm run generate` writes as a whole may be as long as their source. */
const GENERATED = /^docs\/(reference|security)\/.+\.md$/;
/** README, CONTRIBUTING and all pages together; the landing pages have a budget of their own. */
const MAX_TOTAL = 45_000;

export function findPagesOverBudget(textByPage: ReadonlyMap<string, string>): string[] {
  const wordsByPage = new Map(
    [...textByPage]
      .filter(([page]) => isBudgeted(page))
      .map(([page, text]) => [page, countWords(text)]),
  );
  const pagesByBudget = Map.groupBy(wordsByPage.keys(), findBudget);
  const withoutBudget = pagesByBudget.get(undefined) ?? [];
  return [
    ...withoutBudget.map((page) => `${page}: it has no budget: see scripts/word-budgets.ts`),
    ...BUDGETS.flatMap((budget) => reportBudget(budget, pagesByBudget.get(budget), wordsByPage)),
    ...reportDecisions(wordsByPage),
    ...reportLongPages(textByPage),
    ...reportTotal(wordsByPage),
  ];
}

/** Code, and what a machine writes or holds to its source between comments, does not count. */
export function countWords(text: string): number {
  const prose = text
    .replaceAll(/<!-- begin: .*?<!-- end -->/gs, "")
    .replaceAll(/^ *```.*?^ *```/gms, "");
  return listWords(prose).length;
}

/** What a reader sees: code and generated blocks too. */
function reportLongPages(textByPage: ReadonlyMap<string, string>): string[] {
  return [...textByPage]
    .filter(([page]) => READ_AT_ONCE.test(page))
    .map(([page, text]) => ({ page, length: listWords(text).length }))
    .filter(({ length }) => length > MAX_PAGE_WORDS)
    .map(
      ({ page, length }) => `${page}: ${length} words, and may have ${MAX_PAGE_WORDS}: split it`,
    );
}

function listWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

function isBudgeted(page: string): boolean {
  return /^(docs\/|site\/|README\.md$|CONTRIBUTING\.md$)/.test(page) && !GENERATED.test(page);
}

/** The most specific place counts: the German quick starts are not among the English ones. */
function findBudget(page: string): Budget | undefined {
  const fits = BUDGETS.flatMap((budget) =>
    budget.places.filter((place) => page.startsWith(place)).map((place) => ({ budget, place })),
  );
  return fits.toSorted((a, b) => b.place.length - a.place.length)[0]?.budget;
}

function reportBudget(
  { places, words }: Budget,
  pages: readonly string[] = [],
  wordsByPage: ReadonlyMap<string, number>,
): string[] {
  const lengths = pages.map((page) => ({ page, length: wordsByPage.get(page) ?? 0 }));
  const total = lengths.reduce((sum, { length }) => sum + length, 0);
  if (total <= words) return [];
  const longest = lengths.toSorted((a, b) => b.length - a.length);
  const list = longest.map(({ page, length }) => `${page} ${length}`).join(", ");
  return [`${places.join(", ")}: ${total} words, and may have ${words} (${list})`];
}

function reportTotal(wordsByPage: ReadonlyMap<string, number>): string[] {
  const pages = [...wordsByPage].filter(([page]) => !page.startsWith("site/"));
  const total = pages.reduce((sum, [, words]) => sum + words, 0);
  if (total <= MAX_TOTAL) return [];
  return [`all pages written by hand: ${total} words, and may have ${MAX_TOTAL}`];
}

function reportDecisions(wordsByPage: ReadonlyMap<string, number>): string[] {
  const decisions = [...wordsByPage].filter(([page]) => page.startsWith("docs/decisions/"));
  const tooLong = decisions
    .filter(([, words]) => words > MAX_DECISION_WORDS)
    .map(([page, words]) => `${page}: ${words} words, and may have ${MAX_DECISION_WORDS}`);
  if (decisions.length <= MAX_DECISIONS) return tooLong;
  return [
    ...tooLong,
    `docs/decisions/: ${decisions.length} pages, and may have ${MAX_DECISIONS}: merge or drop some`,
  ];
}

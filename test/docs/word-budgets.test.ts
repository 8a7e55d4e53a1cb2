/** A page that grows beyond what people read is named. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { countWords, findPagesOverBudget } from "../../scripts/word-budgets.ts";

test("code and generated blocks do not count, cells of tables do", () => {
  const page = `# A page

| One | Two |
| --- | --- |
| 3   | four five |

<!-- begin: npm run generate, table -->

| not | counted |

<!-- end -->

\`\`\`sh
trellis serve
\`\`\`

The end — now.
`;
  assert.equal(countWords(page), 10);
});

test("a page or folder over its budget is named, with what it has and may have", () => {
  const pages = new Map([
    ["README.md", "word ".repeat(501)],
    ["docs/quick-starts/index.md", "word ".repeat(1500)],
    ["docs/quick-starts/de/index.md", "Wort ".repeat(1000)],
    ["docs/operate/install.md", "word ".repeat(100)],
    ["docs/operate/watch.md", "word ".repeat(4001)],
    ["docs/decisions/001-a-choice.md", "word ".repeat(151)],
    ["docs/reference/commands.md", `\`\`\`sh\n${"word ".repeat(3000)}\n\`\`\``],
    ["docs/reference/errors.md", "word ".repeat(3000)],
    ["docs/new-page.md", "word"],
    ["CHANGELOG.md", "word ".repeat(9000)],
  ]);
  assert.deepEqual(findPagesOverBudget(pages), [
    "docs/new-page.md: it has no budget: see scripts/word-budgets.ts",
    "README.md: 501 words, and may have 500 (README.md 501)",
    "docs/operate/: 4101 words, and may have 4100 (docs/operate/watch.md 4001, docs/operate/install.md 100)",
    "docs/decisions/001-a-choice.md: 151 words, and may have 150",
    "docs/operate/watch.md: 4001 words, and may have 3000: split it",
    "docs/reference/commands.md: 3001 words, and may have 3000: split it",
  ]);
});

test("there are at most twenty decisions", () => {
  const names = Array.from({ length: 21 }, (_, index) => `docs/decisions/0${index + 10}.md`);
  const pages = new Map(names.map((name) => [name, "word"]));
  assert.deepEqual(findPagesOverBudget(pages), [
    "docs/decisions/: 21 pages, and may have 20: merge or drop some",
  ]);
});

test("all pages together have a bound that their budgets could exceed", () => {
  const full = [
    ["README.md", 500],
    ["CONTRIBUTING.md", 800],
    ...["a", "b", "c", "d", "e"].map((name) => [`docs/guides/${name}.md`, 2550] as const),
    ["docs/protocol/sync.md", 10_700],
    ["docs/protocol/sealed.md", 1200],
    ["docs/operate/watch.md", 2100],
    ["docs/operate/backups.md", 2000],
    ["docs/operate/postgres.md", 3000],
    ["docs/architecture.md", 5050],
    ["docs/security.md", 3500],
    ["docs/quick-starts/index.md", 1500],
    ["docs/quick-starts/de/index.md", 1500],
  ] as const;
  const pages = full.map(([page, words]) => [page, "word ".repeat(words)] as const);
  assert.deepEqual(findPagesOverBudget(new Map(pages)), []);
  const more = [["docs/benchmarks.md", "word ".repeat(401)]] as const;
  assert.deepEqual(findPagesOverBudget(new Map([...pages, ...more])), [
    "all pages written by hand: 45001 words, and may have 45000",
  ]);
});

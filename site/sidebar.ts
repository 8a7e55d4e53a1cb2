/** Who reads which page, in which order: the side bar of the documentation site. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

export interface Page {
  readonly text: string;
  readonly link: string;
}

export interface Group {
  readonly text: string;
  readonly collapsed?: boolean;
  readonly items: readonly Page[];
}

const ROOT = join(import.meta.dirname, "..");

/** A folder as an entry stands for all its pages, by name. */
const PEOPLE: Readonly<Record<string, readonly string[]>> = {
  "Start here": ["README.md", "docs/quick-starts"],
  "Makers of an app": [
    "docs/guides/publish-releases.md",
    "docs/guides/host-the-download-page.md",
    "docs/guides/embed-the-update-client.md",
    "docs/guides/feed-existing-updaters.md",
    "docs/guides/add-sync-to-your-app.md",
    "docs/guides/encrypt-your-data.md",
    "docs/guides/write-a-storage.md",
    "docs/guides/use-the-events-client.md",
  ],
  Owners: [
    "docs/guides/run-your-own-sync.md",
    "docs/guides/feed-events.md",
    "docs/guides/lost-or-stolen.md",
  ],
  Operators: [
    "docs/operate/install.md",
    "docs/operate/watch.md",
    "docs/operate/backups.md",
    "docs/operate/upgrade.md",
    "docs/operate/postgres.md",
    "docs/operate/many-instances.md",
    "docs/operate/scaling.md",
    "docs/benchmarks.md",
  ],
  "Makers of a server": [
    "docs/guides/embed-a-service.md",
    "docs/guides/prove-compatibility.md",
    "docs/protocol",
  ],
  Reference: ["docs/reference"],
  Security: ["docs/security.md", "docs/security", "SECURITY.md"],
  Contributors: [
    "CONTRIBUTING.md",
    "docs/architecture.md",
    "docs/storage.md",
    "docs/glossary.md",
    "CHANGELOG.md",
    "examples/habits/README.md",
  ],
};

export function buildSidebar(): Group[] {
  const groups = Object.entries(PEOPLE).map(([text, entries]) => ({
    text,
    items: entries.flatMap(listPages),
  }));
  return [...groups, { text: "Decisions", collapsed: true, items: listPages("docs/decisions") }];
}

/** The German quick starts have a side bar of their own, with the way to the English pages. */
export function buildGermanSidebar(): Group[] {
  const everything = { text: "Alle Seiten (Englisch)", link: "/" };
  return [
    { text: "Schnellstart", items: listPages("docs/quick-starts/de") },
    { text: "Weiter", items: [everything] },
  ];
}

function listPages(entry: string): Page[] {
  // The start page of the site is the repository's.
  if (entry === "README.md") return [{ text: "What Trellis is", link: "/" }];
  if (entry.endsWith(".md")) return [{ text: readTitle(entry), link: `/${entry}` }];
  const names = readdirSync(join(ROOT, entry)).filter((name) => name.endsWith(".md"));
  // A folder begins with its index.
  const sorted = names.sort((a, b) => Number(b === "index.md") - Number(a === "index.md"));
  return sorted.flatMap((name) => listPages(`${entry}/${name}`));
}

function readTitle(page: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(ROOT, page), "utf8")) ?? [];
  if (title === undefined) throw new Error(`${page} has no title: begin it with "# …"`);
  return title.replaceAll("`", "");
}

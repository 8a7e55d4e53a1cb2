/** Who reads which page, in which order: by what a reader wants to do. */
import type { Language } from "../src/contract/language.ts";

export interface Section {
  readonly id: string;
  readonly title: Readonly<Record<Language, string>>;
  /** Markdown files of the repository. */
  readonly entries: readonly string[];
}

export const QUICK_STARTS = "docs/quick-starts/index.md";
export const COMPARISON = "docs/comparison.md";

export const SECTIONS = [
  {
    id: "build",
    title: { en: "Build an app", de: "App entwickeln" },
    entries: [
      COMPARISON,
      "docs/quick-starts/add-sync-to-an-app.md",
      "docs/guides/add-sync-to-your-app.md",
      "docs/guides/encrypt-your-data.md",
      "docs/guides/use-the-events-client.md",
      "docs/guides/embed-the-update-client.md",
      "docs/guides/write-a-storage.md",
    ],
  },
  {
    id: "run",
    title: { en: "Run a server", de: "Server betreiben" },
    entries: [
      "docs/quick-starts/run-your-own-sync.md",
      "docs/quick-starts/operate-a-server.md",
      "docs/guides/run-your-own-sync.md",
      "docs/guides/lost-or-stolen.md",
      "docs/operate/install.md",
      "docs/operate/backups.md",
      "docs/operate/upgrade.md",
      "docs/operate/watch.md",
    ],
  },
  {
    id: "publish",
    title: { en: "Publish releases", de: "Versionen veröffentlichen" },
    entries: [
      "docs/quick-starts/publish-releases.md",
      "docs/guides/publish-releases.md",
      "docs/guides/host-the-download-page.md",
      "docs/guides/feed-existing-updaters.md",
    ],
  },
  {
    id: "feed",
    title: { en: "Feed events", de: "Termine in Apps bringen" },
    entries: ["docs/quick-starts/feed-a-school-calendar.md", "docs/guides/feed-events.md"],
  },
  {
    id: "grow",
    title: { en: "Grow and embed", de: "Wachsen und einbetten" },
    entries: [
      "docs/operate/postgres.md",
      "docs/operate/sizes.md",
      "docs/guides/embed-a-service.md",
    ],
  },
  {
    id: "reference",
    title: { en: "Reference", de: "Nachschlagen" },
    entries: [
      "docs/reference/configuration.md",
      "docs/reference/configuration/release.md",
      "docs/reference/configuration/sync.md",
      "docs/reference/configuration/events.md",
      "docs/reference/commands.md",
      "docs/reference/commands/general.md",
      "docs/reference/commands/release.md",
      "docs/reference/commands/release-key.md",
      "docs/reference/commands/sync.md",
      "docs/reference/commands/sync-account.md",
      "docs/reference/commands/sync-instance.md",
      "docs/reference/commands/events.md",
      "docs/reference/commands/events-account.md",
      "docs/reference/commands/store.md",
      "docs/reference/commands/conformance.md",
      "docs/reference/errors.md",
      "docs/reference/errors/release.md",
      "docs/reference/errors/sync.md",
      "docs/reference/errors/events.md",
      "docs/reference/errors/app.md",
      "docs/reference/browsers.md",
      "docs/reference/npm-api.md",
      "docs/reference/npm-api/release.md",
      "docs/reference/npm-api/sync-service.md",
      "docs/reference/npm-api/sync-store.md",
      "docs/reference/npm-api/sync-log.md",
      "docs/reference/npm-api/sync-accounts.md",
      "docs/reference/npm-api/sync-store-contract.md",
      "docs/reference/npm-api/hosting.md",
      "docs/reference/npm-api/events.md",
      "docs/reference/npm-api/client-updates.md",
      "docs/reference/npm-api/client-downloads.md",
      "docs/reference/npm-api/client-events.md",
      "docs/reference/npm-api/client-sync.md",
      "docs/reference/npm-api/client-collections.md",
      "docs/reference/npm-api/client-results.md",
      "docs/reference/npm-api/client-node.md",
      "docs/reference/npm-api/client-encryption.md",
      "docs/reference/npm-api/client-storage-contract.md",
      "docs/reference/npm-api/tanstack-db.md",
      "docs/reference/npm-api/react.md",
      "docs/reference/npm-api/conformance.md",
      "docs/reference/http-api.md",
      "docs/glossary.md",
    ],
  },
  {
    id: "protocol",
    title: { en: "Protocol", de: "Protokoll" },
    entries: [
      "docs/protocol/compatibility.md",
      "docs/protocol/sync.md",
      "docs/protocol/sealed.md",
      "docs/protocol/release.md",
      "docs/protocol/events.md",
      "docs/guides/prove-compatibility.md",
    ],
  },
  {
    id: "security",
    title: { en: "Security", de: "Sicherheit" },
    entries: ["docs/security.md", "SECURITY.md"],
  },
  {
    id: "contribute",
    title: { en: "Contributing", de: "Mitwirken" },
    entries: [
      "CONTRIBUTING.md",
      "docs/architecture.md",
      "docs/benchmarks.md",
      "examples/habits/README.md",
      "CHANGELOG.md",
    ],
  },
] as const satisfies readonly Section[];

/** `docs/reference/errors/sync.md` is below `docs/reference/errors.md`. */
export function parentSource(source: string): string {
  return source.replace(/\/[^/]+\.md$/, ".md");
}

/** What the contents call a page whose title is that of another one. */
export const CONTENTS_TITLES: Readonly<Record<string, string>> = {
  "SECURITY.md": "Report a weakness",
};

export function isQuickStart(source: string): boolean {
  return source.startsWith("docs/quick-starts/") && !source.endsWith("/index.md");
}

/** The sections that the header leads to. */
export const WAYS = SECTIONS.slice(0, 3);

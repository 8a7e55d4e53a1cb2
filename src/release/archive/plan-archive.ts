/** Moves releases that are too old for the manifest to the archive: the changes of the catalogue's files. */
import {
  CATALOG_SCHEMA_VERSION,
  type ArchiveEntry,
  type ArchiveHeader,
  type PublishedSource,
  type WithdrawnSource,
} from "../../contract/release/catalog.ts";
import type { ManifestArchive, ManifestPayload } from "../../contract/release/schemas.ts";
import type { ArchiveContent } from "../../rules/release/archive-document.ts";
import { isArchived, withdrawnReleases, type Catalog } from "../../rules/release/catalog.ts";
import {
  ARCHIVE_FILE,
  ARCHIVE_INDEX_FILE,
  releaseFile,
} from "../../rules/release/catalog-files.ts";
import type { HistoryPart } from "../../rules/release/split-history.ts";
import type { FileChange } from "../catalog/journal.ts";
import { currentArchive, summariseArchive, toArchivedRelease } from "./archive-content.ts";
import { createArchiveLine, endOfLine } from "./archive-line.ts";

export interface ArchivePlan {
  /** Null when the manifest has the whole history. */
  readonly archive: ManifestArchive | null;
  readonly changes: readonly FileChange[];
  /** The versions that move to the archive with this change. */
  readonly moved: readonly string[];
}

/** `before` is the manifest that was signed last, with the catalogue as it was read or since then changed. */
export function planArchive(
  catalog: Catalog,
  archived: HistoryPart,
  before: ManifestPayload | null,
): ArchivePlan {
  const old = [...archived.published, ...archived.withdrawn];
  const moved = old
    .filter(({ version }) => !isArchived(catalog, version))
    .toSorted((a, b) => a.buildNumber - b.buildNumber);
  const content = toContent(catalog, archived);
  const difference = before?.archive && {
    sha256: before.archive.sha256,
    ...compareContents(currentArchive(catalog, before), content),
  };
  const isSame = difference !== undefined && !isDifferent(difference);
  const { text, entries } = writeLines(catalog, moved);
  const changes: FileChange[] = [];
  if (moved.length > 0) {
    const offset = catalog.archive?.size ?? 0;
    changes.push({ file: ARCHIVE_FILE, offset, content: text });
  }
  const hasNewHeader = difference !== undefined && !isSame;
  if (moved.length > 0 || hasNewHeader || hasChanged(catalog, entries)) {
    const previous = isSame ? catalog.archive?.header.previous : difference;
    const header = { schemaVersion: CATALOG_SCHEMA_VERSION, ...(previous && { previous }) };
    changes.push({ file: ARCHIVE_INDEX_FILE, content: formatLines([header, ...entries]) });
  }
  for (const { version } of moved) changes.push({ file: releaseFile(version), isRemoved: true });
  return {
    // Who read the catalogue compared the digest of its tens of megabytes.
    archive: isSame && before?.archive ? before.archive : summariseArchive(content),
    changes,
    moved: moved.map(({ version }) => version).toReversed(),
  };
}

function toContent(catalog: Catalog, { published, withdrawn }: HistoryPart): ArchiveContent | null {
  return published.length + withdrawn.length === 0
    ? null
    : {
        product: catalog.settings.product,
        releases: published.map((release) => toArchivedRelease(catalog, release)),
        withdrawn: withdrawnReleases(withdrawn),
      };
}

/** The lines to append, and the entries of all lines: a release may have been withdrawn since it was moved. */
function writeLines(
  catalog: Catalog,
  moved: readonly (PublishedSource | WithdrawnSource)[],
): { text: string; entries: readonly ArchiveEntry[] } {
  const sources = new Map(catalog.releases.map((release) => [release.version, release]));
  const entries = [...(catalog.archive?.entries.values() ?? [])].map((entry) => {
    const source = sources.get(entry.version);
    return source?.status === "withdrawn" ? { ...entry, withdrawal: source.withdrawal } : entry;
  });
  const lines: string[] = [];
  let offset = catalog.archive?.size ?? 0;
  for (const release of moved) {
    const { text, entry } = createArchiveLine(release, offset);
    lines.push(text);
    entries.push(entry);
    offset = endOfLine(entry);
  }
  return { text: lines.join(""), entries };
}

function hasChanged({ archive }: Catalog, entries: readonly ArchiveEntry[]): boolean {
  return entries.some(
    (entry) =>
      entry.withdrawal !== undefined &&
      archive?.entries.get(entry.version)?.withdrawal === undefined,
  );
}

type Difference = Omit<NonNullable<ArchiveHeader["previous"]>, "sha256">;

/** What the archive before had is still asked for by who holds the manifest before. */
function compareContents(before: ArchiveContent | null, after: ArchiveContent | null): Difference {
  const [was, is] = [before?.releases ?? [], after?.releases ?? []];
  const [wasWithdrawn, isWithdrawn] = [before?.withdrawn ?? [], after?.withdrawn ?? []];
  return {
    releases: versionsOnlyIn(was, is),
    added: versionsOnlyIn(is, was),
    withdrawn: onlyIn(wasWithdrawn, isWithdrawn),
    addedWithdrawn: versionsOnlyIn(isWithdrawn, wasWithdrawn),
  };
}

function isDifferent({ releases, added, withdrawn, addedWithdrawn }: Difference): boolean {
  return releases.length + added.length + withdrawn.length + addedWithdrawn.length > 0;
}

interface Versioned {
  readonly version: string;
}

function onlyIn<T extends Versioned>(items: readonly T[], others: readonly Versioned[]): T[] {
  const versions = new Set(others.map(({ version }) => version));
  return items.filter(({ version }) => !versions.has(version));
}

function versionsOnlyIn(items: readonly Versioned[], others: readonly Versioned[]): string[] {
  return onlyIn(items, others).map(({ version }) => version);
}

/** A line for each, so that version control shows a release as a line. */
function formatLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

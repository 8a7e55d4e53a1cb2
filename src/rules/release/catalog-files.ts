/** What the files of a catalogue folder are called. */
export const CATALOG_FILE = "catalog.json";
export const KEYS_FILE = "keys.json";
export const MANIFEST_FILE = "manifest.json";
/** The releases that are too old for the manifest: one on each line, in the order in which they came. */
export const ARCHIVE_FILE = "archive.jsonl";
/** Where the lines of the archive begin, and what most commands need of each. */
export const ARCHIVE_INDEX_FILE = "archive-index.jsonl";
/** They belong together: one signing writes all three. */
export const SIGNED_FILES = [MANIFEST_FILE, ARCHIVE_FILE, ARCHIVE_INDEX_FILE] as const;
export const RELEASES_FOLDER = "releases";
/** What the download page looks like; only the page reads it. */
export const SITE_FILE = "site.json";
/** The pictures that `site.json` names. */
export const SITE_FOLDER = "site";
/** A committed change whose files may not all be written yet. */
export const JOURNAL_FILE = ".transaction.json";
/** Locked by the process that changes the catalogue. */
export const LOCK_FILE = ".lock";
/** Readers skip files whose names end like this. */
export const TEMPORARY_SUFFIX = ".tmp";

export function releaseFile(version: string): string {
  return `${RELEASES_FOLDER}/${version}.json`;
}

export function versionOfFile(file: string): string {
  return file.slice(RELEASES_FOLDER.length + 1, -".json".length);
}

const RELEASE_FILE = /^releases\/(?!\.)[^/\\]+\.json$/;

export function isReleaseFile(file: string): boolean {
  return RELEASE_FILE.test(file);
}

/** The files of a catalogue that describe no single release. */
export const COMMON_FILES = [
  CATALOG_FILE,
  KEYS_FILE,
  MANIFEST_FILE,
  ARCHIVE_FILE,
  ARCHIVE_INDEX_FILE,
] as const;

/** The files that make up a catalogue, and the only ones a change may write. */
export function isCatalogFile(file: string): boolean {
  return COMMON_FILES.some((name) => name === file) || isReleaseFile(file);
}

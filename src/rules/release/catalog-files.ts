/** What the files of a catalogue folder are called. */
export const CATALOG_FILE = "catalog.json";
export const KEYS_FILE = "keys.json";
export const MANIFEST_FILE = "manifest.json";
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

/** The files that make up a catalogue, and the only ones a change may write. */
export function isCatalogFile(file: string): boolean {
  return (
    file === CATALOG_FILE || file === KEYS_FILE || file === MANIFEST_FILE || isReleaseFile(file)
  );
}

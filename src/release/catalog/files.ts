/** The names of a catalogue folder's files, beside those that the rules already name. */
import { CATALOG_FILE, KEYS_FILE } from "../../rules/release/catalog-file-names.ts";

export const MANIFEST_FILE = "manifest.json";
export const RELEASES_FOLDER = "releases";
/** A committed change that may not have reached its files yet. */
export const JOURNAL_FILE = ".transaction.json";
/** Held by the process that changes the catalogue. */
export const LOCK_FILE = ".lock";

/** Names of temporary files end so, and no reader looks at them. */
export const TEMPORARY_SUFFIX = ".tmp";

const RELEASE_FILE = /^releases\/(?!\.)[^/\\]+\.json$/;

/** The files that make up a catalogue, and the only ones a change may write. */
export function isCatalogFile(file: string): boolean {
  return (
    file === CATALOG_FILE || file === KEYS_FILE || file === MANIFEST_FILE || RELEASE_FILE.test(file)
  );
}

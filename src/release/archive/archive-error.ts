import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import {
  ARCHIVE_FILE,
  ARCHIVE_INDEX_FILE,
  MANIFEST_FILE,
} from "../../rules/release/catalog-files.ts";

const RESTORE_ARCHIVE = `restore ${ARCHIVE_FILE}, ${ARCHIVE_INDEX_FILE} and ${MANIFEST_FILE} together from version control`;

/** What is wrong with a file of the archive: a command wrote all three, so all three are restored. */
export function archiveError(file: string, problem: string): CatalogFileError {
  return { file, path: "", problem, remedy: RESTORE_ARCHIVE };
}

/** A line is not what was signed. It is read on demand, so that one release does not cost the whole history. */
export class DamagedArchiveError extends Error {
  readonly error: CatalogFileError;

  constructor(version: string) {
    const problem = `does not have ${version} as it was signed`;
    super(`${ARCHIVE_FILE} ${problem}: ${RESTORE_ARCHIVE}`);
    this.name = "DamagedArchiveError";
    this.error = archiveError(ARCHIVE_FILE, problem);
  }
}

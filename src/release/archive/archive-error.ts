import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import {
  ARCHIVE_FILE,
  ARCHIVE_INDEX_FILE,
  MANIFEST_FILE,
  SIGNED_FILES,
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

/** What git did to the index, and to the archive with it, so that restoring them would do it again; null when nothing. */
export function explainGit(index: string): CatalogFileError | null {
  const of = (problem: string, remedy: string) => ({
    file: ARCHIVE_INDEX_FILE,
    path: "",
    problem,
    remedy,
  });
  if (/^<{7} /m.test(index)) {
    return of(
      "has the conflict markers of a merge",
      `in the folder of the catalogue run \`git checkout --theirs ${SIGNED_FILES.join(" ")}\`, or the same with \`--ours\` if that side was signed last, and then \`trellis release sign\``,
    );
  }
  if (index.includes("\r\n")) {
    return of(
      "has the line ends of Windows, and the archive is signed as exact bytes",
      `write the line \`archive*.jsonl -text\` into .gitattributes in the folder of the catalogue, delete ${ARCHIVE_FILE} and ${ARCHIVE_INDEX_FILE}, and run \`git checkout -- ${ARCHIVE_FILE} ${ARCHIVE_INDEX_FILE}\``,
    );
  }
  return null;
}

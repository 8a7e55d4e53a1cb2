/**
 * Changes several files of a catalogue atomically, by a redo journal: the complete new contents of
 * every file. Its rename into place commits the change; from then on readers apply it to what they
 * read, and the next writer finishes what a killed one began. The caller holds the lock.
 */
import { dirname, join } from "node:path";
import Type, { type Static } from "typebox";
import { createChecker } from "../../contract/check.ts";
import { closedObject } from "../../contract/closed-object.ts";
import { isCatalogFile, JOURNAL_FILE, RELEASES_FOLDER } from "../../rules/release/catalog-files.ts";
import { parseJson } from "../../rules/parse-json.ts";
import { replaceCatalogFile, type FilePort } from "./file-port.ts";

const FileChange = closedObject({ file: Type.String(), content: Type.String() });
const Journal = closedObject({ schemaVersion: Type.Literal(1), files: Type.Array(FileChange) });
export type FileChange = Static<typeof FileChange>;
export type Journal = Static<typeof Journal>;

export type CommitResult =
  | { readonly kind: "written" }
  /** The change is committed and readers see it, but its files are still only in the journal. */
  | { readonly kind: "recorded"; readonly cause: unknown };

/** Throws when nothing has changed. */
export function commitChange(
  folder: string,
  changes: readonly FileChange[],
  files: FilePort,
): CommitResult {
  if (changes.length === 0) return { kind: "written" };
  if (changes.some(({ file }) => file.startsWith(RELEASES_FOLDER))) {
    files.makeFolder(join(folder, RELEASES_FOLDER));
  }
  const [only, ...others] = changes;
  if (only !== undefined && others.length === 0) {
    // A single file needs no journal, because one rename is atomic.
    replaceCatalogFile(join(folder, only.file), only.content, files);
    files.syncFolder(dirname(join(folder, only.file)));
    return { kind: "written" };
  }
  const journal: Journal = { schemaVersion: 1, files: [...changes] };
  replaceCatalogFile(join(folder, JOURNAL_FILE), JSON.stringify(journal), files);
  // From here on the change is committed.
  try {
    files.syncFolder(folder);
    writeJournaledFiles(folder, journal, files);
    return { kind: "written" };
  } catch (cause) {
    return { kind: "recorded", cause };
  }
}

/** Finishes the change of a process that was killed, which the caller has read as a valid catalogue. */
export function rollForward(folder: string, files: FilePort): void {
  const text = files.read(join(folder, JOURNAL_FILE));
  if (text === null) return;
  const journal = parseJournal(text);
  // Readers report a damaged journal as an error, so no change is built upon it.
  if (journal !== null) writeJournaledFiles(folder, journal, files);
}

const journalChecker = createChecker(Journal);

/** Null when the text is no journal, or one that would write outside the catalogue. */
export function parseJournal(text: string): Journal | null {
  const value = parseJson(text);
  return journalChecker.is(value) && value.files.every(({ file }) => isCatalogFile(file))
    ? value
    : null;
}

function writeJournaledFiles(folder: string, journal: Journal, files: FilePort): void {
  const folders = new Set<string>();
  for (const { file, content } of journal.files) {
    const path = join(folder, file);
    replaceCatalogFile(path, content, files);
    folders.add(dirname(path));
  }
  for (const path of folders) files.syncFolder(path);
  files.remove(join(folder, JOURNAL_FILE));
  files.syncFolder(folder);
}

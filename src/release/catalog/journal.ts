/**
 * Changes several files of a catalogue atomically, by a redo journal: the complete new contents of
 * every file, and what is appended to the archive. Its rename into place commits the change; from then on readers apply it to what they
 * read, and the next writer finishes what a killed one began. The caller holds the lock.
 */
import { dirname, join } from "node:path";
import Type, { type Static } from "typebox";
import { createChecker } from "../../contract/check.ts";
import { closedObject } from "../../contract/closed-object.ts";
import {
  ARCHIVE_FILE,
  isCatalogFile,
  isReleaseFile,
  JOURNAL_FILE,
  RELEASES_FOLDER,
} from "../../rules/release/catalog-files.ts";
import { parseJson } from "../../rules/parse-json.ts";
import { replaceCatalogFile, type FilePort } from "./file-port.ts";

const FileChange = Type.Union([
  closedObject({ file: Type.String(), content: Type.String() }),
  /** The archive has tens of megabytes, so it is not written again: this is what it has from the offset on. */
  closedObject({
    file: Type.Literal(ARCHIVE_FILE),
    offset: Type.Integer({ minimum: 0 }),
    content: Type.String(),
  }),
  closedObject({ file: Type.String(), isRemoved: Type.Literal(true) }),
]);
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
  if (changes.some(({ file }) => isReleaseFile(file))) {
    files.makeFolder(join(folder, RELEASES_FOLDER));
  }
  const [only, ...others] = changes;
  if (only !== undefined && others.length === 0 && "content" in only && !("offset" in only)) {
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
  return journalChecker.is(value) && value.files.every(isAllowed) ? value : null;
}

function isAllowed(change: FileChange): boolean {
  return "isRemoved" in change ? isReleaseFile(change.file) : isCatalogFile(change.file);
}

function writeJournaledFiles(folder: string, journal: Journal, files: FilePort): void {
  const folders = new Set<string>();
  for (const change of journal.files) {
    const path = join(folder, change.file);
    if ("isRemoved" in change) files.remove(path);
    else if ("offset" in change) files.append(path, change.offset, change.content);
    else replaceCatalogFile(path, change.content, files);
    folders.add(dirname(path));
  }
  for (const path of folders) files.syncFolder(path);
  files.remove(join(folder, JOURNAL_FILE));
  files.syncFolder(folder);
}

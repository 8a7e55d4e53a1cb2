/**
 * Changes several files of a catalogue as one: whoever reads sees all of the change or nothing of
 * it, whenever the process that makes it is killed. The caller holds the lock.
 */
import { basename, dirname, join } from "node:path";
import type { FilePort } from "./file-port.ts";
import { JOURNAL_FILE, RELEASES_FOLDER, TEMPORARY_SUFFIX } from "./files.ts";
import { formatJournal, parseJournal, type Journal } from "./journal.ts";

export interface FileChange {
  readonly file: string;
  readonly content: string;
}

export type Commit =
  | { readonly kind: "written" }
  /** The change has happened and readers see it, but its files still wait in the journal. */
  | { readonly kind: "recorded"; readonly cause: unknown };

/** Throws when nothing has changed. */
export function commitChange(
  folder: string,
  changes: readonly FileChange[],
  files: FilePort,
): Commit {
  if (changes.length === 0) return { kind: "written" };
  if (changes.some(({ file }) => file.startsWith(RELEASES_FOLDER))) {
    files.makeFolder(join(folder, RELEASES_FOLDER));
  }
  const [only, ...others] = changes;
  if (only !== undefined && others.length === 0) {
    // One rename needs no journal to be atomic.
    replaceFile(join(folder, only.file), only.content, files);
    files.syncFolder(dirname(join(folder, only.file)));
    return { kind: "written" };
  }
  const journal: Journal = { schemaVersion: 1, files: [...changes] };
  replaceFile(join(folder, JOURNAL_FILE), formatJournal(journal), files);
  // From here on the change has happened.
  try {
    files.syncFolder(folder);
    applyJournal(folder, journal, files);
    return { kind: "written" };
  } catch (cause) {
    return { kind: "recorded", cause };
  }
}

/** Finishes the change of a process that was killed. */
export function rollForward(folder: string, files: FilePort): void {
  const text = files.read(join(folder, JOURNAL_FILE));
  if (text === null) return;
  const journal = parseJournal(text);
  // Readers report a damaged journal as a fault, so no change is built upon it.
  if (journal !== null) applyJournal(folder, journal, files);
}

function applyJournal(folder: string, journal: Journal, files: FilePort): void {
  const folders = new Set<string>();
  for (const { file, content } of journal.files) {
    const path = join(folder, file);
    replaceFile(path, content, files);
    folders.add(dirname(path));
  }
  for (const path of folders) files.syncFolder(path);
  files.remove(join(folder, JOURNAL_FILE));
  files.syncFolder(folder);
}

function replaceFile(path: string, content: string, files: FilePort): void {
  const temporary = join(dirname(path), `.${basename(path)}${TEMPORARY_SUFFIX}`);
  try {
    files.write(temporary, content);
    files.rename(temporary, path);
  } catch (error) {
    try {
      files.remove(temporary);
    } catch {
      // It is in nobody's way: readers pass it by and the next change overwrites it.
    }
    throw error;
  }
}

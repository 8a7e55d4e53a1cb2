/** Reads a catalogue folder as it was at one instant, also while a change is being written. */
import { lstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { locateJsonError } from "../../contract/locate-json-error.ts";
import { MAX_ARCHIVE_BYTES, MAX_MANIFEST_BYTES } from "../../contract/release/values.ts";
import {
  ARCHIVE_FILE,
  ARCHIVE_INDEX_FILE,
  CATALOG_FILE,
  COMMON_FILES,
  isCatalogFile,
  JOURNAL_FILE,
  MANIFEST_FILE,
  RELEASES_FOLDER,
} from "../../rules/release/catalog-files.ts";
import type { LinesFile } from "../archive/line-reader.ts";
import { isLink } from "./file-port.ts";
import { parseJournal, type FileChange } from "./journal.ts";

export type FileContent =
  | { readonly kind: "json"; readonly value: unknown }
  /** The manifest: served and verified as the exact bytes it is. */
  | { readonly kind: "bytes"; readonly bytes: Buffer<ArrayBuffer> }
  | ({ readonly kind: "lines" } & LinesFile)
  | UnusableFile;

export interface UnusableFile {
  readonly kind: "unusable";
  readonly problem: string;
  readonly remedy: string;
}

/** File contents by the name inside the folder. */
export type FolderContents = ReadonlyMap<string, FileContent>;

export function readFolder(folder: string): Promise<FolderContents> {
  return createFolderReader(folder)();
}

/**
 * Repeats passes until one finds nothing changed: between the last two, all files were as read together.
 * The next reading begins with what is known, and a folder that did not change has the same object as its contents.
 */
export function createFolderReader(folder: string): () => Promise<FolderContents> {
  const known = new Map<string, KnownFile>();
  let contents: FolderContents | undefined;
  return async () => {
    for (const [file, { isSettled }] of known) if (!isSettled) known.delete(file);
    for (let pass = 1; pass <= MAX_PASSES; pass++) {
      if (!(await readChanges(folder, known))) return (contents ??= applyJournal(folder, known));
      contents = undefined;
      // A second pass follows at once; only a folder that keeps changing is left alone for a while.
      if (pass % PASSES_PER_PAUSE === 0) await setTimeout(PAUSE_MS);
    }
    const remedy = "wait for the other program to finish";
    return new Map([[CATALOG_FILE, unusable("keeps changing while it is being read", remedy)]]);
  };
}

const MAX_PASSES = 100;
const PASSES_PER_PAUSE = 10;
const PAUSE_MS = 50;
/** The number of files that are read before requests get their turn. */
const FILES_PER_TURN = 32;
/** A release file has a few kilobytes. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** The archive has, beside each release, what that publishes about its files. */
const MAX_LINES_BYTES = 4 * MAX_ARCHIVE_BYTES;

/** The archive, and the journal that contains what is appended, grow with the number of releases. */
export function maxBytesOf(file: string): number {
  switch (file) {
    case MANIFEST_FILE:
    case ARCHIVE_INDEX_FILE:
      return MAX_MANIFEST_BYTES;
    case ARCHIVE_FILE:
      return MAX_LINES_BYTES;
    case JOURNAL_FILE:
      return 2 * MAX_LINES_BYTES;
    default:
      return MAX_FILE_BYTES;
  }
}

const BYTES_FILES: ReadonlySet<string> = new Set([MANIFEST_FILE, ARCHIVE_INDEX_FILE, JOURNAL_FILE]);

interface KnownFile {
  readonly stamp: Stamp;
  readonly content: FileContent;
  /** Another change at once could have left it the same stamp otherwise. */
  readonly isSettled: boolean;
}

/** A replaced or edited file differs in at least one of these. */
type Stamp = Pick<Stats, "ino" | "size" | "mtimeMs" | "ctimeMs">;

async function readChanges(folder: string, known: Map<string, KnownFile>): Promise<boolean> {
  const gone = new Set(known.keys());
  let hasChanged = false;
  for (const [index, file] of listFiles(folder).entries()) {
    if (index % FILES_PER_TURN === 0) await setImmediate();
    gone.delete(file);
    const before = known.get(file);
    const now = readIfChanged(join(folder, file), file, before);
    if (now === before) continue;
    hasChanged = true;
    if (now === undefined) known.delete(file);
    else known.set(file, now);
  }
  for (const file of gone) known.delete(file);
  return hasChanged || gone.size > 0;
}

function listFiles(folder: string): string[] {
  const files: string[] = [JOURNAL_FILE, ...COMMON_FILES];
  const releases = join(folder, RELEASES_FOLDER);
  if (isLink(releases)) return [...files, RELEASES_FOLDER];
  try {
    for (const name of readdirSync(releases)) {
      const file = `${RELEASES_FOLDER}/${name}`;
      if (isCatalogFile(file)) files.push(file);
    }
  } catch (error) {
    // Version control keeps no empty folders, so a missing one means that there is no release yet.
    if (codeOf(error) !== "ENOENT") files.push(RELEASES_FOLDER);
  }
  return files;
}

/** Undefined when there is no such file. */
function readIfChanged(
  path: string,
  file: string,
  before: KnownFile | undefined,
): KnownFile | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (before !== undefined && isSameStamp(before.stamp, stats)) return before;
    const { ino, size, mtimeMs, ctimeMs } = stats;
    const content = readContent(path, file, stats);
    const isSettled = Date.now() - Math.max(mtimeMs, ctimeMs) > STAMP_PRECISION_MS;
    return { stamp: { ino, size, mtimeMs, ctimeMs }, content, isSettled };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    // The same failure twice is no change.
    return before?.stamp === UNREADABLE
      ? before
      : { stamp: UNREADABLE, content: unreadable(codeOf(error)), isSettled: false };
  }
}

/** More than the tick of the clock that file systems take their times from. */
const STAMP_PRECISION_MS = 100;

const UNREADABLE: Stamp = { ino: 0, size: -1, mtimeMs: 0, ctimeMs: 0 };

function isSameStamp(a: Stamp, b: Stamp): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
}

function readContent(path: string, file: string, stats: Stats): FileContent {
  if (stats.isSymbolicLink()) return A_LINK;
  if (!stats.isFile()) {
    return file === RELEASES_FOLDER
      ? unusable("cannot be listed", "make it a folder that the user running Trellis can read")
      : unusable("is not a regular file", "replace it with a file");
  }
  if (file === RELEASES_FOLDER) return unusable("is not a folder", "make it one");
  if (stats.size > maxBytesOf(file)) {
    return unusable(
      `has ${stats.size} bytes, which is too large for such a file`,
      "restore the right file",
    );
  }
  if (file === ARCHIVE_FILE) {
    return { kind: "lines", path, size: stats.size, pending: null };
  }
  if (BYTES_FILES.has(file)) return { kind: "bytes", bytes: readFileSync(path) };
  return parseJsonFile(readFileSync(path));
}

/** A link in a catalogue that was cloned could publish, or lead a change to, any file of this machine. */
export const A_LINK: UnusableFile = {
  kind: "unusable",
  problem: "is a link",
  remedy: "put the file or folder itself there",
};

// Editors on Windows still write byte order marks; this decoder removes one.
const utf8 = new TextDecoder("utf-8", { fatal: true });

export function parseJsonFile(
  bytes: Uint8Array,
): Exclude<FileContent, { kind: "bytes" | "lines" }> {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
  } catch {
    return unusable("is not UTF-8 text", "save it as UTF-8");
  }
  try {
    value = JSON.parse(text);
  } catch {
    const { line, column } = locateJsonError(text);
    const problem = `is not valid JSON from line ${line}, column ${column} on`;
    return unusable(problem, "correct it in the file");
  }
  return { kind: "json", value };
}

/** A change whose journal was written has happened, whether or not its files were written yet. */
function applyJournal(folder: string, known: ReadonlyMap<string, KnownFile>): FolderContents {
  const files = new Map([...known].map(([file, { content }]) => [file, content]));
  const journal = files.get(JOURNAL_FILE);
  files.delete(JOURNAL_FILE);
  if (journal === undefined) return files;
  if (journal.kind === "unusable") return files.set(JOURNAL_FILE, journal);
  const change = journal.kind === "bytes" ? parseJournal(journal.bytes.toString("utf8")) : null;
  if (change === null) {
    const remedy = "delete it, and restore the folder from version control";
    return files.set(JOURNAL_FILE, unusable("is damaged", remedy));
  }
  for (const one of change.files) {
    if ("isRemoved" in one) files.delete(one.file);
    else files.set(one.file, contentAfter(one, join(folder, one.file)));
  }
  return files;
}

function contentAfter(change: Extract<FileChange, { content: string }>, path: string): FileContent {
  const bytes = Buffer.from(change.content, "utf8");
  if ("offset" in change) {
    const { offset } = change;
    // The writer of the change may have appended a part of it already.
    const size = offset + bytes.length;
    return { kind: "lines", path, size, pending: { offset, bytes } };
  }
  return BYTES_FILES.has(change.file) ? { kind: "bytes", bytes } : parseJsonFile(bytes);
}

export function unusable(problem: string, remedy: string): UnusableFile {
  return { kind: "unusable", problem, remedy };
}

export function unreadable(code: string): UnusableFile {
  return code === "EACCES" || code === "EPERM"
    ? unusable("cannot be read: permission denied", "let the user that runs Trellis read it")
    : unusable(`cannot be read: ${code}`, "check the file system");
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

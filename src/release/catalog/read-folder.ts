/** Reads a catalogue folder as it stood at one instant, also while a change is being written. */
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { CATALOG_FILE, KEYS_FILE } from "../../rules/release/catalog-file-names.ts";
import { isCatalogFile, JOURNAL_FILE, MANIFEST_FILE, RELEASES_FOLDER } from "./files.ts";
import { parseJournal } from "./journal.ts";
import { fileError, parseFile, type FileContent } from "./parse-file.ts";

/** What is kept of every file that is there, by its name inside the folder. */
export type FolderReadResult<T = never> = ReadonlyMap<string, FileContent | T>;

/** Reduces a file to what its reader needs of it, as soon as it was read. */
export type TakeFile<T> = (file: string, content: FileContent) => FileContent | T;

/** What was read before: files that did not change since then are not read again. */
export type FolderMemory<T = never> = Map<string, KnownFile<T>>;

export function readFolder(folder: string): Promise<FolderReadResult> {
  return readFiles(folder, new Map(), (_file, content) => content);
}

/** One file as it is now; undefined when it is not there. */
export function readFile(folder: string, file: string): FileContent | undefined {
  return readIfChanged<never>(join(folder, file), file, undefined, (_file, content) => content)
    ?.content;
}

/**
 * Passes are repeated until one finds nothing changed since the pass before: between the two every
 * file was what was read, so they belong together.
 */
export async function readFiles<T>(
  folder: string,
  known: FolderMemory<T>,
  take: TakeFile<T>,
): Promise<FolderReadResult<T>> {
  forgetRecent(known);
  const patientUntil = performance.now() + JOURNAL_PATIENCE_MS;
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    while (performance.now() < patientUntil && hasLargeJournal(folder)) await setTimeout(PAUSE_MS);
    const changed = await readChanges(folder, known, take);
    if (!changed) return layJournalOver(known, take);
    // Two passes belong close together; only a folder that never rests is left alone for a while.
    if (pass % PASSES_PER_PAUSE === 0) await setTimeout(PAUSE_MS);
  }
  const problem = "keeps changing while it is being read";
  return new Map([[CATALOG_FILE, fileError(problem, "wait for the other program to finish")]]);
}

const MAX_PASSES = 100;
const PASSES_PER_PAUSE = 10;
const PAUSE_MS = 50;
/** How long a writer may take to finish a change that is costly to lay over. */
const JOURNAL_PATIENCE_MS = 2000;
/** So many small files are read, or found unchanged, before other work gets its turn. */
const READS_PER_TURN = 32;
const LOOKS_PER_TURN = 512;
/** A release file has a few kilobytes; something else lies there when it is so large. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

interface KnownFile<T> {
  readonly stamp: Stamp;
  readonly readAt: number;
  readonly content: FileContent | T;
}

/** A replaced or edited file differs in at least one of these. */
type Stamp = Pick<Stats, "ino" | "size" | "mtimeMs" | "ctimeMs">;

/** Within a step of the file system's clock, two changes may bear the same time. */
const CLOCK_STEP_MS = 50;
/** Some file systems know whole seconds only, or every other. */
const COARSE_CLOCK_STEP_MS = 2000;

/** A file that was read so soon after a change may have changed again without a trace. */
function forgetRecent<T>(known: FolderMemory<T>): void {
  for (const [file, { stamp, readAt }] of known) {
    const changedAt = Math.max(stamp.mtimeMs, stamp.ctimeMs);
    const step = changedAt % 1000 === 0 ? COARSE_CLOCK_STEP_MS : CLOCK_STEP_MS;
    if (readAt - changedAt < step) known.delete(file);
  }
}

/** A writer at work removes it within moments, and then its files can be read as they are. */
function hasLargeJournal(folder: string): boolean {
  try {
    const stats = statSync(join(folder, JOURNAL_FILE), { throwIfNoEntry: false });
    return stats !== undefined && stats.size > MAX_FILE_BYTES;
  } catch {
    return false;
  }
}

async function readChanges<T>(
  folder: string,
  known: FolderMemory<T>,
  take: TakeFile<T>,
): Promise<boolean> {
  const gone = new Set(known.keys());
  let changed = false;
  let [reads, looks] = [0, 0];
  for (const file of listFiles(folder)) {
    gone.delete(file);
    const before = known.get(file);
    const now = readIfChanged(join(folder, file), file, before, take);
    if (now === before) {
      if (++looks % LOOKS_PER_TURN === 0) await setImmediate();
      continue;
    }
    changed = true;
    if (now === undefined) known.delete(file);
    else known.set(file, now);
    const isLarge = now !== undefined && now.stamp.size > MAX_FILE_BYTES;
    if (++reads % READS_PER_TURN === 0 || isLarge) await setImmediate();
  }
  for (const file of gone) known.delete(file);
  return changed || gone.size > 0;
}

function listFiles(folder: string): string[] {
  const files = [JOURNAL_FILE, CATALOG_FILE, KEYS_FILE, MANIFEST_FILE];
  try {
    for (const name of readdirSync(join(folder, RELEASES_FOLDER))) {
      const file = `${RELEASES_FOLDER}/${name}`;
      if (isCatalogFile(file)) files.push(file);
    }
  } catch (error) {
    // Version control keeps no empty folders, so a missing one means that there is no release yet.
    if (codeOf(error) !== "ENOENT") files.push(RELEASES_FOLDER);
  }
  return files;
}

function readIfChanged<T>(
  path: string,
  file: string,
  before: KnownFile<T> | undefined,
  take: TakeFile<T>,
): KnownFile<T> | undefined {
  const readAt = Date.now();
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (before !== undefined && sameStamp(before.stamp, stats)) return before;
    const { ino, size, mtimeMs, ctimeMs } = stats;
    const content = readContent(path, file, stats);
    return {
      stamp: { ino, size, mtimeMs, ctimeMs },
      readAt,
      content: file === JOURNAL_FILE ? content : take(file, content),
    };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    // The same failure twice is no change.
    return before?.stamp === UNREADABLE
      ? before
      : { stamp: UNREADABLE, readAt: 0, content: readingError(error) };
  }
}

const UNREADABLE: Stamp = { ino: 0, size: -1, mtimeMs: 0, ctimeMs: 0 };

function sameStamp(a: Stamp, b: Stamp): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
}

function readContent(path: string, file: string, stats: Stats): FileContent {
  if (!stats.isFile()) {
    return file === RELEASES_FOLDER
      ? fileError("cannot be listed", "make it a folder that the user running Trellis can read")
      : fileError("is not a regular file", "replace it with a file");
  }
  if (file === RELEASES_FOLDER) return fileError("is not a folder", "make it one");
  if (stats.size > MAX_FILE_BYTES && file !== MANIFEST_FILE && file !== JOURNAL_FILE) {
    return fileError(`has ${stats.size} bytes, which no such file has`, "restore the right file");
  }
  if (file === JOURNAL_FILE) return { kind: "bytes", bytes: readFileSync(path) };
  const isSmall = stats.size < shared.length && file !== MANIFEST_FILE;
  return parseFile(file, isSmall ? readShared(path) : readFileSync(path));
}

// Thousands of small files are read one after the other and parsed at once: one buffer serves all.
const shared = Buffer.allocUnsafeSlow(64 * 1024);

function readShared(path: string): Buffer<ArrayBuffer> {
  const descriptor = openSync(path, "r");
  try {
    return shared.subarray(0, readSync(descriptor, shared, 0, shared.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

function readingError(error: unknown): FileContent {
  const code = codeOf(error);
  return code === "EACCES" || code === "EPERM"
    ? fileError("cannot be read: permission denied", "let the user that runs Trellis read it")
    : fileError(`cannot be read: ${code}`, "check the file system");
}

function layJournalOver<T>(known: FolderMemory<T>, take: TakeFile<T>): FolderReadResult<T> {
  const files = new Map<string, FileContent | T>();
  for (const [file, { content }] of known) files.set(file, content);
  const journal = files.get(JOURNAL_FILE);
  files.delete(JOURNAL_FILE);
  if (journal === undefined) return files;
  const change = isBytes(journal) ? parseJournal(journal.bytes.toString("utf8")) : null;
  if (change === null) {
    return files.set(
      JOURNAL_FILE,
      fileError("is damaged", "delete it, and restore the folder from version control"),
    );
  }
  for (const { file, content } of change.files) {
    files.set(file, take(file, parseFile(file, Buffer.from(content, "utf8"))));
  }
  return files;
}

function isBytes(content: unknown): content is FileContent & { kind: "bytes" } {
  return (content as FileContent).kind === "bytes";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

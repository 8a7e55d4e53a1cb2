/** Reads the archive of a catalogue: its index. Whether the lines are what was signed, their digest tells. */
import { createChecker } from "../../contract/check.ts";
import {
  ArchiveEntry,
  ArchiveHeader,
  type PublishedSource,
  type WithdrawnSource,
} from "../../contract/release/catalog.ts";
import { parseJson } from "../../rules/parse-json.ts";
import type { ArchiveLine, CatalogArchive } from "../../rules/release/catalog.ts";
import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import { ARCHIVE_FILE, ARCHIVE_INDEX_FILE } from "../../rules/release/catalog-files.ts";
import { archiveError, DamagedArchiveError, explainGit } from "./archive-error.ts";
import { endOfLine, hasSignedFiles, readArchiveLine } from "./archive-line.ts";
import { createLineReader, type LinesFile } from "./line-reader.ts";
import { createContentReader, toStoredRelease } from "./stored-release.ts";

export interface ReadArchive {
  readonly kind: "read";
  readonly archive: CatalogArchive;
  readonly releases: readonly (PublishedSource | WithdrawnSource)[];
}

const headerChecker = createChecker(ArchiveHeader);
const entryChecker = createChecker(ArchiveEntry);

export type ArchiveReader = typeof readArchive;

/** Remembers the last archive: its index has megabytes, and most changes of a catalogue leave it as it is. */
export function createArchiveReader(): ArchiveReader {
  let last:
    | { index: ArchiveIndex; file: LinesFile | null; result: ReturnType<ArchiveReader> }
    | undefined;
  return (index, file) => {
    // A folder that is read again has what did not change as the same objects.
    if (last?.index !== index || last.file !== file) {
      last = { index, file, result: readArchive(index, file) };
    }
    return last.result;
  };
}

type ArchiveIndex = Buffer<ArrayBuffer> | null;

/** Null when nothing was archived yet: then both files are missing. */
function readArchive(
  index: ArchiveIndex,
  file: LinesFile | null,
): ReadArchive | CatalogFileError | null {
  if (index === null && file === null) return null;
  if (index === null) return archiveError(ARCHIVE_INDEX_FILE, `is missing beside ${ARCHIVE_FILE}`);
  if (file === null) return archiveError(ARCHIVE_FILE, `is missing beside ${ARCHIVE_INDEX_FILE}`);
  return parseIndex(index, file);
}

function parseIndex(index: Buffer<ArrayBuffer>, file: LinesFile): ReadArchive | CatalogFileError {
  const text = index.toString("utf8");
  const changed = explainGit(text);
  if (changed !== null) return changed;
  const [first = "", ...rest] = text.split("\n");
  const header = parseJson(first);
  if (!headerChecker.is(header) || rest.pop() !== "") {
    return archiveError(ARCHIVE_INDEX_FILE, "is not the index of an archive");
  }
  const entries: ArchiveEntry[] = [];
  let end = 0;
  for (const [at, text] of rest.entries()) {
    const entry = parseJson(text);
    if (!entryChecker.is(entry) || entry.offset !== end) {
      return archiveError(ARCHIVE_INDEX_FILE, `is damaged in line ${at + 2}`);
    }
    entries.push(entry);
    end = endOfLine(entry);
  }
  if (end !== file.size) {
    return archiveError(ARCHIVE_FILE, `has ${file.size} bytes, and the index knows ${end}`);
  }
  shareLists(entries);
  return toArchive(entries, header, file);
}

/** Most releases have files for the same systems, and ten thousand lists of them take megabytes. */
function shareLists(entries: readonly ArchiveEntry[]): void {
  const lists = new Map<string, string[]>();
  const share = (list: string[]): string[] => {
    const key = list.join("\n");
    const known = lists.get(key) ?? list;
    lists.set(key, known);
    return known;
  };
  for (const entry of entries) {
    entry.platforms = share(entry.platforms);
    entry.places = share(entry.places);
  }
}

function toArchive(
  entries: readonly ArchiveEntry[],
  header: ArchiveHeader,
  file: LinesFile,
): ReadArchive {
  const read = createLineReader(file);
  const readTexts = (entry: ArchiveEntry) => {
    const line = readArchiveLine(read, entry);
    if (line === null) throw new DamagedArchiveError(entry.version);
    return line;
  };
  const readLine = (entry: ArchiveEntry) => {
    const line = readTexts(entry);
    if (!hasSignedFiles(line, entry)) throw new DamagedArchiveError(entry.version);
    return line;
  };
  const readContent = createContentReader(readLine);
  const byVersion = new Map(entries.map((entry) => [entry.version, entry]));
  return {
    kind: "read",
    archive: {
      entries: byVersion,
      header,
      size: file.size,
      readRelease: (entry) => readTexts(entry).releaseText,
      readLine,
      findOwners: createOwnerSearch(entries, readTexts),
    },
    releases: entries.map((entry) => toStoredRelease(entry, readContent)),
  };
}

/** Reads the lines once for the digests that were not sought before. */
function createOwnerSearch(
  entries: readonly ArchiveEntry[],
  read: (entry: ArchiveEntry) => ArchiveLine,
): CatalogArchive["findOwners"] {
  const sought = new Set<string>();
  const owners = new Map<string, ArchiveEntry>();
  return (digests) => {
    const unknown = new Set([...digests].filter((digest) => !sought.has(digest)));
    if (unknown.size === 0) return owners;
    for (const entry of entries) {
      for (const digest of digestsIn(read(entry).releaseText)) {
        if (!unknown.has(digest) || owners.get(digest)?.withdrawal !== undefined) continue;
        owners.set(digest, entry);
      }
    }
    for (const digest of unknown) sought.add(digest);
    return owners;
  };
}

/** Quotation marks inside of a text are escaped, so only a member has this form. */
const BEFORE_DIGEST = '"sha256":"';
const DIGEST_LENGTH = 64;

function digestsIn(bytes: Uint8Array<ArrayBuffer>): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const [, ...rest] = text.split(BEFORE_DIGEST);
  return rest.map((part) => part.slice(0, DIGEST_LENGTH));
}

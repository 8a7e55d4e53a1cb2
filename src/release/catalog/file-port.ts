/** The file-system steps of a change of the catalogue, as a port: tests make each of them fail. */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { TEMPORARY_SUFFIX } from "../../rules/release/catalog-files.ts";

export interface FilePort {
  makeFolder(path: string): void;
  /** Null when there is no such file. */
  read(path: string): string | null;
  /** Creates the file, which must not exist; returns when the content is on the disk. */
  write(path: string, content: string): void;
  /** Writes the content at the offset, where the file then ends; returns when it is on the disk. */
  append(path: string, offset: number, content: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Makes renames and removals in the folder survive a power cut. */
  syncFolder(path: string): void;
}

export const nodeFiles: FilePort = {
  makeFolder: (path) => mkdirSync(path, { recursive: true }),
  read: (path) => {
    try {
      return readFileSync(path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  },
  write: (path, content) => writeFileSync(path, content, { flag: "wx", flush: true }),
  append: appendToFile,
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  syncFolder: (path) => {
    // Windows has no handle to a folder, and makes renames durable by itself.
    if (process.platform === "win32") return;
    const descriptor = openSync(path, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },
};

/** A link is not followed: it could lead the change to any file of this machine. */
function appendToFile(path: string, offset: number, content: string): void {
  if (isLink(path)) throw new Error(`"${path}" is a link`);
  const flags = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(path, flags);
  try {
    const bytes = Buffer.from(content);
    let written = 0;
    while (written < bytes.length) {
      written += writeSync(descriptor, bytes, written, bytes.length - written, offset + written);
    }
    ftruncateSync(descriptor, offset + bytes.length);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The folder is that of a stranger until it is checked: the temporary file has a name that cannot be guessed
 * and is created exclusively, so no link leads it elsewhere, and a rename replaces a link instead of following it.
 */
export function replaceCatalogFile(path: string, content: string, files: FilePort): void {
  const unique = randomBytes(6).toString("hex");
  const temporary = join(dirname(path), `.${basename(path)}.${unique}${TEMPORARY_SUFFIX}`);
  try {
    files.write(temporary, content);
    files.rename(temporary, path);
  } catch (error) {
    try {
      files.remove(temporary);
    } catch {
      // Readers skip the temporary file.
    }
    throw error;
  }
}

/** Windows calls junctions links, too. */
export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

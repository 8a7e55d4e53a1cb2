/** The file-system steps of a change of the catalogue, as a port: tests make each of them fail. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";

export interface FilePort {
  makeFolder(path: string): void;
  /** Null when there is no such file. */
  read(path: string): string | null;
  /** Returns when the content is on the disk. */
  write(path: string, content: string): void;
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
  write: (path, content) => writeFileSync(path, content, { flush: true }),
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

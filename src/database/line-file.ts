/**
 * A small file of JSON lines that several processes write, each line as a whole. A failed write
 * fails nothing else, and a line is flushed a moment after it was written. A killed process loses
 * no line; after a power cut the file may lag behind by that moment.
 */
import { closeSync, constants, fsync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { isObject } from "../contract/is-object.ts";
import { createPrivateFolder } from "./create-private-folder.ts";

export type LineFile = ReturnType<typeof openLineFile>;

/** Lines of fixed length, so that a write replaces the line before it completely. */
const LINE_BYTES = 160;
const FLUSH_MS = 250;

export function openLineFile(path: string) {
  let file: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flushSoon = (handle: number) => {
    timer ??= setTimeout(() => {
      timer = undefined;
      // A failed flush only delays the line.
      fsync(handle, () => {});
    }, FLUSH_MS).unref();
  };
  const readLine = (index: number): string => {
    if (file !== undefined) return readAt(file, index);
    // A reader creates no file.
    const handle = openSync(path, "r");
    try {
      return readAt(handle, index);
    } finally {
      closeSync(handle);
    }
  };
  return {
    /** Creates the file and its folder, as the first write would; throws when that is impossible. */
    create(): void {
      file ??= createFile(path);
    },
    /** Reads a line; null when the file or the line is missing or unreadable. */
    read(index: number): Readonly<Record<string, unknown>> | null {
      try {
        const value: unknown = JSON.parse(readLine(index));
        return isObject(value) ? value : null;
      } catch {
        return null;
      }
    },
    write(index: number, value: object): void {
      const line = JSON.stringify(value).padEnd(LINE_BYTES - 1);
      try {
        file ??= createFile(path);
        writeSync(file, `${line}\n`, index * LINE_BYTES);
      } catch {
        // The change is stored already, so a failed write must not fail it.
        return;
      }
      flushSoon(file);
    },
    close(): void {
      clearTimeout(timer);
      if (file === undefined) return;
      try {
        fsyncSync(file);
      } catch {
        // A failed flush only delays the line.
      }
      closeSync(file);
      file = undefined;
    },
  };
}

function readAt(handle: number, index: number): string {
  const line = Buffer.alloc(LINE_BYTES);
  return line.toString("utf8", 0, readSync(handle, line, 0, LINE_BYTES, index * LINE_BYTES));
}

function createFile(path: string): number {
  createPrivateFolder(dirname(path));
  return openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
}

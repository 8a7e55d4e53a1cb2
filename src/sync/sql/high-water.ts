/**
 * A file outside the database with the high-water mark of the log. A database that is behind it was
 * restored from a copy: then a new generation begins, and every device notices.
 *
 * It is written after each commit and flushed a moment later. A killed process loses nothing of it;
 * after a power cut it may lag behind, which only hides a restore to within that moment.
 */
import {
  closeSync,
  constants,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { LogHead } from "../store.ts";

export type HighWater = Pick<LogHead, "generation" | "headOffset">;

export interface HighWaterFile {
  /** Null when the file is missing or unreadable. */
  read(): HighWater | null;
  write(mark: HighWater): void;
  close(): void;
}

/** One line of fixed length, so that a write replaces the line before it completely. */
const LINE_BYTES = 160;
const FLUSH_MS = 250;

export function openHighWaterFile(path: string): HighWaterFile {
  let file: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flushSoon = (handle: number) => {
    timer ??= setTimeout(() => {
      timer = undefined;
      // A failed flush only delays the mark.
      fsync(handle, () => {});
    }, FLUSH_MS).unref();
  };
  return {
    read: () => parseMark(readText(path)),
    write({ generation, headOffset }) {
      file ??= createFile(path);
      const line = JSON.stringify({ generation, headOffset }).padEnd(LINE_BYTES - 1);
      try {
        writeSync(file, `${line}\n`, 0);
      } catch {
        // The push is stored already, so a failed write must not fail it.
        return;
      }
      flushSoon(file);
    },
    close() {
      clearTimeout(timer);
      if (file === undefined) return;
      try {
        fsyncSync(file);
      } catch {
        // Like a failed flush above.
      }
      closeSync(file);
      file = undefined;
    },
  };
}

function createFile(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function parseMark(text: string): HighWater | null {
  try {
    const { generation, headOffset } = JSON.parse(text) as Record<string, unknown>;
    return typeof generation === "string" && Number.isSafeInteger(headOffset)
      ? { generation, headOffset: headOffset as number }
      : null;
  } catch {
    return null;
  }
}

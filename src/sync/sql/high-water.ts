/**
 * A file outside the database with the high-water mark of the log. A database that is behind it was
 * restored from a copy: then a new generation begins, and every device notices.
 *
 * It is written after each commit and flushed a moment later. A killed process loses nothing of it;
 * after a power cut it may lag behind, which only hides a restore to within that moment.
 *
 * A second line has the session epoch. It is written apart, because processes that share the file know
 * of revocations at different times.
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
  /** Null when the file has none. */
  readSessionEpoch(): number | null;
  /** Unless the file has a later one, of another process. */
  writeSessionEpoch(epoch: number): void;
  close(): void;
}

/** Lines of fixed length, so that a write replaces the line before it completely. */
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
  const writeLine = (index: number, value: object) => {
    file ??= createFile(path);
    const line = JSON.stringify(value).padEnd(LINE_BYTES - 1);
    try {
      writeSync(file, `${line}\n`, index * LINE_BYTES);
    } catch {
      // The change is stored already, so a failed write must not fail it.
      return;
    }
    flushSoon(file);
  };
  const readSessionEpoch = () => parseEpoch(readLine(path, 1));
  return {
    read: () => parseMark(readLine(path, 0)),
    write: ({ generation, headOffset }) => writeLine(0, { generation, headOffset }),
    readSessionEpoch,
    writeSessionEpoch(sessionEpoch) {
      if (sessionEpoch > (readSessionEpoch() ?? -1)) writeLine(1, { sessionEpoch });
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

function readLine(path: string, index: number): string {
  try {
    return readFileSync(path, "utf8").split("\n")[index] ?? "";
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

function parseEpoch(line: string): number | null {
  try {
    const { sessionEpoch } = JSON.parse(line) as Record<string, unknown>;
    return Number.isSafeInteger(sessionEpoch) ? (sessionEpoch as number) : null;
  } catch {
    return null;
  }
}

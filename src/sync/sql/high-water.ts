/**
 * A small file beside the database that remembers how far the log went. A database that is older
 * than it was put back from a copy: then a new generation begins, and every device notices.
 *
 * It is written after each commit and flushed to the disk soon after: a killed process loses nothing
 * of it, and after a power cut it may lag behind by a moment, which can only hide a restore that
 * happened in that very moment.
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
  /** What was last remembered; null when there is no such file, or none that can be read. */
  read(): HighWater | null;
  write(mark: HighWater): void;
  close(): void;
}

/** One line of fixed length, so that a write never leaves a part of the line before it. */
const LINE_BYTES = 160;
const FLUSH_MS = 250;

export function openHighWaterFile(path: string): HighWaterFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let file: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flushSoon = (handle: number) => {
    timer ??= setTimeout(() => {
      timer = undefined;
      // A failed flush costs a little protection and must not cost the service.
      fsync(handle, () => {});
    }, FLUSH_MS).unref();
  };
  return {
    read: () => parseMark(readText(path)),
    write({ generation, headOffset }) {
      file ??= openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
      const line = JSON.stringify({ generation, headOffset }).padEnd(LINE_BYTES - 1);
      try {
        writeSync(file, `${line}\n`, 0);
      } catch {
        // What it would tell of is stored already: like a failed flush, it only costs protection.
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
        // As above.
      }
      closeSync(file);
      file = undefined;
    },
  };
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

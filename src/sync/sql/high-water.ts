/**
 * A file outside the database with the high-water mark of the log. A database that is behind it was put
 * back: then a new generation begins, and every device notices. It is written after each commit; after
 * a power cut it may lag behind, which only hides a put-back to within that moment.
 *
 * It has the session epoch too, in a line of its own, because processes that share the file know of
 * revocations at different times.
 */
import { openLineFile } from "../../database/line-file.ts";
import { createSessionEpochFile, type SessionEpochFile } from "../../identity/session-epoch.ts";
import type { LogHead } from "../store.ts";

export type HighWater = Pick<LogHead, "generation" | "headOffset">;

export interface HighWaterFile extends SessionEpochFile {
  /** Null when the file is missing or unreadable. */
  read(): HighWater | null;
  /** Unless the file has a later one of the same generation, of another process. */
  write(mark: HighWater): void;
  /** After a commit. False, and nothing changes, when the commit does not reach the file's mark. */
  advance(mark: HighWater): boolean;
}

const LINE = 0;

export function openHighWaterFile(path: string): HighWaterFile {
  const file = openLineFile(path);
  const read = (): HighWater | null => {
    const { generation, headOffset } = file.read(LINE) ?? {};
    return typeof generation === "string" && Number.isSafeInteger(headOffset)
      ? { generation, headOffset: headOffset as number }
      : null;
  };
  return {
    ...createSessionEpochFile(file),
    read,
    write({ generation, headOffset }) {
      const known = read();
      if (known?.generation === generation && known.headOffset >= headOffset) return;
      file.write(LINE, { generation, headOffset });
    },
    advance({ generation, headOffset }) {
      const known = read();
      const isReached =
        known === null || (known.generation === generation && known.headOffset <= headOffset);
      if (isReached) file.write(LINE, { generation, headOffset });
      return isReached;
    },
  };
}

/** A small file can unpack to a thousand times its size: it must not fill the disk of its scratch store. */
import type { ReadFreeBytes } from "../../database/disk-space.ts";
import { BackupTooLargeError, type BackupRow } from "./backup-format.ts";

const MEBIBYTE = 1024 ** 2;
const CHECK_EVERY_BYTES = 8 * MEBIBYTE;
/** What stays free for others. */
const RESERVED_BYTES = 64 * MEBIBYTE;

/** Passes rows on while the disk has space for as much again, which the end of the transaction takes. */
export async function* guardDisk<Row extends BackupRow, Result>(
  rows: AsyncGenerator<Row, Result>,
  folder: string,
  readFree: ReadFreeBytes,
): AsyncGenerator<Row, Result> {
  let bytes = 0;
  let checkedAt = 0;
  try {
    for (;;) {
      const next = await rows.next();
      if (next.done === true) return next.value;
      for (const value of next.value.values) bytes += typeof value === "string" ? value.length : 8;
      if (bytes - checkedAt >= CHECK_EVERY_BYTES) {
        checkedAt = bytes;
        const free = await readFree(folder);
        if (free < bytes + RESERVED_BYTES) throw tooLarge(folder, bytes, free);
      }
      yield next.value;
    }
  } finally {
    // Closes the file of rows that were broken off.
    await rows.return(undefined as Result);
  }
}

function tooLarge(folder: string, bytes: number, free: number): BackupTooLargeError {
  const toMebibytes = (size: number) => Math.floor(size / MEBIBYTE);
  return new BackupTooLargeError(
    `The backup unpacks to more than the disk of "${folder}" has space for: ${toMebibytes(free)} MiB are free after ${toMebibytes(bytes)} MiB of it. Free some, or move the file to another disk (an encrypted one: set TMPDIR); a small file that unpacks to so much may have been made to fill disks`,
  );
}

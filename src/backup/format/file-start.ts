/** The first bytes of a file tell whether it may be a backup. */
import { open } from "node:fs/promises";
import { BACKUP_MAGICS } from "./backup-format.ts";

/** A header of age has some hundred bytes for each recipient; more would be read into memory. */
const MAX_START_BYTES = 64 * 1024;

/** The bytes as Latin-1; empty for a file that cannot be read. */
export async function readFileStart(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MAX_START_BYTES) });
      return buffer.toString("latin1", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}

/** False for a file that cannot be read: a backup of this instance can be. */
export async function beginsLikeBackup(path: string): Promise<boolean> {
  const start = await readFileStart(path);
  return BACKUP_MAGICS.some((magic) => start.startsWith(magic));
}

import { readFile, stat } from "node:fs/promises";
import { publishingError, type PublishingError } from "./change-catalog.ts";

/** A key and a signature have a few short lines. */
const MAX_FILE_BYTES = 64 * 1024;

/** Null when the file is too large. `subject` names it in the middle of a sentence. */
export async function readSmallFile(
  path: string,
  subject: string,
  missing: string,
): Promise<Buffer | PublishingError | null> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) {
      return publishingError(`${subject.replace(/^t/, "T")} is not a file`);
    }
    return stats.size > MAX_FILE_BYTES ? null : await readFile(path);
  } catch (error) {
    return unreadableError(error, subject, missing);
  }
}

/** `missing` is said of a file that is not there. Throws what no file system said. */
export function unreadableError(error: unknown, subject: string, missing: string): PublishingError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return publishingError(code === "ENOENT" ? missing : `Cannot read ${subject}: ${message}`);
}

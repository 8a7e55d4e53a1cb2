/** The size and SHA-256 of a file of any size, which is read as a stream. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { FILE_NAME_PATTERN } from "../../contract/release/values.ts";
import { publishingError, type PublishingError } from "./change-catalog.ts";

export interface HashedFile {
  readonly kind: "hashed";
  readonly fileName: string;
  readonly size: number;
  readonly sha256: string;
  /** The first bytes, for detecting the media type. */
  readonly start: Uint8Array;
}

export type HashProgress = (doneBytes: number, totalBytes: number) => void;

const FILE_NAME = new RegExp(FILE_NAME_PATTERN);
const START_BYTES = 32;

export async function hashFile(
  path: string,
  onProgress?: HashProgress,
): Promise<HashedFile | PublishingError> {
  const fileName = basename(path);
  if (!FILE_NAME.test(fileName)) {
    return publishingError(
      `"${fileName}" cannot be the name of a download: rename the file to letters, digits, dots, hyphens and underscores, at least two, beginning with a letter or digit`,
    );
  }
  try {
    const before = await stat(path);
    if (!before.isFile()) return publishingError(`"${path}" is not a file`);
    if (before.size === 0) return publishingError(`"${path}" is empty: was it built?`);
    const { size, sha256, start } = await hashStream(path, (done) =>
      onProgress?.(done, before.size),
    );
    const after = await stat(path);
    if (size !== before.size || after.mtimeMs !== before.mtimeMs || after.size !== size) {
      return publishingError(`"${path}" changed while it was read: wait until it is built`);
    }
    return { kind: "hashed", fileName, size, sha256, start };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return publishingError(
      code === "ENOENT" ? `There is no file "${path}"` : `Cannot read "${path}": ${message}`,
    );
  }
}

async function hashStream(path: string, onProgress: (done: number) => void) {
  const hash = createHash("sha256");
  let size = 0;
  let start = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const bytes = chunk as Buffer;
    if (size === 0) start = Buffer.from(bytes.subarray(0, START_BYTES));
    hash.update(bytes);
    size += bytes.length;
    onProgress(size);
  }
  return { size, sha256: hash.digest("hex"), start };
}

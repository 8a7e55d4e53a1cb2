/** The size and digests of a file of any size, from one pass over it. */
import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { lstat, open, type FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { publishingError, type PublishingError } from "./change-catalog.ts";
import { unreadableError } from "./read-small-file.ts";

export interface HashedFile {
  readonly kind: "hashed";
  /** The name on this machine. */
  readonly name: string;
  readonly size: number;
  /** The digest in lower-case hexadecimal. */
  readonly sha256: string;
  /** The digest in padded Base64. */
  readonly sha512: string;
  /** Null unless this digest was asked for. */
  readonly blake2b512: Buffer | null;
  /** The bytes that the digests are of; null unless they were asked for, or when they are too many. */
  readonly content: Buffer | null;
  /** The first bytes, for detecting the media type. */
  readonly start: Uint8Array;
}

/** What signatures need beyond the digests of every file. */
export interface HashRequest {
  readonly blake2b512: boolean;
  readonly content: boolean;
}

export const DIGESTS_ONLY: HashRequest = { blake2b512: false, content: false };

export type HashProgress = (doneBytes: number, totalBytes: number) => void;

const START_BYTES = 32;
const PIECE_BYTES = 1024 * 1024;
/** Plain Ed25519 signs and verifies a message as a whole, and node:crypto takes no more at once. */
const MAX_CONTENT_BYTES = 2 ** 31 - 1;

export async function hashFile(
  path: string,
  request: HashRequest,
  onProgress?: HashProgress,
  maxContentBytes = MAX_CONTENT_BYTES,
): Promise<HashedFile | PublishingError> {
  try {
    const before = await lstat(path, { bigint: true });
    if (before.isSymbolicLink()) return publishingError(linkError(path));
    if (!before.isFile()) return publishingError(`"${path}" is not a file`);
    if (before.size === 0n) return publishingError(`"${path}" is empty: was it built?`);
    const size = Number(before.size);
    const isKept = request.content && size <= maxContentBytes;
    const file = await open(path);
    const read = await readOnce(file, size, { ...request, content: isKept }, (done) =>
      onProgress?.(done, size),
    ).finally(() => file.close());
    const after = await lstat(path, { bigint: true });
    if (read.size !== size || !isSameState(before, after)) {
      return publishingError(`"${path}" changed while it was read: wait until it is built`);
    }
    return { kind: "hashed", name: basename(path), ...read };
  } catch (error) {
    return unreadableError(error, `"${path}"`, `There is no file "${path}"`);
  }
}

/** As in a catalogue: a link could publish any file of this machine, and lead elsewhere the next time. */
export function linkError(path: string): string {
  return `"${path}" is a link: put the file itself there`;
}

/** The state also differs when another file was put in the place of the first. */
function isSameState(before: BigIntStats, after: BigIntStats): boolean {
  return (["dev", "ino", "size", "mtimeNs", "ctimeNs"] as const).every(
    (name) => before[name] === after[name],
  );
}

/** Every digest sees the same bytes, and so does what is signed: they are read once. */
async function readOnce(
  file: FileHandle,
  expectedSize: number,
  request: HashRequest,
  onProgress: (done: number) => void,
) {
  const [sha256, sha512] = [createHash("sha256"), createHash("sha512")];
  const blake2b512 = request.blake2b512 ? createHash("blake2b512") : null;
  const content = request.content ? Buffer.allocUnsafeSlow(expectedSize) : null;
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  let start = Buffer.alloc(0);
  let size = 0;
  for (;;) {
    // A file that has grown is read on, so that its size tells.
    const isFull = content === null || size >= expectedSize;
    const target = isFull ? piece : content.subarray(size, size + PIECE_BYTES);
    const { bytesRead } = await file.read(target);
    if (bytesRead === 0) break;
    const bytes = target.subarray(0, bytesRead);
    if (size === 0) start = Buffer.from(bytes.subarray(0, START_BYTES));
    for (const hash of [sha256, sha512, blake2b512]) hash?.update(bytes);
    size += bytesRead;
    onProgress(size);
  }
  return {
    size,
    sha256: sha256.digest("hex"),
    sha512: sha512.digest("base64"),
    blake2b512: blake2b512?.digest() ?? null,
    content,
    start,
  };
}

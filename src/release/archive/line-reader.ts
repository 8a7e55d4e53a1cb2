/** Reads parts of the archive's file. A long history has hundreds of megabytes, so they are not kept in memory. */
import { closeSync, constants, openSync, readSync } from "node:fs";

export interface LinesFile {
  readonly path: string;
  /** The length of the file, with what is pending. */
  readonly size: number;
  /** What a change that is not finished appends from the offset on. */
  readonly pending: { readonly offset: number; readonly bytes: Buffer<ArrayBuffer> } | null;
}

export type ReadBytes = (offset: number, length: number) => Buffer<ArrayBuffer>;

/**
 * Bytes that are not there are left out. Consecutive reads in either direction are served from one window, and
 * what is returned is valid until the next read.
 */
export function createLineReader({
  path,
  pending,
}: Pick<LinesFile, "path" | "pending">): ReadBytes {
  let start = 0;
  let bytes: Buffer<ArrayBuffer> = Buffer.alloc(0);
  const window = Buffer.allocUnsafeSlow(WINDOW_BYTES);
  return (offset, length) => {
    if (pending !== null && offset >= pending.offset) {
      return pending.bytes.subarray(offset - pending.offset).subarray(0, length);
    }
    const isInside = offset >= start && offset + length <= start + bytes.length;
    if (!isInside) {
      const isBackwards = offset < start;
      start = isBackwards ? Math.max(0, Math.min(offset, offset + length - WINDOW_BYTES)) : offset;
      bytes = readWindow(path, start, length > WINDOW_BYTES ? Buffer.alloc(length) : window);
    }
    return bytes.subarray(offset - start, offset - start + length);
  };
}

const WINDOW_BYTES = 1_048_576;

function readWindow(path: string, offset: number, bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    let read = 0;
    for (;;) {
      const count = readSync(descriptor, bytes, read, bytes.length - read, offset + read);
      read += count;
      if (count === 0 || read === bytes.length) return bytes.subarray(0, read);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** A file that is read within a budget. Nothing is ever read outside it. */
import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { damaged, type Budget } from "./budget.ts";

export interface BoundedFile {
  readonly size: number;
  readonly budget: Budget;
  /** Exactly these bytes. */
  read(at: number, length: number): Promise<Buffer>;
  /** Fewer bytes at the end of the file. */
  readUpTo(at: number, length: number): Promise<Buffer>;
  /** The bytes from `at` up to `end`, in pieces. */
  pieces(at: number, end?: number): AsyncGenerator<Buffer>;
}

const PIECE_BYTES = 64 * 1024;
/** A pipe that takes the place of the file meanwhile must not hold the reader. Windows has neither flag. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Throws what the file system says. */
export async function withBoundedFile<T>(
  path: string,
  budget: Budget,
  use: (file: BoundedFile) => Promise<T>,
): Promise<T> {
  const handle = await open(path, READ_ONLY);
  try {
    const { size } = await handle.stat();
    return await use(boundFile(handle, size, budget));
  } finally {
    await handle.close();
  }
}

function boundFile(handle: FileHandle, size: number, budget: Budget): BoundedFile {
  async function read(at: number, length: number): Promise<Buffer> {
    if (!(at >= 0 && length >= 0 && at + length <= size)) throw damaged();
    budget.read(length);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
    // Another process may have cut the file meanwhile.
    if (bytesRead < length) throw damaged();
    return buffer;
  }

  return {
    size,
    budget,
    read,
    readUpTo: (at, length) => read(Math.min(at, size), Math.min(length, Math.max(0, size - at))),
    async *pieces(at, end = size) {
      if (end > size) throw damaged();
      for (let next = at; next < end; next += PIECE_BYTES) {
        yield await read(next, Math.min(PIECE_BYTES, end - next));
      }
    },
  };
}

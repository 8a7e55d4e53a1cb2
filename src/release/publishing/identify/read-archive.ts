/** Names in archives, and the first bytes of what they hold. Nothing is unpacked to a disk. */
import type { FileHandle } from "node:fs/promises";
import { constants, inflateRawSync } from "node:zlib";
import { HEADER_BYTES } from "./read-executable.ts";

/** Reads at most `length` bytes; fewer at the end of the file. */
export async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
}

export interface ArchiveEntry {
  readonly name: string;
  /** The first bytes, unpacked; empty when they cannot be read. */
  head(): Promise<Buffer>;
}

/** The end record and the longest comment behind it (APPNOTE 4.3.16). */
const MAX_END_BYTES = 22 + 0xffff;
/** The directory of an archive with a hundred thousand files; a longer one is not read. */
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;

/** The entries of a ZIP archive by its central directory; none when it has no readable one. */
export async function readZip(file: FileHandle, size: number): Promise<ArchiveEntry[]> {
  const start = Math.max(0, size - MAX_END_BYTES);
  const end = await readAt(file, start, size - start);
  const at = end.lastIndexOf("PK\x05\x06");
  if (at < 0 || at + 22 > end.length) return [];
  const length = end.readUInt32LE(at + 12);
  if (length > MAX_DIRECTORY_BYTES) return [];
  const directory = await readAt(file, end.readUInt32LE(at + 16), length);
  const entries: ArchiveEntry[] = [];
  for (let next = 0; directory.toString("latin1", next, next + 4) === "PK\x01\x02";) {
    if (next + 46 > directory.length) break;
    const nameEnd = next + 46 + directory.readUInt16LE(next + 28);
    const offset = directory.readUInt32LE(next + 42);
    const name = directory.toString("utf8", next + 46, nameEnd);
    entries.push({ name, head: () => readEntryHead(file, offset) });
    next = nameEnd + directory.readUInt16LE(next + 30) + directory.readUInt16LE(next + 32);
  }
  return entries;
}

async function readEntryHead(file: FileHandle, offset: number): Promise<Buffer> {
  const header = await readAt(file, offset, 30);
  if (header.length < 30 || header.toString("latin1", 0, 4) !== "PK\x03\x04") {
    return Buffer.alloc(0);
  }
  const data = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const bytes = await readAt(file, data, HEADER_BYTES);
  if (header.readUInt16LE(8) === 0) return bytes;
  try {
    // The end is cut off, and the beginning is all that is asked for.
    return inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
}

export interface TarEntry {
  readonly name: string;
  readonly head: Buffer;
}

const BLOCK = 512;

/** The files of a tar archive in their order, each with its first bytes. */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  let buffer = Buffer.alloc(0);
  let skip = 0;
  for await (const chunk of chunks) {
    const unread = chunk.subarray(Math.min(skip, chunk.length));
    skip -= chunk.length - unread.length;
    buffer = Buffer.concat([buffer, unread]);
    while (buffer.length >= BLOCK) {
      const size = Number.parseInt(buffer.toString("latin1", 124, 136), 8) || 0;
      const wanted = BLOCK + Math.min(size, HEADER_BYTES);
      if (buffer.length < wanted) break;
      yield { name: tarName(buffer), head: buffer.subarray(BLOCK, wanted) };
      const whole = BLOCK + Math.ceil(size / BLOCK) * BLOCK;
      skip = Math.max(0, whole - buffer.length);
      buffer = buffer.subarray(Math.min(whole, buffer.length));
    }
  }
}

/** POSIX ustar: a long name begins in the prefix. */
function tarName(header: Buffer): string {
  const text = (from: number, length: number) =>
    (header.toString("utf8", from, from + length).split("\0")[0] ?? "").trim();
  const prefix = header.toString("latin1", 257, 262) === "ustar" ? text(345, 155) : "";
  return prefix === "" ? text(0, 100) : `${prefix}/${text(0, 100)}`;
}

/** The entries of a ZIP archive by its central directory. Nothing is unpacked to a disk. */
import type { BoundedFile } from "./bounded-file.ts";
import { damaged } from "./budget.ts";
import { createByteCursor, readStart } from "./byte-cursor.ts";
import { inflate } from "./inflate.ts";

export interface ZipEntry {
  readonly name: string;
  /** The first bytes, unpacked. */
  start(length: number): Promise<Buffer>;
}

/** The end record and the longest comment behind it (APPNOTE 4.3.16). */
const MAX_END_BYTES = 22 + 0xffff;

export async function* readZip(file: BoundedFile): AsyncGenerator<ZipEntry> {
  const { start, end } = await findDirectory(file);
  const directory = createByteCursor(file.pieces(start, end));
  for (let at = start; at < end;) {
    const record = await directory.take(46);
    if (record.toString("latin1", 0, 4) !== "PK\x01\x02") throw damaged();
    file.budget.enter();
    const nameBytes = record.readUInt16LE(28);
    file.budget.name(nameBytes);
    const name = (await directory.take(nameBytes)).toString("utf8");
    const rest = record.readUInt16LE(30) + record.readUInt16LE(32);
    await directory.skip(rest);
    at += 46 + nameBytes + rest;
    // A link tells where it leads, and no program.
    if (!isLink(record)) yield { name, start: (length) => readEntry(file, record, length) };
  }
}

async function findDirectory(file: BoundedFile) {
  const at = Math.max(0, file.size - MAX_END_BYTES);
  const tail = await file.readUpTo(at, MAX_END_BYTES);
  const record = tail.lastIndexOf("PK\x05\x06");
  if (record < 0 || record + 22 > tail.length) throw damaged();
  const start = tail.readUInt32LE(record + 16);
  const end = start + tail.readUInt32LE(record + 12);
  // The directory stands before its end record (APPNOTE 4.3.6).
  if (end > at + record) throw damaged();
  return { start, end };
}

/** The type of a file on Unix is in the upper half of the external attributes. */
function isLink(record: Buffer): boolean {
  return (record.readUInt16LE(40) & 0o17_0000) === 0o12_0000;
}

async function readEntry(file: BoundedFile, record: Buffer, length: number): Promise<Buffer> {
  const offset = record.readUInt32LE(42);
  const header = await file.read(offset, 30);
  if (header.toString("latin1", 0, 4) !== "PK\x03\x04") throw damaged();
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = file.pieces(start, start + record.readUInt32LE(20));
  const [method, isEncrypted] = [record.readUInt16LE(10), (record.readUInt16LE(8) & 1) === 1];
  if (isEncrypted || (method !== 0 && method !== 8)) throw damaged();
  return readStart(method === 0 ? packed : inflate("deflate", packed, file.budget), length);
}

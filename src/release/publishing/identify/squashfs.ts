/** Small files in a SquashFS image (format 4.0), the file system of an AppImage. */
import type { BoundedFile } from "./bounded-file.ts";
import { damaged } from "./budget.ts";
import { readStart } from "./byte-cursor.ts";
import { inflate, type Compression } from "./inflate.ts";

/** Node has no decoder for xz, lzo and lz4. */
const COMPRESSIONS: ReadonlyMap<number, Compression> = new Map([
  [1, "zlib"],
  [6, "zstd"],
]);

interface Image {
  readonly file: BoundedFile;
  readonly start: number;
  readonly superblock: Buffer;
  readonly compression: Compression;
}

export interface SquashEntry {
  readonly name: string;
  readonly isFile: boolean;
  readonly isFolder: boolean;
  /** The entries of a folder; none of anything else. */
  list(): Promise<SquashEntry[]>;
  /** The content of a file that fills no block. */
  read(): Promise<Buffer>;
}

/** The entries of the root; none when the image is compressed in a way that is not known here. */
export async function readSquashRoot(file: BoundedFile, start: number): Promise<SquashEntry[]> {
  const superblock = await file.read(start, 96);
  if (superblock.toString("latin1", 0, 4) !== "hsqs") throw damaged();
  const compression = COMPRESSIONS.get(superblock.readUInt16LE(20));
  if (compression === undefined) return [];
  const image = { file, start, superblock, compression };
  const root = superblock.readBigUInt64LE(32);
  return listFolder(image, Number(root >> 16n), Number(root & 0xffffn));
}

const TABLES = { inodes: 64, folders: 72, fragments: 80 } as const;

/** Bytes of a table, which is in blocks of at most 8 KiB, each with its length before it. */
async function readMetadata(
  image: Image,
  table: number,
  offset: number,
  length: number,
): Promise<Buffer> {
  const { file, compression } = image;
  const blocks: Buffer[] = [];
  let at = table;
  for (let left = offset + length; left > 0;) {
    file.budget.enter();
    const head = (await file.read(at, 2)).readUInt16LE();
    const bytes = head & 0x7fff;
    const packed = file.pieces(at + 2, at + 2 + bytes);
    const isPacked = (head & 0x8000) === 0;
    const stream = isPacked ? inflate(compression, packed, file.budget) : packed;
    const block = await readStart(stream, METADATA_BYTES);
    if (block.length === 0) throw damaged();
    blocks.push(block);
    left -= block.length;
    at += 2 + bytes;
  }
  return Buffer.concat(blocks).subarray(offset, offset + length);
}

const METADATA_BYTES = 8192;

function tableAt({ start, superblock }: Image, place: number): number {
  return start + Number(superblock.readBigUInt64LE(place));
}

/** By the types of inodes: folders, files, and both with more attributes. */
const INODE_BYTES: ReadonlyMap<number, number> = new Map([
  [1, 32],
  [2, 32],
  [8, 40],
  [9, 56],
]);

async function readInode(image: Image, block: number, offset: number): Promise<Buffer> {
  const at = tableAt(image, TABLES.inodes) + block;
  const type = (await readMetadata(image, at, offset, 2)).readUInt16LE();
  const bytes = INODE_BYTES.get(type);
  if (bytes === undefined) throw damaged();
  return readMetadata(image, at, offset, bytes);
}

async function listFolder(image: Image, block: number, offset: number): Promise<SquashEntry[]> {
  const inode = await readInode(image, block, offset);
  const isLong = inode.readUInt16LE() === 8;
  const length = isLong ? inode.readUInt32LE(20) : inode.readUInt16LE(24);
  const start = inode.readUInt32LE(isLong ? 24 : 16);
  const place = inode.readUInt16LE(isLong ? 34 : 26);
  const at = tableAt(image, TABLES.folders) + start;
  // The size counts three bytes for the folder itself and the one above it.
  return parseFolder(image, await readMetadata(image, at, place, Math.max(0, length - 3)));
}

function parseFolder(image: Image, listing: Buffer): SquashEntry[] {
  const entries: SquashEntry[] = [];
  for (let at = 0; at + 12 <= listing.length;) {
    const count = listing.readUInt32LE(at) + 1;
    const block = listing.readUInt32LE(at + 4);
    at += 12;
    for (let index = 0; index < count; index++) {
      image.file.budget.enter();
      const type = listing.readUInt16LE(at + 4);
      const end = at + 9 + listing.readUInt16LE(at + 6);
      const offset = listing.readUInt16LE(at);
      const [isFolder, isFile] = [type === 1, type === 2];
      entries.push({
        name: listing.toString("utf8", at + 8, end),
        isFile,
        isFolder,
        list: async () => (isFolder ? listFolder(image, block, offset) : []),
        read: async () => (isFile ? readSmallFile(image, block, offset) : Buffer.alloc(0)),
      });
      at = end;
    }
  }
  return entries;
}

const NO_FRAGMENT = 0xffff_ffff;

/** A small file is in a fragment, which it shares with others, or in a block of its own. */
async function readSmallFile(image: Image, block: number, offset: number): Promise<Buffer> {
  const inode = await readInode(image, block, offset);
  const isLong = inode.readUInt16LE() === 9;
  const fragment = inode.readUInt32LE(isLong ? 44 : 20);
  const length = isLong ? Number(inode.readBigUInt64LE(24)) : inode.readUInt32LE(28);
  if (length >= image.superblock.readUInt32LE(12)) return Buffer.alloc(0);
  if (fragment === NO_FRAGMENT) {
    const start = isLong ? Number(inode.readBigUInt64LE(16)) : inode.readUInt32LE(16);
    // The sizes of the blocks follow the inode.
    const at = tableAt(image, TABLES.inodes) + block;
    const size = await readMetadata(image, at, offset + inode.length, 4);
    return readBlock(image, start, size.readUInt32LE(), length);
  }
  const place = inode.readUInt32LE(isLong ? 48 : 24);
  const { start, size } = await findFragment(image, fragment);
  return (await readBlock(image, start, size, place + length)).subarray(place);
}

const FRAGMENT_BYTES = 16;
const FRAGMENTS_PER_BLOCK = METADATA_BYTES / FRAGMENT_BYTES;

async function findFragment(image: Image, index: number) {
  const list = tableAt(image, TABLES.fragments) + Math.floor(index / FRAGMENTS_PER_BLOCK) * 8;
  const block = Number((await image.file.read(list, 8)).readBigUInt64LE());
  const place = (index % FRAGMENTS_PER_BLOCK) * FRAGMENT_BYTES;
  const entry = await readMetadata(image, image.start + block, place, FRAGMENT_BYTES);
  return { start: Number(entry.readBigUInt64LE()), size: entry.readUInt32LE(8) };
}

const UNPACKED_FLAG = 0x100_0000;

async function readBlock(image: Image, at: number, size: number, length: number): Promise<Buffer> {
  const { file, compression } = image;
  const start = image.start + at;
  const packed = file.pieces(start, start + (size & ~UNPACKED_FLAG));
  const isPacked = (size & UNPACKED_FLAG) === 0;
  return readStart(isPacked ? inflate(compression, packed, file.budget) : packed, length);
}

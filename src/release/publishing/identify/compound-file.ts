/** Streams of a compound file ([MS-CFB]), the container of an MSI package. */
import type { BoundedFile } from "./bounded-file.ts";
import { damaged } from "./budget.ts";

export interface CompoundStream {
  readonly name: string;
  read(maxBytes: number): Promise<Buffer>;
}

const HEADER_FAT_ENTRIES = 109;
/** [MS-CFB] 2.1: what is above is no number of a sector. */
const MAX_SECTOR = 0xffff_fffa;
const ENTRY_BYTES = 128;
const ROOT = 5;
const STREAM = 2;
/** Of the directory of a package, which has some dozen tables. */
const MAX_DIRECTORY_BYTES = 1024 * 1024;

interface Layout {
  readonly file: BoundedFile;
  readonly header: Buffer;
  readonly sectorBytes: number;
  /** FAT sectors that were read, by their number. */
  readonly fat: Map<number, Buffer>;
}

export async function readCompoundFile(file: BoundedFile): Promise<CompoundStream[]> {
  const header = await file.read(0, 512);
  const shift = header.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) throw damaged();
  const layout: Layout = { file, header, sectorBytes: 2 ** shift, fat: new Map() };
  const directory = await readChain(layout, header.readUInt32LE(48), MAX_DIRECTORY_BYTES);
  const entries = listEntries(directory);
  const root = entries.find(({ type }) => type === ROOT);
  return entries
    .filter(({ type }) => type === STREAM)
    .map(({ name, start, size }) => ({
      name,
      read: (maxBytes) => {
        const length = Math.min(size, maxBytes);
        return size >= header.readUInt32LE(56)
          ? readChain(layout, start, length)
          : readMiniChain(layout, root?.start ?? MAX_SECTOR, start, length);
      },
    }));
}

function listEntries(directory: Buffer) {
  const count = Math.floor(directory.length / ENTRY_BYTES);
  return Array.from({ length: count }, (_, index) => {
    const entry = directory.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
    const nameBytes = Math.min(64, Math.max(2, entry.readUInt16LE(64))) - 2;
    return {
      name: entry.toString("utf16le", 0, nameBytes),
      type: entry.readUInt8(66),
      start: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    };
  });
}

/** At most `length` bytes of the sectors that follow each other from `start` on. */
async function readChain(layout: Layout, start: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let [sector, left] = [start, length];
  while (left > 0 && sector < MAX_SECTOR) {
    // A chain that leads back into itself has no end but that of the budget.
    layout.file.budget.enter();
    const part = await readSector(layout, sector);
    parts.push(part.subarray(0, left));
    left -= part.length;
    if (left > 0) sector = await nextSector(layout, sector);
  }
  return Buffer.concat(parts);
}

/** [MS-CFB] 2.2: sector 0 follows the header, which fills a sector. */
function readSector({ file, sectorBytes }: Layout, sector: number): Promise<Buffer> {
  return file.read((sector + 1) * sectorBytes, sectorBytes);
}

async function nextSector(layout: Layout, sector: number): Promise<number> {
  const perSector = layout.sectorBytes / 4;
  const index = Math.floor(sector / perSector);
  const part = layout.fat.get(index) ?? (await readFatSector(layout, index));
  layout.fat.set(index, part);
  return part.readUInt32LE((sector % perSector) * 4);
}

/** The header names the first FAT sectors, and a chain of DIFAT sectors the others ([MS-CFB] 2.5). */
async function readFatSector(layout: Layout, index: number): Promise<Buffer> {
  const { header, sectorBytes, file } = layout;
  if (index < HEADER_FAT_ENTRIES) return readSector(layout, header.readUInt32LE(76 + index * 4));
  const perSector = sectorBytes / 4 - 1;
  let sector = header.readUInt32LE(68);
  let left = index - HEADER_FAT_ENTRIES;
  for (;;) {
    file.budget.enter();
    const difat = await readSector(layout, sector);
    if (left < perSector) return readSector(layout, difat.readUInt32LE(left * 4));
    left -= perSector;
    sector = difat.readUInt32LE(perSector * 4);
  }
}

const MINI_SECTOR_BYTES = 64;

/** Small streams are in sectors of 64 bytes inside the stream of the root ([MS-CFB] 2.4). */
async function readMiniChain(
  layout: Layout,
  rootStart: number,
  start: number,
  length: number,
): Promise<Buffer> {
  const fat = await readChain(layout, layout.header.readUInt32LE(60), MAX_DIRECTORY_BYTES);
  const container = await readChain(layout, rootStart, MAX_DIRECTORY_BYTES);
  const parts: Buffer[] = [];
  let sector = start;
  for (let left = length; left > 0 && sector < MAX_SECTOR; left -= MINI_SECTOR_BYTES) {
    layout.file.budget.enter();
    const at = sector * MINI_SECTOR_BYTES;
    if (at + MINI_SECTOR_BYTES > container.length) throw damaged();
    parts.push(container.subarray(at, at + Math.min(left, MINI_SECTOR_BYTES)));
    sector = fat.readUInt32LE(sector * 4);
  }
  return Buffer.concat(parts);
}

/** The product version in the resources of a program for Windows (PE format, 6.9: the .rsrc section). */
import type { BoundedFile } from "./bounded-file.ts";
import { damaged } from "./budget.ts";

const RESOURCES = 2;
const SECTION_BYTES = 40;
const RT_VERSION = 16;
const MAX_VERSION_BYTES = 64 * 1024;

/** The text of ProductVersion, or else the numbers of the fixed information. */
export async function readPeVersion(file: BoundedFile): Promise<string | undefined> {
  const resources = await findResources(file);
  if (resources === undefined) return undefined;
  const { base, toOffset } = resources;
  const type = await findEntry(file, base, (id) => id === RT_VERSION);
  if (type === undefined) return undefined;
  // A name, and a language below it: the first of each.
  const name = await findEntry(file, base + (type & 0x7fff_ffff), () => true);
  const language = await findEntry(file, base + ((name ?? 0) & 0x7fff_ffff), () => true);
  if (name === undefined || language === undefined) throw damaged();
  const entry = await file.read(base + (language & 0x7fff_ffff), 16);
  const size = Math.min(entry.readUInt32LE(4), MAX_VERSION_BYTES);
  const block = await file.read(toOffset(entry.readUInt32LE(0)), size);
  const text = readProductVersion(block);
  return text === "" || /^[0.]*$/.test(text) ? readFixedVersion(block) : text;
}

async function findResources(file: BoundedFile) {
  const coff = (await file.read(0x3c, 4)).readUInt32LE();
  const header = await file.read(coff, 24);
  const [optional, optionalBytes] = [coff + 24, header.readUInt16LE(20)];
  const isWide = (await file.read(optional, 2)).readUInt16LE() === 0x20b;
  const directory = (isWide ? 112 : 96) + RESOURCES * 8;
  if (directory + 8 > optionalBytes) return undefined;
  const address = (await file.read(optional + directory, 4)).readUInt32LE();
  if (address === 0) return undefined;
  const count = header.readUInt16LE(6);
  const table = await file.read(optional + optionalBytes, count * SECTION_BYTES);
  const toOffset = (virtual: number) => {
    for (let at = 0; at < table.length; at += SECTION_BYTES) {
      const start = table.readUInt32LE(at + 12);
      const distance = virtual - start;
      if (distance >= 0 && distance < table.readUInt32LE(at + 16)) {
        return table.readUInt32LE(at + 20) + distance;
      }
    }
    throw damaged();
  };
  return { base: toOffset(address), toOffset };
}

/** Where the first entry of a resource directory leads whose id is asked for. */
async function findEntry(
  file: BoundedFile,
  at: number,
  isWanted: (id: number) => boolean,
): Promise<number | undefined> {
  const header = await file.read(at, 16);
  const count = header.readUInt16LE(12) + header.readUInt16LE(14);
  const entries = await file.read(at + 16, count * 8);
  for (let next = 0; next < entries.length; next += 8) {
    file.budget.enter();
    if (isWanted(entries.readUInt32LE(next))) return entries.readUInt32LE(next + 4);
  }
  return undefined;
}

const PRODUCT_VERSION = Buffer.from("ProductVersion\0", "utf16le");

/** A String of a StringTable: its key, and behind it at a multiple of four its value. */
function readProductVersion(block: Buffer): string {
  const key = block.indexOf(PRODUCT_VERSION);
  if (key < 0) return "";
  const value = Math.ceil((key + PRODUCT_VERSION.length) / 4) * 4;
  const text = block.toString("utf16le", value).split("\0")[0] ?? "";
  // Old compilers write 1, 4, 0, 0.
  return text.trim().replaceAll(/ ?, ?/g, ".");
}

const FIXED_SIGNATURE = Buffer.from("bd04effe", "hex");

/** VS_FIXEDFILEINFO: dwProductVersionMS and dwProductVersionLS, two numbers in each. */
function readFixedVersion(block: Buffer): string | undefined {
  const at = block.indexOf(FIXED_SIGNATURE);
  if (at < 0 || at + 24 > block.length) return undefined;
  return [18, 16, 22, 20].map((place) => block.readUInt16LE(at + place)).join(".");
}

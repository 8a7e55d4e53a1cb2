/** What an installer of electron-builder installs: its own program is always a 32-bit one of NSIS. */
import type { BoundedFile } from "./bounded-file.ts";
import type { Findings } from "./findings.ts";
import { inflate } from "./inflate.ts";

/** `firstheader` of NSIS lies on such a boundary behind the program. */
const ALIGNMENT = 512;
const SIGNATURE = Buffer.from("efbeadde4e756c6c736f6674496e7374", "hex");
const SIGNATURE_AT = 4;
const FIRST_HEADER_BYTES = 28;
/** Icons and pictures make the program long. */
const MAX_PROGRAM_BYTES = 8 * 1024 * 1024;
/** The highest bit of a length says that the block is compressed. */
const LENGTH_BITS = 0x7fff_ffff;

/** The names that electron-builder gives the packed app, which the header has as text of two bytes a letter. */
const PACKED_APPS: readonly (readonly [name: string, architecture: string])[] = [
  ["\\app-64.7z", "x64"],
  ["\\app-arm64.7z", "arm64"],
  ["\\app-32.7z", "x86"],
];

/** An installer of several architectures, or of another maker, stays the 32-bit program that it is. */
export async function readNsis(file: BoundedFile, found: Findings): Promise<void> {
  const at = await findFirstHeader(file);
  if (at === null) return;
  const seen = await findNames(await openHeader(file, at + FIRST_HEADER_BYTES));
  const [architecture, ...others] = PACKED_APPS.filter(([name]) => seen.has(name)).map(
    ([, name]) => name,
  );
  if (architecture === undefined || others.length > 0) return;
  found.kind = "installer";
  found.architecture = architecture;
  found.isInstaller = false;
}

async function findFirstHeader(file: BoundedFile): Promise<number | null> {
  let start = 0;
  for await (const piece of file.pieces(0, Math.min(file.size, MAX_PROGRAM_BYTES))) {
    for (let at = 0; at < piece.length; at += ALIGNMENT) {
      const signature = piece.subarray(at + SIGNATURE_AT, at + SIGNATURE_AT + SIGNATURE.length);
      if (signature.equals(SIGNATURE)) return start + at;
    }
    start += piece.length;
  }
  return null;
}

/** The header comes first, in a block of its own unless the whole installer is one block. */
async function openHeader(file: BoundedFile, at: number): Promise<AsyncIterable<Buffer>> {
  const length = (await file.read(at, 4)).readUInt32LE(0);
  const block = file.pieces(at + 4, at + 4 + (length & LENGTH_BITS));
  return length > LENGTH_BITS ? inflate("deflate", block, file.budget) : block;
}

async function findNames(header: AsyncIterable<Buffer>): Promise<ReadonlySet<string>> {
  const sought = PACKED_APPS.map(([name]) => ({ name, bytes: Buffer.from(name, "utf16le") }));
  const longest = Math.max(...sought.map(({ bytes }) => bytes.length));
  const seen = new Set<string>();
  let tail: Buffer = Buffer.alloc(0);
  for await (const piece of header) {
    const text = Buffer.concat([tail, piece]);
    for (const { name, bytes } of sought) if (text.includes(bytes)) seen.add(name);
    tail = text.subarray(-longest);
  }
  return seen;
}

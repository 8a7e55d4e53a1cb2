/** The files of a tar archive in their order. Nothing is unpacked to a disk. */
import { damaged, type Budget } from "./budget.ts";
import { createByteCursor } from "./byte-cursor.ts";

export interface TarEntry {
  readonly name: string;
  /** The first bytes; to be asked for once, before the next entry. */
  start(length: number): Promise<Buffer>;
}

const BLOCK = 512;
/** An extended header with more than a name has the attributes of a file, which tell nothing here. */
const MAX_EXTENDED_BYTES = 64 * 1024;

/** Extended headers of pax, and the long names of links of GNU. */
const DESCRIBES_NEXT = /[xgK]/;

/** POSIX ustar, with the long names of pax and of GNU. */
export async function* readTar(
  pieces: AsyncIterable<Buffer>,
  budget: Budget,
): AsyncGenerator<TarEntry> {
  const cursor = createByteCursor(pieces);
  let longName: string | undefined;
  for (;;) {
    const header = await cursor.takeUpTo(BLOCK);
    // Two blocks of zeros end an archive; some writers leave them out.
    if (header.length === 0 || header[0] === 0) return;
    if (header.length < BLOCK || !hasRightSum(header)) throw damaged();
    budget.enter();
    const size = readNumber(header.subarray(124, 136));
    const type = header.toString("latin1", 156, 157);
    let left = Math.ceil(size / BLOCK) * BLOCK;
    const start = async (length: number) => {
      const bytes = await cursor.take(Math.min(length, size));
      left -= bytes.length;
      return bytes;
    };
    if (type === "L") budget.name(size);
    if (type === "L" || (type === "x" && size <= MAX_EXTENDED_BYTES)) {
      longName = readLongName(type, await start(size)) ?? longName;
    } else if (!DESCRIBES_NEXT.test(type)) {
      const name = longName ?? nameOf(header);
      budget.name(Buffer.byteLength(name));
      longName = undefined;
      // A link tells where it leads, and no program.
      if (type === "0" || type === "\0" || type === "7") yield { name, start };
    }
    await cursor.skip(left);
  }
}

/** The sum of all bytes, where its own place counts as spaces. */
function hasRightSum(header: Buffer): boolean {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  return sum === readNumber(header.subarray(148, 156));
}

/** Octal digits, or for GNU an unsigned number in base 256. */
function readNumber(field: Buffer): number {
  if (field[0] === 0x80) {
    const value = field.subarray(1).reduce((total, byte) => total * 256 + byte, 0);
    if (!Number.isSafeInteger(value)) throw damaged();
    return value;
  }
  const digits = /^ *([0-7]*)[ \0]*$/.exec(field.toString("latin1"))?.[1];
  if (digits === undefined) throw damaged();
  return digits === "" ? 0 : Number.parseInt(digits, 8);
}

function readLongName(type: "L" | "x", content: Buffer): string | undefined {
  const text = content.toString("utf8");
  return type === "L" ? text.split("\0")[0] : /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1];
}

/** POSIX ustar: a long name begins in the prefix. */
function nameOf(header: Buffer): string {
  const text = (from: number, length: number) =>
    (header.toString("utf8", from, from + length).split("\0")[0] ?? "").trim();
  const prefix = header.toString("latin1", 257, 262) === "ustar" ? text(345, 155) : "";
  return prefix === "" ? text(0, 100) : `${prefix}/${text(0, 100)}`;
}

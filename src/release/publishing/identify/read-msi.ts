/** The product version of an MSI package: a row of its table "Property". */
import type { BoundedFile } from "./bounded-file.ts";
import { damaged } from "./budget.ts";
import { readCompoundFile } from "./compound-file.ts";
import { detectVersion } from "./detect-version.ts";
import type { Findings } from "./findings.ts";

/** Of the strings of all tables; the texts of a licence and of files are among them. */
const MAX_STRING_BYTES = 8 * 1024 * 1024;
const MAX_TABLE_BYTES = 256 * 1024;

export async function readMsi(file: BoundedFile, found: Findings): Promise<void> {
  found.kind = "MSI installer";
  found.platform = "windows";
  const streams = new Map(
    (await readCompoundFile(file)).map((stream) => [decodeName(stream.name), stream] as const),
  );
  const read = async (name: string, maxBytes: number) => {
    const bytes = await streams.get(name)?.read(maxBytes);
    if (bytes === undefined) throw damaged();
    return bytes;
  };
  const pool = await read(`${TABLE}_StringPool`, MAX_STRING_BYTES);
  const data = await read(`${TABLE}_StringData`, MAX_STRING_BYTES);
  const table = await read(`${TABLE}Property`, MAX_TABLE_BYTES);
  detectVersion(found, "msi", findProperty("ProductVersion", table, readStrings(pool, data)));
}

const TABLE = "\u4840";
const NAME_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz._";

/** Names of streams have two characters of 64 in one of UTF-16, from U+3800 on, and a last one from U+4800 on. */
function decodeName(name: string): string {
  return Array.from(name, (character) => {
    const code = character.charCodeAt(0) - 0x3800;
    if (code < 0 || code >= 0x1040) return character;
    const first = NAME_CHARACTERS[code & 0x3f] ?? "";
    return code < 0x1000 ? `${first}${NAME_CHARACTERS[code >> 6] ?? ""}` : first;
  }).join("");
}

interface Strings {
  /** A reference to a string has three bytes when there are many. */
  readonly referenceBytes: number;
  /** By their number, which begins with 1. */
  textOf(reference: number): string;
}

/** The pool has the length of each string in the data, and how often it is used. */
function readStrings(pool: Buffer, data: Buffer): Strings {
  const places: { start: number; end: number }[] = [{ start: 0, end: 0 }];
  let start = 0;
  for (let at = 4; at + 4 <= pool.length; at += 4) {
    let length = pool.readUInt16LE(at);
    // A length of 64 KiB and more has its upper half in an entry of its own.
    if (length === 0 && pool.readUInt16LE(at + 2) > 0 && at + 8 <= pool.length) {
      length = pool.readUInt16LE(at + 2) * 0x1_0000 + pool.readUInt16LE(at + 4);
      at += 4;
    }
    places.push({ start, end: start + length });
    start += length;
  }
  return {
    referenceBytes: (pool.readUInt16LE(2) & 0x8000) === 0 ? 2 : 3,
    textOf: (reference) => {
      const place = places[reference];
      return place === undefined ? "" : data.toString("utf8", place.start, place.end);
    },
  };
}

/** A table has all values of its first column, then all of the second. */
function findProperty(name: string, table: Buffer, { referenceBytes, textOf }: Strings) {
  const column = Math.floor(table.length / (2 * referenceBytes)) * referenceBytes;
  for (let at = 0; at < column; at += referenceBytes) {
    if (textOf(table.readUIntLE(at, referenceBytes)) !== name) continue;
    return textOf(table.readUIntLE(column + at, referenceBytes));
  }
  return undefined;
}

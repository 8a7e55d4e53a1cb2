/**
 * The block map that electron-builder appends to an AppImage: raw deflate of JSON, then its length in four
 * bytes. By it electron-updater fetches only the blocks that changed.
 */
import { isObject } from "../../../contract/is-object.ts";
import type { BoundedFile } from "./bounded-file.ts";
import { UnreadableContentError } from "./budget.ts";
import { readStart } from "./byte-cursor.ts";
import { inflate } from "./inflate.ts";

const LENGTH_BYTES = 4;
/** A map has some 40 bytes for each block of about 16 KiB: this is that of 3 GiB. */
const MAX_JSON_BYTES = 8 * 1024 * 1024;

/** A small file with a long map is none of electron-builder, and parsing it would take long. */
function maxJsonBytes(contentBytes: number): number {
  return Math.min(MAX_JSON_BYTES, 64 * 1024 + contentBytes / 64);
}

/** The length of the map; undefined when the file has none, and is then downloaded as a whole. */
export async function readBlockMapSize(file: BoundedFile): Promise<number | undefined> {
  try {
    const length = (await file.read(file.size - LENGTH_BYTES, LENGTH_BYTES)).readUInt32BE();
    const contentBytes = file.size - LENGTH_BYTES - length;
    if (length === 0 || contentBytes <= 0) return undefined;
    const packed = file.pieces(contentBytes, contentBytes + length);
    const maxBytes = maxJsonBytes(contentBytes);
    const json = await readStart(inflate("deflate", packed, file.budget), maxBytes);
    return isMapOf(json.toString(), contentBytes) ? length : undefined;
  } catch (error) {
    if (!(error instanceof UnreadableContentError || error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** Whether it is the map of exactly the content before it. */
function isMapOf(json: string, contentBytes: number): boolean {
  const map: unknown = JSON.parse(json);
  const files = isObject(map) ? map["files"] : undefined;
  const [file] = Array.isArray(files) ? files : [];
  if (!isObject(file) || !Array.isArray(file["sizes"])) return false;
  const blocks = file["sizes"].map(Number);
  return blocks.reduce((sum, bytes) => sum + bytes, 0) === contentBytes;
}

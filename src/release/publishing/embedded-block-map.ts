/**
 * The block map that electron-builder appends to an AppImage: raw deflate of JSON, then its length in four
 * bytes. By it electron-updater fetches only the blocks that changed.
 */
import { open } from "node:fs/promises";
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { isObject } from "../../contract/is-object.ts";

const LENGTH_BYTES = 4;
/** A map has some 40 bytes for each block of about 16 KiB: this is that of several GiB. */
const MAX_MAP_BYTES = 8 * 1024 * 1024;
const MAX_JSON_BYTES = 64 * 1024 * 1024;

/** The length of the map; null when the file has none, and is then downloaded as a whole. */
export async function readBlockMapSize(path: string): Promise<number | null> {
  if (!path.toLowerCase().endsWith(".appimage")) return null;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = (await readAt(size - LENGTH_BYTES, LENGTH_BYTES)).readUInt32BE();
    const contentBytes = size - LENGTH_BYTES - length;
    if (length === 0 || length > MAX_MAP_BYTES || contentBytes <= 0) return null;
    const map = await readAt(contentBytes, length);
    return (await describes(map, contentBytes)) ? length : null;
  } catch {
    // What cannot be read or inflated is no block map.
    return null;
  } finally {
    await file.close();
  }

  async function readAt(position: number, length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
    if (bytesRead < length) throw new RangeError("The file ended");
    return buffer;
  }
}

const inflate = promisify(inflateRaw);

/** Whether it is the map of exactly the content before it. */
async function describes(map: Buffer, contentBytes: number): Promise<boolean> {
  const json = await inflate(map, { maxOutputLength: MAX_JSON_BYTES });
  const { files } = JSON.parse(json.toString()) as { readonly files?: unknown };
  const [file] = Array.isArray(files) ? files : [];
  if (!isObject(file) || !Array.isArray(file["sizes"])) return false;
  const blocks = file["sizes"].map(Number);
  return blocks.reduce((sum, bytes) => sum + bytes, 0) === contentBytes;
}

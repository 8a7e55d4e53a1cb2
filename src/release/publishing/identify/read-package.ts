/** The architecture that a Debian or RPM package names. */
import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { readAt, readTar } from "./read-archive.ts";

/** The description of a package is small; a longer one is not read. */
const MAX_CONTROL_BYTES = 4 * 1024 * 1024;

/** Node has no decoder for xz: such a package is known by its name. */
const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  "control.tar": (bytes) => bytes,
  "control.tar.gz": (bytes) => gunzipSync(bytes, { maxOutputLength: MAX_CONTROL_BYTES }),
  "control.tar.zst": (bytes) => zstdDecompressSync(bytes, { maxOutputLength: MAX_CONTROL_BYTES }),
};

/** deb(5): an ar archive of debian-binary, the control archive, and the data. */
export async function readDebArchitecture(file: FileHandle): Promise<string | undefined> {
  let at = 8;
  for (let member = 0; member < 3; member++) {
    const header = (await readAt(file, at, 60)).toString("latin1");
    const size = Number.parseInt(header.slice(48, 58), 10);
    if (!(size >= 0)) return undefined;
    const decode = DECODERS[header.slice(0, 16).trim().replace(/\/$/, "")];
    if (decode !== undefined && size <= MAX_CONTROL_BYTES) {
      return readControl(decode, await readAt(file, at + 60, size));
    }
    at += 60 + size + (size % 2);
  }
  return undefined;
}

async function readControl(
  decode: (bytes: Buffer) => Buffer,
  bytes: Buffer,
): Promise<string | undefined> {
  try {
    for await (const { name, head } of readTar(Readable.from([decode(bytes)]))) {
      if (name !== "control" && name !== "./control") continue;
      return /^Architecture:[ \t]*(\S+)/m.exec(head.toString("utf8"))?.[1];
    }
  } catch {
    // What cannot be unpacked tells nothing.
  }
  return undefined;
}

const RPM_LEAD_BYTES = 96;
const ARCH_TAG = 1022;
const MAX_RPM_ENTRIES = 65_536;

/** RPM format V4: a lead, the header of the signature padded to 8 bytes, and the header. */
export async function readRpmArchitecture(file: FileHandle): Promise<string | undefined> {
  const signature = await readRpmHeader(file, RPM_LEAD_BYTES);
  if (signature === undefined) return undefined;
  const header = await readRpmHeader(file, Math.ceil(signature.end / 8) * 8);
  if (header === undefined) return undefined;
  const index = await readAt(file, header.index, header.entries * 16);
  for (let at = 0; at + 16 <= index.length; at += 16) {
    if (index.readUInt32BE(at) !== ARCH_TAG) continue;
    const text = await readAt(file, header.store + index.readUInt32BE(at + 8), 32);
    return text.toString("latin1").split("\0")[0];
  }
  return undefined;
}

async function readRpmHeader(file: FileHandle, at: number) {
  const start = await readAt(file, at, 16);
  if (start.length < 16 || start.readUInt32BE(0) !== 0x8eade801) return undefined;
  const entries = start.readUInt32BE(8);
  if (entries > MAX_RPM_ENTRIES) return undefined;
  const index = at + 16;
  const store = index + entries * 16;
  return { entries, index, store, end: store + start.readUInt32BE(12) };
}

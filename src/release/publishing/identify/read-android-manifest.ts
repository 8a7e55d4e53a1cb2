/** Version and code in the manifest of an Android package, in the binary XML of its tools (ResourceTypes.h). */
import type { Budget } from "./budget.ts";
import { damaged } from "./budget.ts";
import { detectVersion } from "./detect-version.ts";
import type { Findings } from "./findings.ts";

export const MAX_ANDROID_MANIFEST_BYTES = 1024 * 1024;

const STRINGS = 0x0001;
const RESOURCE_IDS = 0x0180;
const START_ELEMENT = 0x0102;
const VERSION_CODE = 0x0101_021b;
const VERSION_NAME = 0x0101_021c;
const TYPE_STRING = 0x03;
const INTEGER_TYPES: ReadonlySet<number> = new Set([0x10, 0x11]);

/** The attributes of the first element, which is the manifest. */
export function readAndroidManifest(content: Buffer, found: Findings, budget: Budget): void {
  let strings = -1;
  let ids = -1;
  // The file is itself a chunk with a header of eight bytes.
  for (let at = 8; at + 8 <= content.length;) {
    budget.enter();
    const [type, size] = [content.readUInt16LE(at), content.readUInt32LE(at + 4)];
    if (size < 8) throw damaged();
    if (type === STRINGS && strings < 0) strings = at;
    if (type === RESOURCE_IDS) ids = at;
    if (type === START_ELEMENT) return readElement(content, at, { strings, ids }, found, budget);
    at += size;
  }
}

function readElement(
  content: Buffer,
  at: number,
  { strings, ids }: Readonly<Record<"strings" | "ids", number>>,
  found: Findings,
  budget: Budget,
): void {
  if (strings < 0 || ids < 0) return;
  const start = at + 16 + content.readUInt16LE(at + 24);
  const [bytes, count] = [content.readUInt16LE(at + 26), content.readUInt16LE(at + 28)];
  const idCount = (content.readUInt32LE(ids + 4) - 8) / 4;
  let name: string | undefined;
  let code: number | undefined;
  for (let index = 0; index < count; index++) {
    budget.enter();
    const attribute = start + index * bytes;
    const label = content.readUInt32LE(attribute + 4);
    if (label >= idCount) continue;
    const id = content.readUInt32LE(ids + 8 + label * 4);
    const [type, data] = [content.readUInt8(attribute + 15), content.readUInt32LE(attribute + 16)];
    if (id === VERSION_CODE && INTEGER_TYPES.has(type)) code = data;
    if (id === VERSION_NAME && type === TYPE_STRING) name = readString(content, strings, data);
  }
  detectVersion(found, "apk", name, code);
}

const UTF8_FLAG = 0x100;

/** Lengths of 128 and more, in UTF-16 of 32,768 and more, have a second part: no version is that long. */
function readString(content: Buffer, pool: number, index: number): string {
  if (index >= content.readUInt32LE(pool + 8)) throw damaged();
  const headerBytes = content.readUInt16LE(pool + 2);
  const start = pool + content.readUInt32LE(pool + 20);
  const at = start + content.readUInt32LE(pool + headerBytes + index * 4);
  const isUtf8 = (content.readUInt32LE(pool + 16) & UTF8_FLAG) !== 0;
  if (isUtf8) return content.toString("utf8", at + 2, at + 2 + content.readUInt8(at + 1));
  return content.toString("utf16le", at + 2, at + 2 + content.readUInt16LE(at) * 2);
}

/** Version and build in the Info.plist of an app for macOS or iOS, as XML or binary. */
import { damaged } from "./budget.ts";
import { detectVersion } from "./detect-version.ts";
import type { Findings } from "./findings.ts";

/** Where the app has it, and not one of the apps inside it. */
export const INFO_PLIST = /^(?:[^/]+\/){0,2}[^/]+\.app\/(?:Contents\/)?Info\.plist$/;
export const MAX_PLIST_BYTES = 256 * 1024;

export function readInfoPlist(content: Buffer, found: Findings): void {
  const isBinary = content.toString("latin1", 0, 8) === "bplist00";
  const read = isBinary ? readBinary(content) : readXml(content.toString("utf8"));
  const build = read("CFBundleVersion") ?? "";
  detectVersion(
    found,
    "plist",
    read("CFBundleShortVersionString"),
    /^[1-9][0-9]*$/.test(build) ? Number(build) : undefined,
  );
}

type ReadValue = (key: string) => string | undefined;

function readXml(text: string): ReadValue {
  return (key) => {
    const at = text.indexOf(`<key>${key}</key>`);
    if (at < 0) return undefined;
    const rest = text.slice(at + key.length + "<key></key>".length);
    return /^\s*<string>([^<]*)<\/string>/.exec(rest)?.[1];
  };
}

const TRAILER_BYTES = 32;

/** The strings of the top dictionary. */
function readBinary(content: Buffer): ReadValue {
  const trailer = content.subarray(-TRAILER_BYTES);
  const [offsetBytes, referenceBytes] = [trailer.readUInt8(6), trailer.readUInt8(7)];
  const table = Number(trailer.readBigUInt64BE(24));
  const offsetOf = (object: number) =>
    readUnsigned(content, table + object * offsetBytes, offsetBytes);
  const top = readMarker(content, offsetOf(Number(trailer.readBigUInt64BE(16))));
  if (top.type !== 0xd) throw damaged();
  const reference = (index: number) =>
    readUnsigned(content, top.start + index * referenceBytes, referenceBytes);
  return (key) => {
    for (let index = 0; index < top.count; index++) {
      if (readString(content, offsetOf(reference(index))) !== key) continue;
      return readString(content, offsetOf(reference(top.count + index)));
    }
    return undefined;
  };
}

/** The type of an object, how many parts it has, and where they begin. */
function readMarker(content: Buffer, at: number) {
  const marker = content.readUInt8(at);
  const [type, short] = [marker >> 4, marker & 0xf];
  if (short !== 0xf) return { type, count: short, start: at + 1 };
  const lengthBytes = 2 ** (content.readUInt8(at + 1) & 0xf);
  const start = at + 2 + lengthBytes;
  return { type, count: readUnsigned(content, at + 2, lengthBytes), start };
}

function readString(content: Buffer, at: number): string | undefined {
  const { type, count, start } = readMarker(content, at);
  if (type === 5) return content.toString("latin1", start, start + count);
  if (type !== 6) return undefined;
  return Buffer.from(content.subarray(start, start + count * 2).toString("latin1"), "latin1")
    .swap16()
    .toString("utf16le");
}

/** At most six bytes, which is more than any place in a file that is read here. */
function readUnsigned(content: Buffer, at: number, bytes: number): number {
  if (bytes > 6) throw damaged();
  return content.readUIntBE(at, bytes);
}

/** What an RPM package says of itself, by format V4: a lead, the header of the signature, and the header. */
import type { BoundedFile } from "./bounded-file.ts";
import { damaged } from "./budget.ts";
import { detectVersion } from "./detect-version.ts";
import type { Findings } from "./findings.ts";

const LEAD_BYTES = 96;
const ENTRY_BYTES = 16;
const VERSION_TAG = 1001;
const ARCHITECTURE_TAG = 1022;
const MAX_TEXT_BYTES = 256;

export async function readRpm(file: BoundedFile, found: Findings): Promise<void> {
  found.kind = "RPM package";
  found.platform = "linux";
  const signature = await readHeader(file, LEAD_BYTES);
  const header = await readHeader(file, Math.ceil(signature.end / 8) * 8);
  for (let at = header.index; at < header.store; at += ENTRY_BYTES) {
    file.budget.enter();
    const entry = await file.read(at, ENTRY_BYTES);
    const tag = entry.readUInt32BE(0);
    if (tag !== ARCHITECTURE_TAG && tag !== VERSION_TAG) continue;
    const text = await readText(file, header.store + entry.readUInt32BE(8));
    if (tag === ARCHITECTURE_TAG) found.architecture = text;
    else detectVersion(found, "rpm", text);
    if (found.architecture !== undefined && found.detected !== undefined) return;
  }
}

async function readHeader(file: BoundedFile, at: number) {
  const start = await file.read(at, ENTRY_BYTES);
  if (start.readUInt32BE(0) !== 0x8eade801) throw damaged();
  const index = at + ENTRY_BYTES;
  const store = index + start.readUInt32BE(8) * ENTRY_BYTES;
  const end = store + start.readUInt32BE(12);
  if (end > file.size) throw damaged();
  return { index, store, end };
}

async function readText(file: BoundedFile, at: number): Promise<string> {
  const bytes = await file.readUpTo(at, MAX_TEXT_BYTES);
  return bytes.toString("latin1").split("\0")[0] ?? "";
}

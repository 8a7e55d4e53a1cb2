/** Recognises a file by its first bytes, and has the reader of that format look into it. */
import type { BoundedFile } from "./bounded-file.ts";
import { UnreadableContentError } from "./budget.ts";
import { detectVersion } from "./detect-version.ts";
import type { Findings } from "./findings.ts";
import { readAppImage } from "./read-app-image.ts";
import { readAppTar } from "./read-app-tar.ts";
import { readAppZip } from "./read-app-zip.ts";
import { readDeb } from "./read-deb.ts";
import { HEADER_BYTES, readExecutable, type Executable } from "./read-executable.ts";
import { readMsi } from "./read-msi.ts";
import { readNsis } from "./read-nsis.ts";
import { readPeVersion } from "./read-pe-version.ts";
import { readRpm } from "./read-rpm.ts";

export interface ContentResult {
  readonly found: Readonly<Findings>;
  /** Whether the budget ended before everything was seen. */
  readonly isTooComplex: boolean;
}

/** The kind is absent when the content is of none that is known here. */
export async function readContent(file: BoundedFile, name: string): Promise<ContentResult> {
  const found: Findings = {};
  try {
    await recognise(file, name, found);
    return { found, isTooComplex: false };
  } catch (error) {
    // Offsets that lead out of what was read of the file are refused by Node itself.
    if (error instanceof RangeError) return { found, isTooComplex: false };
    if (!(error instanceof UnreadableContentError)) throw error;
    return { found, isTooComplex: error.reason === "too-complex" };
  }
}

async function recognise(file: BoundedFile, name: string, found: Findings): Promise<void> {
  const head = await file.readUpTo(0, HEADER_BYTES);
  const executable = readExecutable(head);
  if (executable !== undefined) {
    describeExecutable(executable, head, found);
    if (found.kind === APP_IMAGE) await readAppImage(file, found);
    if (executable.format !== "PE") return;
    detectVersion(found, "exe", await readPeVersion(file));
    return executable.architecture === "x86" ? readNsis(file, found) : undefined;
  }
  const magic = head.toString("latin1", 0, 16);
  const isNamed = (extension: string) => name.toLowerCase().endsWith(extension);
  const reader = READERS.find(([start]) => magic.startsWith(start))?.[1];
  if (reader !== undefined) return reader(file, found);
  if (magic.startsWith(COMPOUND_FILE) && isNamed(".msi")) return readMsi(file, found);
  const simple = SIMPLE_MAGICS.find(
    ([start, , extension]) => magic.startsWith(start) && isNamed(extension),
  );
  if (simple !== undefined) Object.assign(found, simple[1]);
  else if (await isDiskImage(file)) Object.assign(found, { kind: "disk image", platform: "macos" });
}

type Reader = (file: BoundedFile, found: Findings) => Promise<void>;

const READERS: readonly (readonly [start: string, read: Reader])[] = [
  ["PK\x03\x04", readAppZip],
  ["\x1f\x8b", readAppTar],
  ["!<arch>\ndebian", readDeb],
  ["\xed\xab\xee\xdb", readRpm],
];

/** Other programs use it for documents. */
const COMPOUND_FILE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/** Formats of which the first bytes tell the platform, and the extension which of several it is. */
const SIMPLE_MAGICS: readonly (readonly [start: string, found: Findings, extension: string])[] = [
  ["xar!", { kind: "installer package", platform: "macos" }, ".pkg"],
  ["hsqs", { kind: "snap", platform: "linux" }, ".snap"],
  ["flatpak", { kind: "Flatpak bundle", platform: "linux" }, ".flatpak"],
];

/** A disk image ends with a block that begins like this. */
async function isDiskImage(file: BoundedFile): Promise<boolean> {
  const trailer = await file.readUpTo(Math.max(0, file.size - 512), 4);
  return trailer.toString("latin1") === "koly";
}

const APP_IMAGE = "AppImage";
const APP_IMAGE_MAGICS: ReadonlySet<string> = new Set(["AI\x01", "AI\x02"]);

function describeExecutable(executable: Executable, head: Buffer, found: Findings): void {
  const { format, platform, architecture, isSigned } = executable;
  // AppImage specification, image format: "AI" and the type in the padding of the ELF header.
  const isAppImage = format === "ELF" && APP_IMAGE_MAGICS.has(head.toString("latin1", 8, 11));
  found.kind = isAppImage ? APP_IMAGE : `${format} program`;
  found.platform = platform;
  found.isInstaller = format === "PE";
  if (architecture !== undefined) found.architecture = architecture;
  if (isSigned !== undefined) found.isSigned = isSigned;
}

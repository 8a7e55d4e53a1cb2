/** What a built file is: its kind, platform and architecture, by its content first and then by its name. */
import { open, type FileHandle } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import type { ArtifactPlatform, Distribution } from "../../../contract/release/values.ts";
import { architectureInName, checkArchitecture } from "../../../rules/release/architectures.ts";
import { platformInName, platformOfKind } from "../../../rules/release/file-kinds.ts";
import { readAt, readTar, readZip, type ArchiveEntry } from "./read-archive.ts";
import { HEADER_BYTES, readExecutable, type Executable } from "./read-executable.ts";
import { readDebArchitecture, readRpmArchitecture } from "./read-package.ts";

export interface IdentifiedFile {
  /** What people call it, such as "disk image". */
  readonly kind: string;
  readonly platform?: ArtifactPlatform;
  readonly architecture?: string;
  readonly distribution?: Distribution;
  /** Whether the file has a code signature; absent when the content does not tell. */
  readonly isSigned?: boolean;
  /** Why the platform or the architecture is not known. */
  readonly doubt?: string;
}

/** What the content tells. */
interface Content {
  readonly kind: string;
  readonly platform?: ArtifactPlatform;
  readonly architecture?: string | undefined;
  readonly distribution?: Distribution;
  readonly isSigned?: boolean | undefined;
  /** A 32-bit installer may install a program of any architecture. */
  readonly isInstaller?: boolean;
}

/** Reads a few parts of the file, however large it is. Throws what the file system says. */
export async function identifyFile(path: string, name: string): Promise<IdentifiedFile> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return decide(name, await readContent(file, size, name));
  } finally {
    await file.close();
  }
}

/** The name tells what the content cannot. Where the two differ, a person must tell. */
function decide(name: string, content: Content | undefined): IdentifiedFile {
  const expected = platformOfKind(name);
  if (expected?.isReadable === true && content?.platform !== expected.platform) {
    const found = content === undefined ? "of an unknown kind" : content.kind;
    return {
      kind: "unknown",
      doubt: `its name is that of a file for ${expected.platform}, and its content is ${found}`,
    };
  }
  const platform = content?.platform ?? expected?.platform ?? platformInName(name);
  const kind = content?.kind ?? "file";
  const { distribution, isSigned } = content ?? {};
  const facts = {
    kind,
    ...(platform !== undefined && { platform }),
    ...(distribution !== undefined && { distribution }),
    ...(isSigned !== undefined && { isSigned }),
  };
  const { architecture, doubt } = decideArchitecture(name, content);
  if (architecture !== undefined && platform !== undefined) return { ...facts, architecture };
  return {
    ...facts,
    doubt:
      platform === undefined ? "neither its name nor its content names a platform" : (doubt ?? ""),
  };
}

function decideArchitecture(name: string, content: Content | undefined) {
  const named = architectureInName(name);
  const read = content?.architecture && usualName(content.architecture);
  const isStub = content?.isInstaller === true && read === "x86";
  if (isStub && named === undefined) {
    return {
      doubt: "a 32-bit installer may install another architecture, and its name tells none",
    };
  }
  if (read === undefined || isStub) {
    return named === undefined
      ? { doubt: "neither its name nor its content tells the architecture" }
      : { architecture: named };
  }
  return named === undefined || named === read
    ? { architecture: read }
    : { doubt: `its name says ${named}, and its content ${read}` };
}

function usualName(architecture: string): string {
  const check = checkArchitecture(architecture);
  return check.kind === "alias" ? check.usual : architecture;
}

/** Undefined when the content is of no kind that is known here. */
async function readContent(
  file: FileHandle,
  size: number,
  name: string,
): Promise<Content | undefined> {
  const head = await readAt(file, 0, HEADER_BYTES);
  const executable = readExecutable(head);
  if (executable !== undefined) return describeExecutable(executable, head);
  const magic = head.toString("latin1", 0, 16);
  if (magic.startsWith("PK\x03\x04")) return describeZip(await readZip(file, size));
  if (magic.startsWith("\x1f\x8b")) return describeTar(file);
  if (magic.startsWith("!<arch>\ndebian")) {
    const architecture = await readDebArchitecture(file);
    return { kind: "Debian package", platform: "linux", architecture };
  }
  if (magic.startsWith("\xed\xab\xee\xdb")) {
    const architecture = await readRpmArchitecture(file);
    return { kind: "RPM package", platform: "linux", architecture };
  }
  const simple = SIMPLE_MAGICS.find(
    ([start, , extension]) => magic.startsWith(start) && name.toLowerCase().endsWith(extension),
  );
  if (simple !== undefined) return simple[1];
  const trailer = await readAt(file, Math.max(0, size - 512), 4);
  return trailer.toString("latin1") === "koly"
    ? { kind: "disk image", platform: "macos" }
    : undefined;
}

/** Formats of which the first bytes tell the platform, and the extension which of several it is. */
const SIMPLE_MAGICS: readonly (readonly [start: string, content: Content, extension: string])[] = [
  ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", { kind: "MSI installer", platform: "windows" }, ".msi"],
  ["xar!", { kind: "installer package", platform: "macos" }, ".pkg"],
  ["hsqs", { kind: "snap", platform: "linux" }, ".snap"],
  ["flatpak", { kind: "Flatpak bundle", platform: "linux" }, ".flatpak"],
];

const APP_IMAGE_MAGICS: ReadonlySet<string> = new Set(["AI\x01", "AI\x02"]);

function describeExecutable(executable: Executable, head: Buffer): Content {
  const { format, platform, architecture, isSigned } = executable;
  // AppImage specification, image format: "AI" and the type in the padding of the ELF header.
  const isAppImage = format === "ELF" && APP_IMAGE_MAGICS.has(head.toString("latin1", 8, 11));
  const kind = isAppImage ? "AppImage" : `${format} program`;
  return { kind, platform, architecture, isSigned, isInstaller: format === "PE" };
}

const MAC_PROGRAM = /\.app\/Contents\/MacOS\/[^/]+$/;
const NATIVE_LIBRARY = /^(?:base\/)?lib\/([^/]+)\/[^/]+\.so$/;

async function describeZip(entries: readonly ArchiveEntry[]): Promise<Content | undefined> {
  const names = new Set(entries.map(({ name }) => name));
  if (names.has("AndroidManifest.xml")) {
    const architecture = androidArchitecture(entries);
    return { kind: "Android package", platform: "android", architecture, distribution: "direct" };
  }
  if (names.has("base/manifest/AndroidManifest.xml")) {
    const architecture = androidArchitecture(entries);
    return { kind: "app bundle", platform: "android", architecture, distribution: "play" };
  }
  if (entries.some(({ name }) => /^Payload\/[^/]+\.app\//.test(name))) {
    // Every system that still gets updates runs on arm64 alone.
    return { kind: "iOS app", platform: "ios", architecture: "arm64" };
  }
  if (names.has("AppxManifest.xml") || names.has("AppxMetadata/AppxBundleManifest.xml")) {
    return { kind: "MSIX package", platform: "windows" };
  }
  for (const { name, head } of entries) {
    const isProgram = MAC_PROGRAM.test(name) || /^[^/]*\/?[^/]+\.exe$/i.test(name);
    const executable = isProgram ? readExecutable(await head()) : undefined;
    if (executable !== undefined) return inArchive("ZIP archive", executable);
  }
  return { kind: "ZIP archive" };
}

/** An app without native code, or with that of several processors, is for all. */
function androidArchitecture(entries: readonly ArchiveEntry[]): string {
  const found = new Set(entries.flatMap(({ name }) => NATIVE_LIBRARY.exec(name)?.[1] ?? []));
  return found.size === 1 ? ([...found][0] ?? "universal") : "universal";
}

function inArchive(archive: string, { platform, architecture }: Executable): Content {
  const kind = platform === "macos" ? `app in a ${archive}` : archive;
  return { kind, platform, architecture, isInstaller: platform === "windows" };
}

/** A program is near the beginning of an archive, and the rest of a large one is not unpacked. */
const MAX_PACKED_BYTES = 64 * 1024 * 1024;

async function describeTar(file: FileHandle): Promise<Content> {
  const packed = file.createReadStream({ start: 0, end: MAX_PACKED_BYTES, autoClose: false });
  const unpacked = packed.pipe(createGunzip());
  packed.once("error", (error) => unpacked.destroy(error));
  try {
    for await (const { name, head } of readTar(unpacked)) {
      const executable = readExecutable(head);
      const isProgram = executable?.format !== "Mach-O" || MAC_PROGRAM.test(name);
      if (executable !== undefined && isProgram) return inArchive("tar archive", executable);
    }
  } catch {
    // A cut or broken archive tells nothing.
  } finally {
    packed.destroy();
    unpacked.destroy();
  }
  return { kind: "gzip archive" };
}

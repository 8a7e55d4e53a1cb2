/** What an archive in the ZIP format is: a package of a system, or an archive with a program in it. */
import type { BoundedFile } from "./bounded-file.ts";
import { UnreadableContentError, type Budget } from "./budget.ts";
import { findAppFolder, findProgram, type Findings } from "./findings.ts";
import { MAX_ANDROID_MANIFEST_BYTES, readAndroidManifest } from "./read-android-manifest.ts";
import { HEADER_BYTES, MAC_PROGRAM, readExecutable } from "./read-executable.ts";
import { INFO_PLIST, MAX_PLIST_BYTES, readInfoPlist } from "./read-info-plist.ts";
import { readZip, type ZipEntry } from "./read-zip.ts";

const ARCHIVE = "ZIP archive";
const ANDROID_MANIFEST = "AndroidManifest.xml";

export async function readAppZip(file: BoundedFile, found: Findings): Promise<void> {
  found.kind = ARCHIVE;
  const entries: ZipEntry[] = [];
  let end: unknown;
  try {
    for await (const entry of readZip(file)) entries.push(entry);
  } catch (error) {
    if (!(error instanceof UnreadableContentError)) throw error;
    end = error;
  }
  await describe(entries, found);
  if (found.platform === undefined && end !== undefined) findAppFolder(found, ARCHIVE, entries);
  await readVersion(entries, found, file.budget);
  if (end !== undefined) throw end;
}

async function readVersion(
  entries: readonly ZipEntry[],
  found: Findings,
  budget: Budget,
): Promise<void> {
  if (found.platform === "android") {
    const manifest = entries.find(({ name }) => name === ANDROID_MANIFEST);
    if (manifest === undefined) return;
    readAndroidManifest(await manifest.start(MAX_ANDROID_MANIFEST_BYTES), found, budget);
  } else if (found.platform === "macos" || found.platform === "ios") {
    const plist = entries.find(({ name }) => INFO_PLIST.test(name));
    if (plist !== undefined) readInfoPlist(await plist.start(MAX_PLIST_BYTES), found);
  }
}

async function describe(entries: readonly ZipEntry[], found: Findings): Promise<void> {
  const names = new Set(entries.map(({ name }) => name));
  if (names.has(ANDROID_MANIFEST)) {
    const architecture = androidArchitecture(names);
    const kind = "Android package";
    Object.assign(found, { kind, platform: "android", architecture, distribution: "direct" });
  } else if (names.has("base/manifest/AndroidManifest.xml")) {
    const architecture = androidArchitecture(names);
    const kind = "app bundle";
    Object.assign(found, { kind, platform: "android", architecture, distribution: "play" });
  } else if (entries.some(({ name }) => /^Payload\/[^/]+\.app\//.test(name))) {
    // Every system that still gets updates runs on arm64 alone.
    Object.assign(found, { kind: "iOS app", platform: "ios", architecture: "arm64" });
  } else if (names.has("AppxManifest.xml") || names.has("AppxMetadata/AppxBundleManifest.xml")) {
    Object.assign(found, { kind: "MSIX package", platform: "windows" });
  } else await describeProgram(entries, found);
}

async function describeProgram(entries: readonly ZipEntry[], found: Findings): Promise<void> {
  for (const { name, start } of entries) {
    const isProgram = MAC_PROGRAM.test(name) || isWindowsProgram(name);
    const executable = isProgram ? readExecutable(await start(HEADER_BYTES)) : undefined;
    if (executable !== undefined) return findProgram(found, ARCHIVE, executable);
  }
}

/** In the archive, or in the folder that it has everything in. */
function isWindowsProgram(name: string): boolean {
  return name.toLowerCase().endsWith(".exe") && name.split("/").length <= 2;
}

const NATIVE_LIBRARY = /^(?:base\/)?lib\/([^/]+)\/[^/]+\.so$/;

/** An app without native code, or with that of several processors, is for all. */
function androidArchitecture(names: ReadonlySet<string>): string {
  const found = new Set([...names].flatMap((name) => NATIVE_LIBRARY.exec(name)?.[1] ?? []));
  return found.size === 1 ? ([...found][0] ?? "universal") : "universal";
}

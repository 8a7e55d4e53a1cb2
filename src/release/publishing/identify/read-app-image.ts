/** The version of an AppImage: X-AppImage-Version in the desktop entry of its file system. */
import type { BoundedFile } from "./bounded-file.ts";
import { detectVersion } from "./detect-version.ts";
import type { Findings } from "./findings.ts";
import { readSquashRoot, type SquashEntry } from "./squashfs.ts";

export async function readAppImage(file: BoundedFile, found: Findings): Promise<void> {
  const root = await readSquashRoot(file, await findImage(file));
  // Some tools link the entry in the root to the one that they installed.
  const entry = findDesktopEntry(root) ?? findDesktopEntry(await listInstalled(root));
  const text = (await entry?.read())?.toString("utf8") ?? "";
  detectVersion(found, "appimage", /^X-AppImage-Version=(.*)$/m.exec(text)?.[1]);
}

/** The file system follows the program that mounts it, which ends with its section headers. */
async function findImage(file: BoundedFile): Promise<number> {
  const header = await file.read(0, 64);
  return header.readUInt8(4) === 1
    ? header.readUInt32LE(32) + header.readUInt16LE(46) * header.readUInt16LE(48)
    : Number(header.readBigUInt64LE(40)) + header.readUInt16LE(58) * header.readUInt16LE(60);
}

function findDesktopEntry(entries: readonly SquashEntry[]): SquashEntry | undefined {
  return entries.find(({ name, isFile }) => isFile && name.endsWith(".desktop"));
}

async function listInstalled(root: readonly SquashEntry[]): Promise<readonly SquashEntry[]> {
  let entries = root;
  for (const part of ["usr", "share", "applications"]) {
    const folder = entries.find(({ name }) => name === part);
    entries = folder === undefined ? [] : await folder.list();
  }
  return entries;
}

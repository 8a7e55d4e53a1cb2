/** The program in a packed tar archive, such as the one that Tauri's updater installs. */
import type { BoundedFile } from "./bounded-file.ts";
import { UnreadableContentError } from "./budget.ts";
import { findAppFolder, findProgram, type Findings } from "./findings.ts";
import { inflate } from "./inflate.ts";
import { HEADER_BYTES, MAC_PROGRAM, readExecutable } from "./read-executable.ts";
import { INFO_PLIST, MAX_PLIST_BYTES, readInfoPlist } from "./read-info-plist.ts";
import { readTar, type TarEntry } from "./read-tar.ts";

const ARCHIVE = "tar archive";

export async function readAppTar(file: BoundedFile, found: Findings): Promise<void> {
  found.kind = "gzip archive";
  const entries: Pick<TarEntry, "name">[] = [];
  const unpacked = inflate("gzip", file.pieces(0), file.budget);
  try {
    for await (const { name, start } of readTar(unpacked, file.budget)) {
      entries.push({ name });
      if (INFO_PLIST.test(name)) readInfoPlist(await start(MAX_PLIST_BYTES), found);
      else if (found.platform === undefined) readProgram(name, await start(HEADER_BYTES), found);
      // An app for macOS has its version in another file, before the program or behind it.
      const isWhole = found.platform !== "macos" || found.detected !== undefined;
      if (found.platform !== undefined && isWhole) return;
    }
  } catch (error) {
    if (error instanceof UnreadableContentError) findAppFolder(found, ARCHIVE, entries);
    throw error;
  }
}

function readProgram(name: string, head: Buffer, found: Findings): void {
  const executable = readExecutable(head);
  const isProgram = executable?.format !== "Mach-O" || MAC_PROGRAM.test(name);
  if (executable !== undefined && isProgram) findProgram(found, ARCHIVE, executable);
}

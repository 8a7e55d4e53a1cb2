/** Forces files and names to the disk, where a crash of the machine finds them. */
import { open } from "node:fs/promises";

export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Forces the names in the folder to the disk, not the contents of its files. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder; its file systems journal names themselves.
  if (process.platform !== "win32") await syncFile(folder);
}

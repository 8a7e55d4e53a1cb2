/** A file that is there whole or not at all, and never in the place of another. */
import { randomBytes } from "node:crypto";
import { link, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** The name is taken. */
export class FileExistsError extends Error {
  constructor(path: string) {
    super(`There is already a file "${path}": name another`);
    this.name = "FileExistsError";
  }
}

/**
 * `write` makes the file under a name of its own and has it on the disk when it settles; then it
 * gets its name. When anything fails nothing is left.
 */
export async function placeFile<T>(path: string, write: (draft: string) => Promise<T>): Promise<T> {
  if (await exists(path)) throw new FileExistsError(path);
  const draft = `${path}.${randomBytes(6).toString("hex")}.partial`;
  try {
    const result = await write(draft);
    await giveName(draft, path);
    await syncFolder(dirname(path));
    return result;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Writes over what is there, in one step. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}.partial`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    await syncFolder(dirname(path));
  } finally {
    await rm(draft, { force: true });
  }
}

async function giveName(draft: string, path: string): Promise<void> {
  try {
    // Fails when somebody took the name meanwhile; a rename would write over theirs.
    await link(draft, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new FileExistsError(path);
    // Memory sticks know no links.
    if (await exists(path)) throw new FileExistsError(path);
    await rename(draft, path);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder; its file systems keep names in order by themselves.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

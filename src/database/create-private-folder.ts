import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { StorageUnavailableError } from "./database.ts";

/**
 * Creates a folder for this user alone, and those above it. Node's own `recursive` never returns where a folder
 * exists and none can be created in it, such as in /proc.
 */
export function createPrivateFolder(path: string): void {
  const code = tryToCreate(path);
  if (code === undefined) return;
  const above = dirname(path);
  if (code === "ENOENT" && above !== path) {
    createPrivateFolder(above);
    if (tryToCreate(path) === undefined) return;
  }
  throw new StorageUnavailableError(`its folder "${path}" cannot be created (${code})`);
}

/** Returns the code of the error. */
function tryToCreate(path: string): string | undefined {
  try {
    mkdirSync(path, { mode: 0o700 });
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "EEXIST" ? undefined : code;
  }
}

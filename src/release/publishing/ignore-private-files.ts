/** Keeps private keys and databases out of version control. */
import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";

const IGNORE_EVERYTHING = "*\n";

/**
 * Writes a .gitignore into the data folder. When that folder also holds something that belongs in
 * version control, the folder of the keys gets it instead. An existing file is left as it is.
 */
export function ignorePrivateFiles(
  dataFolder: string,
  keysFolder: string,
  sharedPaths: readonly string[],
): void {
  const folder = sharedPaths.some((path) => isInside(dataFolder, path)) ? keysFolder : dataFolder;
  const file = join(folder, ".gitignore");
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, IGNORE_EVERYTHING, { flag: "wx" });
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
}

/** Every file of a frozen folder is compressed: an empty store has a page for each of its tables. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

const ENDING = ".gz";

export async function packFolder(from: string, to: string): Promise<void> {
  for (const file of await listFiles(from)) {
    const packed = gzipSync(await readFile(join(from, file)), { level: 9 });
    await writeFile(await makePlace(to, file + ENDING), packed);
  }
}

/** Only their user reads the files: there are keys among them. */
export async function unpackFolder(from: string, to: string): Promise<void> {
  for (const file of await listFiles(from)) {
    const bytes = gunzipSync(await readFile(join(from, file)));
    await writeFile(await makePlace(to, file.slice(0, -ENDING.length)), bytes, { mode: 0o600 });
  }
}

async function makePlace(folder: string, file: string): Promise<string> {
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

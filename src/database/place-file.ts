/** Files that exist whole or not at all. */
import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { link, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { syncFolder } from "./sync-path.ts";
import { endLines, toChunks } from "./text-chunks.ts";

export class FileExistsError extends Error {
  constructor(path: string) {
    super(`There is already a file "${path}": name another`);
    this.name = "FileExistsError";
  }
}

/**
 * `write` makes the file under a temporary name and has it on the disk when it resolves; then the file
 * gets its name, which must be free. When anything fails, no file is left.
 */
export async function placeFile<T>(path: string, write: (draft: string) => Promise<T>): Promise<T> {
  if (await exists(path)) throw new FileExistsError(path);
  return withDraft(path, async (draft) => {
    const result = await write(draft);
    await linkNew(draft, path);
    return result;
  });
}

/** Replaces the contents of a file atomically. What is not durable may be the old contents after a power cut. */
export async function replaceFile(
  path: string,
  text: string,
  { isDurable = true } = {},
): Promise<void> {
  await withDraft(
    path,
    async (draft) => {
      await writeFile(draft, text, { flag: "wx", mode: 0o600, flush: isDurable });
      await rename(draft, path);
    },
    isDurable,
  );
}

async function withDraft<T>(
  path: string,
  run: (draft: string) => Promise<T>,
  isDurable = true,
): Promise<T> {
  const draft = `${path}.${randomBytes(6).toString("hex")}.partial`;
  try {
    const result = await run(draft);
    if (isDurable) await syncFolder(dirname(path));
    return result;
  } finally {
    await rm(draft, { force: true });
  }
}

async function linkNew(draft: string, path: string): Promise<void> {
  try {
    // Unlike a rename, a link fails when the name was taken meanwhile.
    await link(draft, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // File systems of memory sticks have no links.
    if (code === "EEXIST" || (await exists(path))) throw new FileExistsError(path);
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

type LineTransform = Transform | ((chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>);

/** Streams lines to a new private file, which is on the disk when this resolves. */
export async function writeLines(
  path: string,
  lines: AsyncIterable<string>,
  ...transforms: readonly LineTransform[]
): Promise<void> {
  const source = Readable.from(toChunks(endLines(lines)), { objectMode: false });
  const target = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
  await pipeline([source, ...transforms, target]);
}

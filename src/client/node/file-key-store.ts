import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../../database/place-file.ts";
import type { KeyStore } from "../sync/encryption.ts";

/** The bits of a file's mode that let others in. */
const OTHERS = 0o077;

/**
 * Keeps keys in a folder, in a file for each name that only its owner can read. The folder is made when it
 * is missing. A file that others can read is refused: its keys may be known.
 * @param folder - the path of the folder
 * @returns a key store, for `createEncryption`
 */
export function createFileKeyStore(folder: string): KeyStore {
  if (typeof (folder as unknown) !== "string" || folder === "") {
    throw new TypeError("Cannot create the key store: the folder is missing");
  }
  // A name is a device id; whatever it is, it leads to no other folder.
  const pathOf = (name: string) => join(folder, `${encodeURIComponent(name)}.key`);
  return {
    read: (name) => readPrivateFile(pathOf(name)),
    async write(name, keys) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await replaceFile(pathOf(name), keys);
    },
    delete: (name) => rm(pathOf(name), { force: true }),
  };
}

/** Null when there is no such file. */
async function readPrivateFile(path: string): Promise<string | null> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (file === null) return null;
  try {
    // Windows has no such bits.
    if (process.platform !== "win32" && ((await file.stat()).mode & OTHERS) !== 0) {
      throw new Error(`Cannot use the keys in "${path}": others can read it; run chmod 600 on it`);
    }
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { nodeFiles } from "../catalog/file-port.ts";
import { explainSystemError, isSystemError } from "./change-catalog.ts";
import {
  objectStorageError,
  type CompareResult,
  type NewObject,
  type ObjectContent,
  type ObjectStorage,
  type ObjectStorageError,
  type PutOptions,
  type PutResult,
} from "../../backup/storage/object-storage.ts";
import { ChangedFileError, sha256OfStream, streamFile } from "../../backup/storage/stream-file.ts";

/** A folder that a web server serves, or that another program copies to one. */
export function createFolderStorage(folder: string): ObjectStorage {
  const root = resolve(folder);
  const pathOf = (key: string) => {
    const path = join(root, ...key.split("/"));
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) {
      throw new Error(`The key "${key}" leads out of "${root}"`);
    }
    return path;
  };
  return {
    addressOf: pathOf,
    compare: (object) => compareFile(pathOf(object.key), object).catch(explainFailure),
    put: (object, options) => putFile(pathOf(object.key), object, options).catch(explainFailure),
  };
}

async function compareFile(path: string, { size, sha256 }: ObjectContent): Promise<CompareResult> {
  const stats = await statIfThere(path);
  if (stats === null) return { kind: "absent" };
  if (!stats.isFile() || stats.size !== size) return { kind: "different" };
  const found = await sha256OfStream(createReadStream(path));
  return { kind: found === sha256 ? "equal" : "different" };
}

async function putFile(
  path: string,
  object: NewObject,
  { isReplacing, onProgress }: PutOptions,
): Promise<PutResult> {
  const stats = await statIfThere(path);
  if (stats !== null && !isReplacing) return { kind: "exists" };
  if (stats?.isDirectory() === true)
    return objectStorageError(`"${path}" is a folder: move it away`);
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const unfinished = join(folder, `.trellis-${randomUUID()}.part`);
  try {
    await writeDurably(unfinished, object, onProgress);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  nodeFiles.syncFolder(folder);
  return { kind: "stored" };
}

async function writeDurably(
  path: string,
  object: NewObject,
  onProgress: PutOptions["onProgress"],
): Promise<void> {
  const hash = createHash("sha256");
  const file = await open(path, "wx");
  try {
    for await (const bytes of streamFile(object, onProgress)) {
      hash.update(bytes);
      await file.writeFile(bytes);
    }
    if (hash.digest("hex") !== object.sha256) throw new ChangedFileError(object.path);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function statIfThere(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}

function explainFailure(error: unknown): ObjectStorageError {
  if (error instanceof ChangedFileError) return objectStorageError(error.message);
  if (isSystemError(error)) return objectStorageError(explainSystemError(error));
  throw error;
}

import { createReadStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ObjectStorageError } from "../object-storage/object-storage.ts";
import type { S3Storage } from "../object-storage/s3-storage.ts";
import { sha256OfStream } from "../object-storage/stream-file.ts";
import { BackupPlaceError, type BackupDestination } from "./backup-destination.ts";
import { parseBackupName } from "./backup-name.ts";

/** A backup is made and verified in `workFolder`, which is its own, before it goes to the bucket. */
export function createS3Destination(storage: S3Storage, workFolder: string): BackupDestination {
  const removeWork = () => rm(workFolder, { recursive: true, force: true });
  return {
    workFolder,
    addressOf: storage.addressOf,
    async list(prefix) {
      const { objects } = expectDone(await storage.list(prefix));
      return objects.flatMap(({ key, size }) => {
        const createdAt = parseBackupName(prefix, key);
        return createdAt === null ? [] : [{ name: key, createdAt, bytes: size }];
      });
    },
    async store(name, create) {
      await mkdir(workFolder, { recursive: true, mode: 0o700 });
      try {
        const path = join(workFolder, name);
        const created = await create(path);
        await upload(storage, name, path);
        return created;
      } finally {
        await removeWork();
      }
    },
    async remove(name) {
      expectDone(await storage.remove(name));
    },
    removeDrafts: removeWork,
  };
}

/** What arrived is read back: an object that differs is removed. */
async function upload(storage: S3Storage, key: string, path: string): Promise<void> {
  const { size } = await stat(path);
  const sha256 = await sha256OfStream(createReadStream(path));
  const object = {
    key,
    path,
    size,
    sha256,
    contentType: "application/octet-stream",
    cacheControl: "private, no-store",
  };
  const { kind } = expectDone(await storage.put(object, { isReplacing: false }));
  if (kind === "exists") {
    throw new BackupPlaceError(`${storage.addressOf(key)} is there already: nothing was replaced`);
  }
  const read = expectDone(await storage.hash(key));
  if (read.sha256 === sha256) return;
  await storage.remove(key);
  throw new BackupPlaceError(
    `${storage.addressOf(key)} is not what was sent, so it was removed: check the storage`,
  );
}

function expectDone<R extends { readonly kind: string }>(
  result: R | ObjectStorageError,
): Exclude<R, ObjectStorageError> {
  if (result.kind === "failed") throw new BackupPlaceError((result as ObjectStorageError).message);
  return result as Exclude<R, ObjectStorageError>;
}

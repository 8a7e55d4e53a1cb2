/** A place for scheduled backups. A backup has its name there only when it is complete and verified. */
import { createReadStream, existsSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ObjectStorageError } from "../object-storage/object-storage.ts";
import { parseS3Address, readS3Settings, type S3Options } from "../object-storage/s3-settings.ts";
import { createS3Storage, type S3Storage } from "../object-storage/s3-storage.ts";
import { sha256OfStream } from "../object-storage/stream-file.ts";
import { isBackupDraft, parseBackupName } from "./backup-name.ts";

export interface BackupDestination {
  /** A folder on this machine, with space for a backup and for the scratch store that verifies it. */
  readonly workFolder: string;
  /** The address of a backup for people: a path, or an address in a bucket. */
  addressOf(name: string): string;
  list(prefix: string): Promise<readonly StoredBackup[]>;
  /** `create` writes a verified backup to a path, which must be free. */
  store<M>(name: string, create: (path: string) => Promise<M>): Promise<M>;
  remove(name: string): Promise<void>;
  /** Removes what backups left behind that were broken off. */
  removeDrafts(prefix: string): Promise<void>;
}

export interface StoredBackup {
  readonly name: string;
  /** The time of the backup, as its name says. */
  readonly createdAt: number;
  readonly bytes: number;
}

/** The place cannot be used; the message says what happened and what to do, without secrets. */
export class BackupPlaceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BackupPlaceError";
  }
}

/** `to` is the path of a folder, or `s3://bucket/prefix`; `env` has the credentials of a bucket. */
export async function openDestination(
  to: string,
  draftFolder: string,
  env: S3Options["env"],
): Promise<BackupDestination> {
  if (parseS3Address(to) === null) return createFolderDestination(to);
  const result = readS3Settings(to, { isVirtualHost: false, env });
  if (result.kind === "invalid") throw new BackupPlaceError(result.message);
  return createS3Destination(createS3Storage(result.settings), draftFolder);
}

/** The folder is created with its first backup. */
function createFolderDestination(folder: string): BackupDestination {
  const listNames = async () => (existsSync(folder) ? readdir(folder) : []);
  const pathOf = (name: string) => join(folder, name);
  return {
    workFolder: folder,
    addressOf: pathOf,
    async list(prefix) {
      const found: StoredBackup[] = [];
      for (const name of await listNames()) {
        const createdAt = parseBackupName(prefix, name);
        if (createdAt === null) continue;
        found.push({ name, createdAt, bytes: (await stat(pathOf(name))).size });
      }
      return found;
    },
    async store(name, create) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return create(pathOf(name));
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    async removeDrafts(prefix) {
      const names = await listNames();
      for (const name of names.filter((name) => isBackupDraft(prefix, name))) {
        await rm(pathOf(name), { recursive: true, force: true });
      }
    },
  };
}

/** A backup is made and verified in `workFolder`, which is its own, before it goes to the bucket. */
function createS3Destination(storage: S3Storage, workFolder: string): BackupDestination {
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

/**
 * A place for scheduled backups. A backup has its name there only when it is complete and verified; but others
 * may write there too, so what cannot be a backup is not listed: it neither counts nor displaces one.
 */
import { createReadStream, existsSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { beginsLikeBackup } from "../format/file-start.ts";
import type { ObjectStorageError } from "../storage/object-storage.ts";
import { parseS3Address, readS3Settings, type S3Options } from "../storage/s3-settings.ts";
import { createS3Storage, type S3Storage } from "../storage/s3-storage.ts";
import { sha256OfStream } from "../storage/stream-file.ts";
import { isBackupDraft, parseBackupName } from "./backup-name.ts";

export interface BackupDestination {
  /** A folder on this machine, with space for a backup and for the scratch store that verifies it. */
  readonly workFolder: string;
  /** A private folder on this machine, which is there while a backup is stored. */
  readonly draftFolder: string;
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
  if (parseS3Address(to) === null) return createFolderDestination(to, draftFolder);
  const result = readS3Settings(to, { isVirtualHost: false, env });
  if (result.kind === "invalid") throw new BackupPlaceError(result.message);
  return createS3Destination(createS3Storage(result.settings), draftFolder);
}

/** The folder is created with its first backup. */
function createFolderDestination(folder: string, draftFolder: string): BackupDestination {
  const listEntries = async () =>
    existsSync(folder) ? readdir(folder, { withFileTypes: true }) : [];
  const pathOf = (name: string) => join(folder, name);
  return {
    workFolder: folder,
    draftFolder,
    addressOf: pathOf,
    async list(prefix) {
      const found: StoredBackup[] = [];
      for (const entry of await listEntries()) {
        const { name } = entry;
        const createdAt = parseBackupName(prefix, name);
        // Others may write to the folder: a link is no backup.
        if (createdAt === null || !entry.isFile()) continue;
        const { size } = await stat(pathOf(name));
        if (size < MIN_BACKUP_BYTES || !(await beginsLikeBackup(pathOf(name)))) continue;
        found.push({ name, createdAt, bytes: size });
      }
      return found;
    },
    async store(name, create) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return withFolder(draftFolder, () => create(pathOf(name)));
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    async removeDrafts(prefix) {
      for (const { name } of await listEntries()) {
        if (isBackupDraft(prefix, name)) await removeFolder(pathOf(name));
      }
      await removeFolder(draftFolder);
    },
  };
}

/** A backup is made and verified in `draftFolder`, which is its own, before it goes to the bucket. */
function createS3Destination(storage: S3Storage, draftFolder: string): BackupDestination {
  return {
    workFolder: draftFolder,
    draftFolder,
    addressOf: storage.addressOf,
    async list(prefix) {
      const { objects } = expectDone(await storage.list(prefix));
      return objects.flatMap(({ key, size }) => {
        const createdAt = parseBackupName(prefix, key);
        return createdAt === null || size < MIN_BACKUP_BYTES
          ? []
          : [{ name: key, createdAt, bytes: size }];
      });
    },
    store: (name, create) =>
      withFolder(draftFolder, async () => {
        const path = join(draftFolder, name);
        const created = await create(path);
        await upload(storage, name, path);
        return created;
      }),
    async remove(name) {
      expectDone(await storage.remove(name));
    },
    removeDrafts: () => removeFolder(draftFolder),
  };
}

/** The header, the digest and the HMAC of a backup without rows take more, also compressed. */
const MIN_BACKUP_BYTES = 256;

async function withFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    return await work();
  } finally {
    await removeFolder(folder);
  }
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
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
    throw new BackupPlaceError(`${storage.addressOf(key)} already exists: nothing was replaced`);
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

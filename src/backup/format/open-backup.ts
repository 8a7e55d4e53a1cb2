/** Verifies a backup by restoring it into a scratch store and examining that: a valid one can be restored. */
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { ConstraintError, type Database } from "../../database/database.ts";
import { readFreeBytes, type ReadFreeBytes } from "../../database/disk-space.ts";
import { openSqlite } from "../../database/sqlite.ts";
import { isAgeFile, type AgeIdentity } from "./age-files.ts";
import type { FindBackupKey } from "./authenticate-backup.ts";
import {
  BackupEncryptedError,
  BackupRefusedError,
  type BackupFormat,
  type BackupManifest,
  type BackupRow,
  type BackupTrailer,
} from "./backup-format.ts";
import { guardDisk } from "./guard-disk.ts";
import { readRows, type BackupEnds } from "./read-backup.ts";
import { createScratchFolder, type ScratchFolder } from "./scratch-folder.ts";
import { loadRows } from "./table-rows.ts";

export interface OpenBackup<Manifest> {
  readonly manifest: Manifest;
  /** The scratch store. */
  readonly contents: Database;
  /** Removes the scratch store. */
  close(): Promise<void>;
}

export interface BackupStatement<Name extends string> {
  readonly trailer: BackupTrailer<Name>;
  readonly manifest: BackupManifest<Name>;
}

export interface BackupExaminer<Name extends string, Manifest> {
  readonly format: BackupFormat<Name>;
  migrate(contents: Database): Promise<void>;
  /** Throws a BackupRefusedError when the contents are inconsistent. */
  examine(contents: Database, statement: BackupStatement<Name>): Promise<Manifest>;
}

export interface OpenBackupOptions {
  /** What may open an encrypted file. */
  readonly identities?: readonly AgeIdentity[];
  /** Where the scratch store is made; absent: beside the file, or in the temporary folder if it is encrypted. */
  readonly scratchFolder?: string;
  readonly readFreeBytes?: ReadFreeBytes;
}

/**
 * Throws a BackupRefusedError when the file is not a valid backup, and a BackupEncryptedError when it is
 * encrypted and no identity opens it. Throws a BackupTooLargeError before it fills the disk.
 */
export async function openBackup<Name extends string, Manifest>(
  path: string,
  examiner: BackupExaminer<Name, Manifest>,
  findKey: FindBackupKey,
  {
    identities = [],
    scratchFolder,
    readFreeBytes: readFree = readFreeBytes,
  }: OpenBackupOptions = {},
): Promise<OpenBackup<Manifest>> {
  const isEncrypted = await isAgeFile(path);
  if (isEncrypted && identities.length === 0) {
    throw new BackupEncryptedError(
      "The backup is encrypted with age: name the file with your identity with --identity FILE",
    );
  }
  // What was encrypted must not lie readable where the backup lies.
  const wanted = scratchFolder ?? (isEncrypted ? tmpdir() : dirname(path));
  const scratch = await createScratch(wanted, basename(path));
  try {
    const contents = await openSqlite(join(scratch.path, "contents.db"));
    try {
      await examiner.migrate(contents);
      const rows = readRows(path, examiner.format, findKey, isEncrypted ? identities : null);
      const ends = await load(guardDisk(rows, scratch.path, readFree), contents);
      const { size: fileBytes } = await stat(path);
      const manifest = { ...toManifest(ends), isEncrypted, fileBytes };
      const statement = { trailer: ends.trailer, manifest };
      const examined = await examiner.examine(contents, statement);
      const close = async () => {
        await contents.close();
        await scratch.remove();
      };
      return { manifest: examined, contents, close };
    } catch (error) {
      await contents.close();
      throw error;
    }
  } catch (error) {
    await scratch.remove();
    throw error;
  }
}

export async function verifyBackup<Manifest>(
  path: string,
  examiner: BackupExaminer<string, Manifest>,
  findKey: FindBackupKey,
  options: OpenBackupOptions = {},
): Promise<Manifest> {
  const backup = await openBackup(path, examiner, findKey, options);
  await backup.close();
  return backup.manifest;
}

async function load<Name extends string>(
  source: AsyncGenerator<BackupRow<Name>, BackupEnds<Name>>,
  contents: Database,
): Promise<BackupEnds<Name>> {
  let ends = null as BackupEnds<Name> | null;
  async function* rows(): AsyncGenerator<BackupRow<Name>> {
    ends = yield* source;
  }
  try {
    await contents.transaction((tx) => loadRows(tx, rows(), () => true));
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    throw new BackupRefusedError("It is not valid: two of its rows contradict each other");
  }
  if (ends === null) throw new Error("The backup was not read");
  return ends;
}

function toManifest<Name extends string>({ header, trailer, authenticity }: BackupEnds<Name>) {
  const { createdAt, product, instanceKey } = header;
  const { counts, sha256 } = trailer;
  return { createdAt, product, instanceKey, counts, sha256, authenticity };
}

/** The temporary folder is used when nothing can be written to the wanted one. */
async function createScratch(wanted: string, name: string): Promise<ScratchFolder> {
  try {
    return await createScratchFolder(wanted, name);
  } catch {
    return createScratchFolder(tmpdir(), name);
  }
}

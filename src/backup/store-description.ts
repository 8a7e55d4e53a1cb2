import type { BackupManifest } from "./format/backup-format.ts";
import type { BackupExaminer } from "./format/open-backup.ts";
import type { TablePart } from "../database/table-columns.ts";
import type { Database } from "../database/database.ts";
import type { StoreTables } from "../database/store-kind.ts";
import type { Reseal } from "../identity/reseal.ts";
import type { SessionEpochFile } from "../identity/session-epoch.ts";

/** `Status` describes the contents of a store, `Restored` what a restore did. */
export interface StoreDescription<
  Manifest extends BackupManifest = BackupManifest,
  Status = unknown,
  Restored = unknown,
> extends StoreTables {
  /** Whether the database is behind the mark in the file, which an older copy is. */
  isBehind(database: Database, highWaterPath: string): Promise<boolean>;
  /** Moves the mark in the file to the database. */
  writeMark(database: Database, highWaterPath: string): Promise<void>;
  /** The tables that a copy has, in the order of references. */
  readonly tables: readonly TablePart[];
  /** A store that has rows in one of these tables is in use; starting a server fills the others. */
  readonly contents: readonly string[];
  /** Seals what the service has sealed, besides passwords, with another key. */
  readonly reseal?: Reseal;
  /** When something was last issued that only the key can recognise; 0 when nothing was. */
  readLastIssue(database: Database): Promise<number>;
  /** How many devices hold something that was issued before `time`. */
  countHolders(database: Database, time: number, now: number): Promise<number>;
  readonly examiner: BackupExaminer<string, Manifest>;
  /** Prepares a restore into a store that has the tables of this version. */
  prepareRestore(
    database: Database,
    highWaterPath: string,
  ): Promise<{
    readonly status: Status;
    readonly isEmpty: boolean;
    restore(contents: Database): Promise<Restored>;
  }>;
}

/** Closes the file with the mark when the work is done. */
export async function withMark<F extends Pick<SessionEpochFile, "close">, T>(
  file: F,
  work: (file: F) => Promise<T>,
): Promise<T> {
  try {
    return await work(file);
  } finally {
    file.close();
  }
}

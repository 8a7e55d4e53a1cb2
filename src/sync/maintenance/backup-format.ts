/**
 * The file of a backup: gzip around lines of JSON. The first line says what it is, then comes one
 * line for each row, `["table", …values]`, and the last line says what must have been there.
 */
import type { SealedKey } from "../../identity/seal-key.ts";
import type { BackupTableName } from "./backup-tables.ts";

export const BACKUP_FORMAT = "trellis-sync-backup";
export const BACKUP_VERSION = 1;

export interface BackupHeader {
  readonly format: typeof BACKUP_FORMAT;
  readonly version: typeof BACKUP_VERSION;
  readonly createdAt: string;
  /** The version of the program that wrote it. */
  readonly product: string;
  /** The columns of each table, in the order of the values. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  /** The instance key under a passphrase; null when it is kept elsewhere. */
  readonly instanceKey: SealedKey | null;
}

export type TableCounts = Readonly<Record<BackupTableName, number>>;

export interface BackupTrailer {
  readonly generation: string;
  readonly headOffset: number;
  readonly counts: TableCounts;
  /** Of every byte of the lines before this one, in hexadecimal. */
  readonly sha256: string;
}

/** What a backup says of itself, once it is read whole. */
export interface BackupManifest extends BackupTrailer {
  readonly createdAt: string;
  readonly product: string;
  readonly instanceKey: SealedKey | null;
  /** Entities that are live, deleted, or await their create. */
  readonly entities: EntityCounts;
  readonly username: string | null;
  readonly fileBytes: number;
}

export interface EntityCounts {
  readonly live: number;
  readonly deleted: number;
  readonly awaiting: number;
}

/** The file cannot be used; the message says why. */
export class BackupRefusedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "BackupRefusedError";
  }
}

/** What a backup of a sync service is, and what it says of itself. */
import type { BackupFormat, BackupTrailer } from "../../database/backup/backup-format.ts";
import type { SealedKey } from "../../identity/seal-key.ts";
import { BACKUP_TABLES, type BackupTableName } from "./backup-tables.ts";

export const SYNC_BACKUP: BackupFormat<BackupTableName> = {
  name: "trellis-sync-backup",
  version: 1,
  owner: "a sync service",
  tables: BACKUP_TABLES,
  facts: { generation: "text", headOffset: "integer" },
  factsOf: ({ table, values }) =>
    table.name === "sync_log" ? { generation: values[1], headOffset: values[2] } : {},
};

/** What it says once it is read whole. */
export interface BackupManifest {
  readonly generation: string;
  readonly headOffset: number;
  readonly counts: BackupTrailer<BackupTableName>["counts"];
  /** Of every byte of the lines before the last one, in hexadecimal. */
  readonly sha256: string;
  readonly createdAt: string;
  readonly product: string;
  /** The instance key under a passphrase; null when it is kept elsewhere. */
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

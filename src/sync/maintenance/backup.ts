/** The backup of a sync store: its format, how it is made, and how it is verified. */
import {
  BackupRefusedError,
  type BackupFormat,
  type BackupTrailer,
} from "../../database/backup/backup-format.ts";
import type { LastBackup } from "../../database/backup/write-backup.ts";
import {
  openBackup,
  type BackupExaminer,
  type OpenBackup,
} from "../../database/backup/open-backup.ts";
import { placeFile } from "../../database/backup/place-file.ts";
import { writeBackup, type BackupOrigin } from "../../database/backup/write-backup.ts";
import type { Database } from "../../database/database.ts";
import type { SealedKey } from "../../identity/seal-key.ts";
import { migrateSync } from "../sql/open-sql-store.ts";
import { readHead } from "../sql/sql-operations.ts";
import { checkStore } from "./check-store.ts";
import type { EntityCounts } from "./read-status.ts";

export type SyncTableName =
  | "sync_log"
  | "sync_generations"
  | "sync_entities"
  | "sync_operations"
  | "sync_ledger"
  | "identity_accounts";

/**
 * Without sessions, tokens, challenges, codes and throttles: a restore must neither sign a revoked
 * device in again nor forget failed sign-ins.
 */
export const SYNC_BACKUP: BackupFormat<SyncTableName> = {
  name: "trellis-sync-backup",
  version: 1,
  owner: "a sync service",
  tables: [
    {
      name: "sync_log",
      columns: {
        id: "integer",
        generation: "text",
        head_offset: "integer",
        compaction_floor: "integer",
      },
    },
    { name: "sync_generations", columns: { generation: "text", head_offset: "integer" } },
    {
      name: "identity_accounts",
      columns: {
        account_id: "text",
        realm: "text",
        username: "text",
        sealed_verifier: "text",
        created_at: "integer",
        password_changed_at: "integer",
      },
      where: "realm = 'sync'",
    },
    { name: "sync_entities", columns: { entity_id: "text", state: "text" } },
    {
      name: "sync_operations",
      columns: { log_offset: "integer", entity_id: "text", body: "text", received_at: "integer" },
    },
    {
      name: "sync_ledger",
      columns: { operation_id: "text", content_hash: "text", log_offset: "integer" },
    },
  ],
  facts: { generation: "text", headOffset: "integer" },
  factsOf: ({ table, values }) =>
    table.name === "sync_log" ? { generation: values[1], headOffset: values[2] } : {},
};

export interface SyncManifest {
  readonly generation: string;
  readonly headOffset: number;
  readonly counts: BackupTrailer<SyncTableName>["counts"];
  /** Of every byte of the lines before the last one, in hexadecimal. */
  readonly sha256: string;
  readonly createdAt: string;
  readonly product: string;
  /** Sealed under a passphrase; null when the backup has no instance key. */
  readonly instanceKey: SealedKey | null;
  readonly entities: EntityCounts;
  readonly username: string | null;
  readonly fileBytes: number;
}

export interface SyncLastBackup extends LastBackup {
  readonly generation: string;
  readonly headOffset: number;
}

export interface SyncBackupOptions extends BackupOrigin {
  readonly instanceKey: SealedKey | null;
}

/** Beside a running server. The file gets its name, which must be free, once it was verified. */
export function createSyncBackup(
  database: Database,
  path: string,
  { instanceKey, ...origin }: SyncBackupOptions,
): Promise<SyncManifest> {
  return placeFile(path, async (draft) => {
    await writeBackup(database, draft, SYNC_BACKUP, origin, { instanceKey });
    return verifySyncBackup(draft);
  });
}

/** The manifest of a sound backup. */
export async function verifySyncBackup(path: string): Promise<SyncManifest> {
  const backup = await openSyncBackup(path);
  await backup.close();
  return backup.manifest;
}

/** Throws a BackupRefusedError when the file is not a sound backup. */
export function openSyncBackup(path: string): Promise<OpenBackup<SyncManifest>> {
  return openBackup(path, EXAMINER);
}

const EXAMINER: BackupExaminer<SyncTableName, SyncManifest> = {
  format: SYNC_BACKUP,
  migrate: migrateSync,
  async examine(contents, { header, trailer, fileBytes }) {
    if (trailer.counts.sync_log !== 1) {
      throw new BackupRefusedError("It has not exactly one log in it");
    }
    const { generation, headOffset } = await readHead(contents);
    if (generation !== trailer["generation"] || headOffset !== trailer["headOffset"]) {
      throw new BackupRefusedError("Its end names another log than the one that is in it");
    }
    const check = await checkStore(contents);
    if (check.kind === "unsound") throw new BackupRefusedError(`It is not sound: ${check.reason}`);
    const [account] = await contents.query<{ username: string }>(
      "SELECT username FROM identity_accounts",
    );
    return {
      generation,
      headOffset,
      counts: trailer.counts,
      sha256: trailer.sha256,
      createdAt: header.createdAt,
      product: header.product,
      instanceKey: header["instanceKey"] as SealedKey | null,
      entities: check.entities,
      username: account?.username ?? null,
      fileBytes,
    };
  },
};

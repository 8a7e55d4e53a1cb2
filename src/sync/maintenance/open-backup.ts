/** Reads a backup of a sync store and checks that it says one thing only. */
import { BackupRefusedError } from "../../database/backup/backup-format.ts";
import {
  openBackup as openBackupFile,
  type BackupExaminer,
  type OpenBackup as OpenBackupFile,
} from "../../database/backup/open-backup.ts";
import type { SealedKey } from "../../identity/seal-key.ts";
import { migrateSync } from "../sql/open-sql-store.ts";
import { readHead } from "../sql/sql-operations.ts";
import { SYNC_BACKUP, type BackupManifest } from "./backup-format.ts";
import type { BackupTableName } from "./backup-tables.ts";
import { checkStore } from "./check-store.ts";

export type OpenBackup = OpenBackupFile<BackupManifest>;

/** Throws a BackupRefusedError when the file is not a sound backup. */
export function openBackup(path: string): Promise<OpenBackup> {
  return openBackupFile(path, EXAMINER);
}

/** The manifest of a sound backup. */
export async function verifyBackup(path: string): Promise<BackupManifest> {
  const backup = await openBackup(path);
  await backup.close();
  return backup.manifest;
}

const EXAMINER: BackupExaminer<BackupTableName, BackupManifest> = {
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

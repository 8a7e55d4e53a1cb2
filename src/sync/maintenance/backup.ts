/** The backup of a sync store: its format, and how its contents are verified. */
import {
  BackupRefusedError,
  type BackupFormat,
  type BackupManifest,
} from "../../backup/format/backup-format.ts";
import type { BackupExaminer } from "../../backup/format/open-backup.ts";
import { accountsTable, passkeysTable } from "../../identity/sql-identity-records.ts";
import { isSealedStore } from "../sql/check-profile.ts";
import { migrateSync } from "../sql/open-sql-store.ts";
import { readHead } from "../sql/log-head.ts";
import { SYNC_REALM } from "../store.ts";
import { checkStore } from "./check-store.ts";
import type { EntityCounts } from "./read-status.ts";

export type SyncTableName =
  | "sync_log"
  | "sync_generations"
  | "sync_marks"
  | "sync_entities"
  | "sync_operations"
  | "sync_ledger"
  | "sync_keys"
  | "identity_accounts"
  | "identity_passkeys";

/**
 * A backup has no sessions, tokens, challenges, codes and throttles: a restore must neither sign a
 * revoked device in again nor forget failed sign-ins.
 */
export const SYNC_BACKUP: BackupFormat<SyncTableName> = {
  name: "trellis-sync-backup",
  version: 3,
  firstVersion: 2,
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
    { name: "sync_marks", columns: { log_offset: "integer", mark: "text" }, since: 3 },
    accountsTable(SYNC_REALM),
    passkeysTable(SYNC_REALM),
    { name: "sync_entities", columns: { entity_id: "text", state: "text" } },
    {
      name: "sync_operations",
      columns: { log_offset: "integer", entity_id: "text", body: "text", received_at: "integer" },
    },
    {
      name: "sync_ledger",
      columns: { operation_id: "text", content_hash: "text", log_offset: "integer" },
    },
    {
      name: "sync_keys",
      columns: {
        position: "integer",
        key_id: "text",
        write_hash: "text",
        former_keys: "text",
        origin: "text",
      },
      nullable: ["origin"],
      since: 3,
    },
  ],
  facts: { generation: "text", headOffset: "integer" },
  factsOf: ({ table, values }) =>
    table.name === "sync_log" ? { generation: values[1], headOffset: values[2] } : {},
};

export interface SyncManifest extends BackupManifest<SyncTableName> {
  readonly generation: string;
  readonly headOffset: number;
  readonly entities: EntityCounts;
  readonly username: string | null;
  /** Whether it has entities, and only their owner can read them. */
  readonly isSealed: boolean;
}

export const SYNC_EXAMINER: BackupExaminer<SyncTableName, SyncManifest> = {
  format: SYNC_BACKUP,
  migrate: migrateSync,
  async examine(contents, { trailer, manifest }) {
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
      "SELECT username FROM identity_accounts WHERE instance = $instance",
    );
    return {
      ...manifest,
      generation,
      headOffset,
      entities: check.entities,
      username: account?.username ?? null,
      isSealed: await isSealedStore(contents),
    };
  },
};

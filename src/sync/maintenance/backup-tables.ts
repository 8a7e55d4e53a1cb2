/**
 * What a backup holds of a store: the log, the states, the ledger and the account. Sessions, tokens,
 * challenges, codes and throttles are not in it: a restore must not bring back a device that was
 * signed out, nor forget who was guessing.
 */
import type { BackupTable } from "../../database/backup/backup-format.ts";

export type BackupTableName =
  | "sync_log"
  | "sync_generations"
  | "sync_entities"
  | "sync_operations"
  | "sync_ledger"
  | "identity_accounts";

export const BACKUP_TABLES: readonly BackupTable<BackupTableName>[] = [
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
];

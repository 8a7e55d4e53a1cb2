import type { TablePart } from "../../database/table-columns.ts";
import { identityTables } from "../../identity/identity-tables.ts";
import { SYNC_REALM } from "../store.ts";

/** All tables but `sync_streams`, whose rows belong to connections of a running server. */
export const SYNC_TABLES: readonly TablePart[] = [
  ...identityTables(SYNC_REALM),
  { name: "sync_log" },
  { name: "sync_generations" },
  { name: "sync_marks" },
  { name: "sync_entities" },
  { name: "sync_operations" },
  { name: "sync_ledger" },
  { name: "sync_keys" },
  { name: "sync_sessions" },
  { name: "sync_access_tokens" },
  { name: "sync_browser_sessions" },
  { name: "sync_days" },
];

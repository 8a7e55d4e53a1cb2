import type { TablePart } from "../../database/table-columns.ts";
import { identityTables } from "../../identity/identity-tables.ts";
import { EVENTS_REALM } from "../store.ts";

export const EVENTS_TABLES: readonly TablePart[] = [
  ...identityTables(EVENTS_REALM),
  { name: "events_profiles" },
  { name: "events_sessions" },
  { name: "events_interactions" },
  { name: "events_grants" },
  { name: "events_code_epochs" },
  { name: "events_sources" },
  { name: "events_subscriptions" },
  { name: "events_counters" },
  { name: "events_entries" },
];

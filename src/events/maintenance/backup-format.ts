/**
 * The tables of an events backup. Sessions, interactions, challenges, codes, throttles and rate limit
 * counters are left out: they expire soon, or must not be restored.
 */
import type {
  BackupFormat,
  BackupTable,
  BackupTrailer,
} from "../../database/backup/backup-format.ts";
import type { SealedKey } from "../../identity/seal-key.ts";

export type EventsTableName =
  | "identity_accounts"
  | "events_profiles"
  | "events_sources"
  | "events_subscriptions"
  | "events_grants"
  | "events_counters"
  | "events_entries";

export const EVENTS_TABLES: readonly BackupTable<EventsTableName>[] = [
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
    where: "realm = 'events'",
  },
  {
    name: "events_profiles",
    columns: { account_id: "text", time_zone: "text", language: "text" },
    nullable: ["language"],
  },
  {
    name: "events_sources",
    columns: {
      source_id: "text",
      account_id: "text",
      kind: "text",
      name: "text",
      created_at: "integer",
    },
  },
  {
    name: "events_subscriptions",
    columns: {
      source_id: "text",
      account_id: "text",
      name: "text",
      sealed_url: "text",
      url_hash: "text",
      default_type: "text",
      rules: "text",
      created_at: "integer",
      etag: "text",
      last_modified: "text",
      last_fetched_at: "integer",
      last_succeeded_at: "integer",
      last_fault: "text",
      warning: "text",
      next_fetch_at: "integer",
      failures: "integer",
      entry_count: "integer",
      report: "text",
    },
    nullable: [
      "etag",
      "last_modified",
      "last_fetched_at",
      "last_succeeded_at",
      "last_fault",
      "warning",
      "entry_count",
      "report",
    ],
  },
  {
    name: "events_grants",
    columns: {
      grant_id: "text",
      account_id: "text",
      client_id: "text",
      scope: "text",
      token_hash: "text",
      created_at: "integer",
      last_used_at: "integer",
      idle_expires_at: "integer",
      absolute_expires_at: "integer",
    },
  },
  {
    name: "events_counters",
    columns: { account_id: "text", last_stamp: "integer", live_count: "integer" },
  },
  {
    name: "events_entries",
    columns: {
      account_id: "text",
      event_id: "text",
      source_id: "text",
      wire: "text",
      date_at: "integer",
      updated_at: "integer",
      deleted_at: "integer",
      missing: "integer",
    },
    nullable: ["date_at", "deleted_at"],
  },
];

export const EVENTS_BACKUP: BackupFormat<EventsTableName> = {
  name: "trellis-events-backup",
  version: 1,
  owner: "an events service",
  tables: EVENTS_TABLES,
  facts: {},
  factsOf: () => ({}),
};

export interface EventsBackupManifest {
  readonly createdAt: string;
  readonly product: string;
  /** Sealed under a passphrase; null when the backup does not contain it. */
  readonly instanceKey: SealedKey | null;
  readonly counts: BackupTrailer<EventsTableName>["counts"];
  readonly sha256: string;
  readonly fileBytes: number;
  readonly usernames: readonly string[];
  readonly events: EventCounts;
}

export interface EventCounts {
  readonly live: number;
  readonly deleted: number;
}

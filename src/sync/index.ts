/** `trellis/sync`: the personal sync service, its store and the port of a store. */
// Page sync-service: Serve personal sync from a program of your own.
export { createSyncService, type SyncService } from "./service.ts";
export type { SyncNotice, SyncServiceOptions } from "./setup/options.ts";
export { openSyncStore } from "./sql/open-store.ts";
export { createPushReaders, type PushReaders } from "./log/push-reader.ts";
export type { SyncQuota } from "./log/quota.ts";
export { StorageUnavailableError } from "../database/database.ts";
export type {
  SecurityCount,
  SecurityEvent,
  SecurityEventKind,
  SecurityNotice,
} from "../identity/security-event.ts";

// Page sync-store: Write a store for a database other than SQLite and PostgreSQL.
export type * from "./store.ts";

// Page sync-log: What a store of your own appends to its log, and what it refuses.
export { createMark } from "./log/cursor.ts";
export { EMPTY_LOG_CLOCK, type LogClock } from "../rules/sync/log-clock.ts";
export {
  contentHash,
  planAppend,
  type AppendPlace,
  type AppendPlan,
  type LedgerEntry,
} from "./log/plan-append.ts";

// Page sync-accounts: Store accounts, sign-ins and passkeys in a store of your own.
export type { BrowserSession, BrowserSessionRecords } from "../identity/browser-sessions.ts";
export type * from "../identity/identity-records.ts";
export type {
  KnownPasskey,
  PasskeyRecord,
  PasskeyRecords,
} from "../identity/passkeys/passkey-records.ts";
export type { RateLimitCounters, RateLimitWindow } from "../http/shared-rate-limit.ts";

/** `trellis/sync`: the personal sync service with its sign-in page, for embedding and for `serve`. */
import {
  createSyncService as createService,
  type SyncService,
  type SyncServiceOptions,
} from "../sync/service.ts";
import { createLoginPages } from "./login-pages.ts";

export type EmbeddedSyncOptions = Omit<SyncServiceOptions, "pages">;

export function createSyncService(options: EmbeddedSyncOptions): SyncService {
  return createService({ ...options, pages: createLoginPages });
}

export { openSyncStore } from "./open-sync-store.ts";
export type { SyncNotice, SyncService } from "../sync/service.ts";
// The store port, and what an implementation of it needs.
export type * from "../sync/store.ts";
export type * from "../identity/identity-records.ts";
export { contentHash } from "../sync/content-hash.ts";
export { planAppend, type AppendPlan, type LedgerEntry } from "../sync/plan-append.ts";
export { StorageUnavailableError } from "../database/database.ts";

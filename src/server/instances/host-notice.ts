/** What the operator of many instances is told. */
import type { SecurityEventKind } from "../../identity/security-event.ts";
import type { BackupNotice } from "../backups/backup-schedule.ts";
import type { StoreNotice } from "../notices.ts";
import type { SyncNotice } from "../sync.ts";

export type HostNotice =
  | SyncNotice
  | BackupNotice
  | StoreNotice
  /** Requests to this instance fail until it can be opened; the others are not affected. */
  | { readonly kind: "instance-failed"; readonly error: unknown }
  | { readonly kind: "close-failed"; readonly error: unknown }
  /** It was not pruned and compacted; it is tried again in its next turn. */
  | { readonly kind: "maintenance-failed"; readonly error: unknown }
  /** Told once a minute. */
  | { readonly kind: "all-in-use"; readonly maxOpen: number };

/** What a store counts by itself when a server has one instance. */
export function securityEventOf(notice: HostNotice): SecurityEventKind | null {
  if (notice.kind === "security-event") return notice.event.kind;
  return notice.kind === "put-back" && notice.wasPutBack ? "store-restored" : null;
}

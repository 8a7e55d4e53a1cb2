import type { SecurityEventKind } from "../identity/security-event.ts";
import type { BackupNotice } from "../backup/schedule/backup-schedule.ts";
import type { StoreNotice } from "../database/open-store.ts";
import type { RefusedReason } from "../operate/metrics/refused-reasons.ts";
import type { SyncNotice } from "../sync/setup/options.ts";

export type HostNotice =
  | SyncNotice
  | BackupNotice
  | StoreNotice
  /** The instance cannot be opened: its requests fail until it can, and other instances are not affected. */
  | { readonly kind: "instance-failed"; readonly error: unknown }
  | { readonly kind: "close-failed"; readonly error: unknown }
  /** The instance was not pruned and compacted, which is tried again in its next turn. */
  | { readonly kind: "maintenance-failed"; readonly error: unknown }
  /** Requests are refused because there are too many, which is told once a minute for each reason. */
  | {
      readonly kind: "request-refused";
      readonly reason: RefusedReason;
      readonly maxOpen: number;
    };

/** The security event of a notice, which a store counts by itself when a server has one instance. */
export function securityEventOf(notice: HostNotice): SecurityEventKind | null {
  if (notice.kind === "security-event") return notice.event.kind;
  return notice.kind === "rollback" && notice.wasRolledBack ? "store-restored" : null;
}

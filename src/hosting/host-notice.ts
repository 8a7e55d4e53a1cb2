import { guardNotices } from "../http/stored-service.ts";
import type { SecurityEventKind } from "../identity/security-event.ts";
import type { BackupNotice } from "../backup/schedule/backup-schedule.ts";
import type { StoreNotice } from "../database/open-store.ts";
import type { RefusedReason } from "../operate/metrics/refused-reasons.ts";
import type { SyncMetrics } from "../operate/metrics/sync-metrics.ts";
import type { SyncNotice } from "../sync/setup/options.ts";

/**
 * What a host reports to `onNotice` about one of its instances: what its service reports, and what opening,
 * closing, backing up and maintaining it met.
 */
export type HostNotice =
  | SyncNotice
  | BackupNotice
  | StoreNotice
  /** The instance cannot be opened: its requests fail until it can, and other instances are not affected. */
  | { readonly kind: "instance-failed"; readonly error: unknown }
  | { readonly kind: "close-failed"; readonly error: unknown }
  /** The instance was not pruned and compacted, which is tried again in its next turn. */
  | { readonly kind: "maintenance-failed"; readonly error: unknown }
  /** Requests are refused because there are too many, which is reported once a minute for each reason. */
  | {
      readonly kind: "request-refused";
      readonly reason: RefusedReason;
      readonly maxOpen: number;
    };

export interface HostNotices {
  notify(name: string, notice: HostNotice): void;
  /** A request was refused because there are too many. */
  noteRefused(reason: RefusedReason, name: string): void;
}

const TELL_MS = 60_000;

/** Counts what a host notices, and reports it. */
export function createHostNotices(
  maxOpen: number,
  onNotice: (notice: HostNotice, instance: string) => void,
  metrics: SyncMetrics | undefined,
): HostNotices {
  const toldAt: Partial<Record<RefusedReason, number>> = {};
  const notifyOf = (name: string) =>
    guardNotices((notice: HostNotice) => {
      const kind = securityEventOf(notice);
      if (kind !== null) metrics?.countSecurityEvent(kind);
      onNotice(notice, name);
    });
  return {
    notify: (name, notice) => notifyOf(name)(notice),
    noteRefused(reason, name) {
      metrics?.countRefused(reason);
      if (performance.now() - (toldAt[reason] ?? Number.NEGATIVE_INFINITY) < TELL_MS) return;
      toldAt[reason] = performance.now();
      notifyOf(name)({ kind: "request-refused", reason, maxOpen });
    },
  };
}

/** The security event of a notice, which a store counts by itself when a server has one instance. */
function securityEventOf(notice: HostNotice): SecurityEventKind | null {
  if (notice.kind === "security-event") return notice.event.kind;
  return notice.kind === "rollback" && notice.wasRolledBack ? "store-restored" : null;
}

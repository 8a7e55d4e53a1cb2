/** Notices of services as log lines, without secrets. */
import type { LineWriter } from "../http/request-log.ts";
import type { CatalogNotice } from "../release/catalog.ts";
import type { ReleaseNotice } from "../release/service.ts";
import type { RollbackNotice, StoreNotice } from "../database/open-store.ts";
import type { StoreOwner } from "../database/store-kind.ts";
import type { BackupNotice } from "../backup/schedule/backup-schedule.ts";
import type { EventsNotice } from "../events/index.ts";
import type { SubscriptionNotice } from "../events/subscriptions/subscription-worker.ts";
import { describeError } from "./describe-error.ts";
import { describeSecurityEvent, type LogLine } from "./security-events.ts";
import type { SyncNotice } from "../sync/setup/options.ts";

export type ServiceNotice = SyncNotice | EventsNotice | BackupNotice | StoreNotice;
type SignInNotice = Extract<
  ServiceNotice,
  { kind: "opened-elsewhere" | "redirect-not-listed" | "origin-refused" | "too-many-devices" }
>;

/** `log` is the log of the service. */
export function logNotice(
  log: Pick<LineWriter, "event">,
  service: StoreOwner,
  notice: ServiceNotice,
): void {
  if (notice.kind !== "rollback") return log.event(...describeNotice(service, notice));
  if (notice.wasRolledBack) {
    log.event(...describeSecurityEvent(service, { kind: "store-restored", network: null }));
  }
  if (!notice.sessionsWereRevoked) return;
  const message = explainSessionsRevoked(service, "is revoked");
  log.event("sessions_revoked", { service, message }, "warn");
}

export function describeNotice(
  service: string,
  notice: ReleaseNotice | Exclude<ServiceNotice, RollbackNotice>,
): LogLine {
  switch (notice.kind) {
    case "catalog-loaded":
    case "catalog-refused":
      return describeCatalogNotice(service, notice);
    case "subscription-fetched":
    case "subscription-failed":
    case "subscription-error":
    case "subscriptions-unavailable":
      return describeSubscriptionNotice(service, notice);
    case "backup-made":
    case "backup-failed":
    case "backup-works-again":
    case "backup-prune-failed":
      return describeBackupNotice(service, notice);
    case "opened-elsewhere":
    case "redirect-not-listed":
    case "origin-refused":
    case "too-many-devices":
      return describeSignInNotice(service, notice);
    case "storage-unavailable":
      return ["storage_unavailable", { service, message: notice.reason }, "error"];
    case "storage-available": {
      const { unavailableMs, failures } = notice;
      const message = "The store can be written again";
      return ["storage_available", { service, message, unavailableMs, failures }, "info"];
    }
    case "upgrade-copied": {
      const message =
        "The store is migrated to this version; a verified copy of it as it was is kept";
      return ["store_copied", { service, message, file: notice.file }, "info"];
    }
    case "changes-failed":
      return ["changes_failed", { service, ...describeError(notice.error) }, "error"];
    case "prune-failed":
      return ["prune_failed", { service, ...describeError(notice.error) }, "error"];
    case "unexpected-error": {
      const { requestId, error } = notice;
      return ["unexpected_error", { service, requestId, ...describeError(error) }, "error"];
    }
    case "security-event":
      return describeSecurityEvent(service, notice.event);
  }
}

function describeCatalogNotice(service: string, notice: CatalogNotice): LogLine {
  if (notice.kind === "catalog-refused") {
    const message = "The last good catalogue stays in force";
    return ["catalog_refused", { service, message, errors: notice.errors }, "error"];
  }
  const { releases, sequence, durationMs, warnings } = notice;
  const hasWarnings = warnings.length > 0;
  return [
    "catalog_loaded",
    { service, releases, sequence, durationMs, ...(hasWarnings && { warnings }) },
    hasWarnings ? "warn" : "info",
  ];
}

function describeSubscriptionNotice(service: string, notice: SubscriptionNotice): LogLine {
  switch (notice.kind) {
    case "subscription-fetched": {
      const { sourceId, outcome } = notice;
      return ["subscription_fetched", { service, sourceId, ...describeFetch(outcome) }, "info"];
    }
    case "subscription-failed": {
      const { sourceId, error, failures } = notice;
      const message = "The calendar could not be read; its events stay as they are";
      return ["subscription_failed", { service, sourceId, message, error, failures }, "warn"];
    }
    case "subscription-error": {
      const { sourceId, error } = notice;
      return ["subscription_error", { service, sourceId, ...describeError(error) }, "error"];
    }
    case "subscriptions-unavailable":
      return ["subscriptions_unavailable", { service, ...describeError(notice.error) }, "error"];
  }
}

function describeBackupNotice(service: string, notice: BackupNotice): LogLine {
  switch (notice.kind) {
    case "backup-made": {
      const { record, removed, durationMs } = notice;
      const { place, bytes } = record;
      return ["backup_made", { service, place, bytes, removed, durationMs }, "info"];
    }
    case "backup-failed": {
      const { message: reason, error } = notice;
      const message = `No backup was made; the server tries again: ${reason}`;
      const described = error !== undefined && describeError(error);
      return ["backup_failed", { service, ...described, message }, "error"];
    }
    case "backup-works-again": {
      const { since, attempts } = notice.failure;
      return ["backup_works_again", { service, since, attempts }, "info"];
    }
    case "backup-prune-failed": {
      const message = `The new backup is good, but old ones were not deleted: ${notice.message}`;
      return ["backup_prune_failed", { service, message }, "warn"];
    }
  }
}

/** A sign-in that the configuration does not allow: the operator may want to change it. */
function describeSignInNotice(service: string, notice: SignInNotice): LogLine {
  const { requestId } = notice;
  switch (notice.kind) {
    case "opened-elsewhere": {
      const message = `A sign-in page was opened at another address than ${service}.baseUrl, where signing in fails: open it there, or correct ${service}.baseUrl`;
      return ["page_opened_elsewhere", { service, requestId, message }, "warn"];
    }
    case "redirect-not-listed": {
      const { clientId } = notice;
      const list = clientId === null ? "redirectUris" : "clients[].redirectUris";
      const message = `An app asked for a redirect URI that ${service}.${list} does not list: add it if you know the app`;
      const client = clientId !== null && { clientId };
      return ["redirect_not_listed", { service, requestId, ...client, message }, "warn"];
    }
    case "origin-refused": {
      const { requestId, origin } = notice;
      const message = `A page of an origin that ${service}.corsOrigins does not list was refused: add the origin if the app is yours`;
      return ["origin_refused", { service, requestId, origin, message }, "warn"];
    }
    case "too-many-devices": {
      const message = `A device was not signed in, because quota.devices allows ${notice.maxDevices}: let the owner sign out another one, or allow more`;
      return ["too_many_devices", { service, requestId, message }, "warn"];
    }
  }
}

/** `happens` is the verb in its tense: "was revoked", for example. */
export function explainSessionsRevoked(service: StoreOwner, happens: string): string {
  const revoked =
    service === "sync"
      ? `every device ${happens} and must sign in again`
      : `every browser session and connected app ${happens} and must sign in again`;
  const command = `trellis ${service} account password`;
  return `The store was rolled back to a state before the last revocation: ${revoked}. If a password was changed since, change it again with \`${command}\``;
}

/** Describes a fetch by counts only, because the names of entries are private. */
function describeFetch(
  result: Extract<SubscriptionNotice, { kind: "subscription-fetched" }>["outcome"],
): Readonly<Record<string, unknown>> {
  if (result.kind !== "imported") return { outcome: result.kind };
  const { added, changed, deleted, unchanged, held, skippedCount } = result.summary;
  return {
    outcome: "imported",
    added,
    changed,
    deleted,
    unchanged,
    held,
    skipped: skippedCount,
    ...(result.warning !== null && { warning: result.warning }),
  };
}

/** Notices of services as log lines, without secrets. */
import { StorageUnavailableError } from "../database/database.ts";
import type { LineWriter } from "../http/request-log.ts";
import type { ReleaseNotice } from "../release/service.ts";
import type { RollbackNotice, StoreNotice } from "../database/open-store.ts";
import type { StoreOwner } from "../database/store-kind.ts";
import type { BackupNotice } from "../backup/schedule/backup-schedule.ts";
import type { EventsNotice } from "../events/index.ts";
import { describeSecurityEvent, type LogLine } from "./security-events.ts";
import type { SyncNotice } from "../sync/setup/options.ts";

export type ServiceNotice = SyncNotice | EventsNotice | BackupNotice | StoreNotice;

/** `log` is the log of the service. */
export function logNotice(log: LineWriter, service: StoreOwner, notice: ServiceNotice): void {
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
    case "catalog-loaded": {
      const { releases, sequence, durationMs, warnings } = notice;
      return [
        "catalog_loaded",
        { service, releases, sequence, durationMs, ...(warnings.length > 0 && { warnings }) },
        warnings.length > 0 ? "warn" : "info",
      ];
    }
    case "catalog-refused":
      return [
        "catalog_refused",
        { service, message: "The last good catalogue stays in force", errors: notice.errors },
        "error",
      ];
    case "subscription-fetched": {
      const { sourceId, outcome } = notice;
      return ["subscription_fetched", { service, sourceId, ...describeFetch(outcome) }, "info"];
    }
    case "subscription-failed": {
      const { sourceId, error, failures } = notice;
      const message = "The calendar could not be read; its events stay as they are";
      return ["subscription_failed", { service, sourceId, message, error, failures }, "warn"];
    }
    case "subscription-error":
      return [
        "subscription_error",
        { service, sourceId: notice.sourceId, ...describeError(notice.error) },
        "error",
      ];
    case "subscriptions-unavailable":
      return ["subscriptions_unavailable", { service, ...describeError(notice.error) }, "error"];
    case "opened-elsewhere": {
      const message = `A sign-in page was opened at another address than ${service}.baseUrl, where signing in fails: open it there, or correct ${service}.baseUrl`;
      return ["page_opened_elsewhere", { service, requestId: notice.requestId, message }, "warn"];
    }
    case "redirect-not-listed": {
      const { requestId, clientId } = notice;
      const list = clientId === null ? "redirectUris" : "clients[].redirectUris";
      const message = `An app asked for a redirect URI that ${service}.${list} does not list: add it if you know the app`;
      return [
        "redirect_not_listed",
        { service, requestId, ...(clientId !== null && { clientId }), message },
        "warn",
      ];
    }
    case "origin-refused": {
      const { requestId, origin } = notice;
      const message = `A page of an origin that ${service}.corsOrigins does not list was refused: add the origin if the app is yours`;
      return ["origin_refused", { service, requestId, origin, message }, "warn"];
    }
    case "too-many-devices": {
      const { requestId, maxDevices } = notice;
      const message = `A device was not signed in, because quota.devices allows ${maxDevices}: the owner signs another one out, or you allow more`;
      return ["too_many_devices", { service, requestId, message }, "warn"];
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
    case "backup-made": {
      const { record, removed, durationMs } = notice;
      const { place, bytes } = record;
      return ["backup_made", { service, place, bytes, removed, durationMs }, "info"];
    }
    case "backup-failed": {
      const { message: reason, error } = notice;
      const message = `No backup was made, it is tried again: ${reason}`;
      return [
        "backup_failed",
        { service, ...(error !== undefined && describeError(error)), message },
        "error",
      ];
    }
    case "backup-works-again": {
      const { since, attempts } = notice.failure;
      return ["backup_works_again", { service, since, attempts }, "info"];
    }
    case "backup-prune-failed": {
      const message = `The new backup is good, but old ones were not deleted: ${notice.message}`;
      return ["backup_prune_failed", { service, message }, "warn"];
    }
    case "unexpected-error":
      return [
        "unexpected_error",
        { service, requestId: notice.requestId, ...describeError(notice.error) },
        "error",
      ];
    case "storage-unavailable":
      return ["storage_unavailable", { service, message: notice.reason }, "error"];
    case "storage-available": {
      const { unavailableMs, failures } = notice;
      const message = "The store can be written again";
      return ["storage_available", { service, message, unavailableMs, failures }, "info"];
    }
    case "security-event":
      return describeSecurityEvent(service, notice.event);
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
  result: Extract<EventsNotice, { kind: "subscription-fetched" }>["outcome"],
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

/** The name and the stack frames of an error. Its message may quote user input and is left out. */
export function describeError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { error: typeof error };
  // The messages of this error are ours, and say it all.
  if (error instanceof StorageUnavailableError)
    return { error: error.name, message: error.message };
  return { error: error.name, at: framesOf(error).slice(0, 5) };
}

/** The frames after the message in the stack: a line of the message could look like a frame. */
function framesOf({ message, stack = "" }: Error): string[] {
  const start = stack.indexOf(message);
  if (start < 0) return [];
  return stack
    .slice(start + message.length)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at "));
}

/** Notices of services as log lines, without secrets. */
import type { ReleaseNotice } from "../release/service.ts";
import type { EventsNotice } from "./events.ts";
import type { SyncNotice } from "./sync.ts";

export function describeNotice(
  service: string,
  notice: ReleaseNotice | SyncNotice | EventsNotice,
): [event: string, fields: Readonly<Record<string, unknown>>] {
  switch (notice.kind) {
    case "catalog-loaded": {
      const { releases, sequence, durationMs, warnings } = notice;
      return [
        "catalog_loaded",
        { service, releases, sequence, durationMs, ...(warnings.length > 0 && { warnings }) },
      ];
    }
    case "catalog-refused":
      return [
        "catalog_refused",
        { service, message: "The last good catalogue stays in force", faults: notice.faults },
      ];
    case "subscription-fetched": {
      const { sourceId, outcome } = notice;
      return ["subscription_fetched", { service, sourceId, ...describeFetch(outcome) }];
    }
    case "subscription-failed": {
      const { sourceId, fault, failures } = notice;
      const message = "The calendar could not be read; its events stay as they are";
      return ["subscription_failed", { service, sourceId, message, fault, failures }];
    }
    case "subscription-error":
      return [
        "subscription_error",
        { service, sourceId: notice.sourceId, ...describeError(notice.error) },
      ];
    case "subscriptions-unavailable":
      return ["subscriptions_unavailable", { service, ...describeError(notice.error) }];
    case "opened-elsewhere": {
      const message = `A sign-in page was opened at another address than ${service}.baseUrl, where signing in fails: open it there, or correct ${service}.baseUrl`;
      return ["page_opened_elsewhere", { service, requestId: notice.requestId, message }];
    }
    case "redirect-not-listed": {
      const { requestId, clientId } = notice;
      const list = clientId === null ? "redirectUris" : "clients[].redirectUris";
      const message = `An app asked for a redirect URI that ${service}.${list} does not list: add it if you know the app`;
      return [
        "redirect_not_listed",
        { service, requestId, ...(clientId !== null && { clientId }), message },
      ];
    }
    case "prune-failed":
      return ["prune_failed", { service, ...describeError(notice.error) }];
    case "unexpected-error":
      return [
        "unexpected_error",
        { service, requestId: notice.requestId, ...describeError(notice.error) },
      ];
  }
}

/** Counts only, because the names of entries are private. */
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
function describeError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { error: typeof error };
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

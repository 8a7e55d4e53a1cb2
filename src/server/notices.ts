/** How what a service notices is told in the log. Nothing secret can be in it. */
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
      return ["subscription_fetched", { service, sourceId, ...describeResult(outcome) }];
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
    case "prune-failed":
      return ["prune_failed", { service, ...describeError(notice.error) }];
    case "unexpected-error":
      return [
        "unexpected_error",
        { service, requestId: notice.requestId, ...describeError(notice.error) },
      ];
  }
}

/** Counts only: what the entries are called says who reads what. */
function describeResult(
  outcome: Extract<EventsNotice, { kind: "subscription-fetched" }>["outcome"],
): Readonly<Record<string, unknown>> {
  if (outcome.kind !== "imported") return { outcome: outcome.kind };
  const { added, changed, deleted, unchanged, held, skippedCount } = outcome.summary;
  return {
    outcome: "imported",
    added,
    changed,
    deleted,
    unchanged,
    held,
    skipped: skippedCount,
    ...(outcome.warning !== null && { warning: outcome.warning }),
  };
}

/** The kind and the place of an error. Its message may quote what a person typed, so it stays out. */
function describeError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { error: typeof error };
  return { error: error.name, at: framesOf(error).slice(0, 5) };
}

/** What follows the message in the stack: a line of the message itself could pass for a place. */
function framesOf({ message, stack = "" }: Error): string[] {
  const start = stack.indexOf(message);
  if (start < 0) return [];
  return stack
    .slice(start + message.length)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at "));
}

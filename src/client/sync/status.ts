/** What a person is told about the state of their data. */
import { isOffline, isPassing } from "./errors.ts";
import type { LocalFacts } from "./local-store.ts";
import type { StatusKind, SyncStatus } from "./results.ts";
import type { Activity } from "./tabs.ts";

export function toStatus(facts: LocalFacts, activity: Activity): SyncStatus {
  const { pending, quarantine, syncedAt } = facts;
  const hasProblem = activity.kind === "failed" && facts.session === "signed-in";
  return Object.freeze({
    kind: toKind(facts, activity),
    pending,
    quarantined: quarantine.length,
    lastSyncedAt: syncedAt,
    ...(hasProblem && { problem: activity.error }),
  });
}

function toKind({ session, pending, syncedAt }: LocalFacts, activity: Activity): StatusKind {
  if (session !== "signed-in") return session;
  switch (activity.kind) {
    case "syncing":
      return "syncing";
    case "failed":
      if (isOffline(activity.error)) return "offline";
      return isPassing(activity.error) ? "waiting" : "blocked";
    case "idle":
      return pending > 0 || syncedAt === null ? "waiting" : "up-to-date";
  }
}

/** What an app subscribes to: a snapshot of data and status that is replaced at every change. */
import type { LocalFacts } from "./local-facts.ts";
import type { StatusKind, SyncClientError, SyncSnapshot, SyncStatus } from "./results.ts";
import type { Activity } from "./tabs.ts";
import { isSameValue } from "./same-value.ts";
import { isOffline, isPassing, storageLost } from "./errors.ts";

export type Observable = ReturnType<typeof createObservable>;

/** Takes over the changed entities, null for all; returns the function that tells its own listeners. */
type TakeChange = (entityIds: readonly string[] | null) => () => void;

export function createObservable(facts: () => LocalFacts, findNeed: () => SyncClientError | null) {
  const listeners = createListeners();
  const takers: TakeChange[] = [];
  let activity: Activity = { kind: "idle" };
  let snapshot: SyncSnapshot | null = null;
  let status: SyncStatus | null = null;

  /** The same object until something in it changes: most edits leave it as it is. */
  function readStatus(): SyncStatus {
    const next = toStatus(facts(), activity, findNeed());
    if (status === null || !isSameValue(status, next)) status = next;
    return status;
  }

  /** Must be called when the facts have changed, with the entities that did; null for all. */
  function notify(entityIds: readonly string[] | null): void {
    snapshot = null;
    // Every collection shows the change before a listener of one is called.
    const calls = takers.map((take) => take(entityIds));
    for (const call of calls) call();
    listeners.call();
  }

  return {
    activity: () => activity,
    setActivity(next: Activity): void {
      activity = next;
      notify([]);
    },
    notify,
    /** For as long as the client is open. */
    onChange: (take: TakeChange) => void takers.push(take),
    subscribe: listeners.subscribe,
    /** The snapshot is the same object until something changes. */
    getSnapshot: (): SyncSnapshot =>
      (snapshot ??= Object.freeze({
        entities: facts().entities,
        status: readStatus(),
      })),
  };
}

export function createListeners() {
  const listeners = new Set<() => void>();
  return {
    subscribe(listener: () => void): () => void {
      // One function may subscribe twice; each subscription ends by itself.
      const call = () => listener();
      listeners.add(call);
      return () => void listeners.delete(call);
    },
    call(): void {
      // A copy: a listener may end its subscription, or begin another one.
      for (const call of new Set(listeners)) if (listeners.has(call)) callSafely(call);
    },
    isEmpty: () => listeners.size === 0,
  };
}

/** An error of the app's own listener must not stop the client. */
function callSafely(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

function toStatus(
  facts: LocalFacts,
  activity: Activity,
  keyNeed: SyncClientError | null,
): SyncStatus {
  const { pending, quarantine, syncedAt } = facts;
  const error = activity.kind === "failed" ? activity.error : null;
  // What keeps the device from this server comes first, because no key would help.
  const need = error === null || isPassing(error) ? keyNeed : null;
  const kind = toKind(facts, activity, need ?? error);
  const problem =
    facts.lost !== null
      ? storageLost(facts.lost)
      : facts.session === "signed-in"
        ? (need ?? error)
        : null;
  return Object.freeze({
    kind,
    pending,
    quarantined: quarantine.length,
    lastSyncedAt: syncedAt,
    ...(problem !== null && { problem }),
  });
}

function toKind(
  facts: LocalFacts,
  activity: Activity,
  problem: SyncClientError | null,
): StatusKind {
  const { session, pending, syncedAt, quarantine, lost } = facts;
  if (lost !== null) return "storage-lost";
  if (session !== "signed-in") return session;
  if (problem?.kind === "key-needed") return "key-needed";
  if (problem !== null && !isPassing(problem)) return "blocked";
  if (quarantine.length > 0) return "needs-attention";
  switch (activity.kind) {
    case "syncing":
      return "syncing";
    case "failed":
      return isOffline(activity.error) ? "offline" : "waiting";
    case "idle":
      return pending > 0 || syncedAt === null ? "waiting" : "up-to-date";
  }
}

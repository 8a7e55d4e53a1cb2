/** What an app subscribes to: a snapshot of data and status that is replaced at every change. */
import type { LocalFacts } from "./local-store.ts";
import type { SyncSnapshot } from "./results.ts";
import { toStatus } from "./status.ts";
import type { Activity } from "./tabs.ts";

export interface Observable {
  activity(): Activity;
  setActivity(activity: Activity): void;
  /** The facts have changed. */
  notify(): void;
  subscribe(listener: () => void): () => void;
  /** The same object until something changes. */
  getSnapshot(): SyncSnapshot;
}

export function createObservable(facts: () => LocalFacts): Observable {
  const listeners = new Set<() => void>();
  let activity: Activity = { kind: "idle" };
  let snapshot: SyncSnapshot | null = null;

  function notify(): void {
    snapshot = null;
    for (const listener of listeners) callSafely(listener);
  }

  return {
    activity: () => activity,
    setActivity(next) {
      activity = next;
      notify();
    },
    notify,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    getSnapshot: () =>
      (snapshot ??= Object.freeze({
        entities: facts().entities,
        status: toStatus(facts(), activity),
      })),
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

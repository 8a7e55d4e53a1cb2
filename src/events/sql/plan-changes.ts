/** What a list of changes does to events: which are written, with which stamps, and which are not. */
import type { EventChange, StoredEvent } from "../store.ts";

export interface WritePlan {
  /** By id, as they are to be. */
  readonly written: Map<string, StoredEvent>;
  /** By id: how often these were missing, and nothing else of them changes. */
  readonly missing: Map<string, number>;
  readonly taken: Set<string>;
  lastStamp: number;
  addedLive: number;
}

export function planChanges(
  changes: readonly EventChange[],
  present: ReadonlyMap<string, StoredEvent>,
  sourceId: string,
  lastStamp: number,
  now: number,
): WritePlan {
  const plan: WritePlan = {
    written: new Map(),
    missing: new Map(),
    taken: new Set(),
    lastStamp,
    addedLive: 0,
  };
  for (const change of changes) {
    const { eventId } = change;
    const before = plan.written.get(eventId) ?? present.get(eventId) ?? null;
    const wasLive = before !== null && before.deletedAt === null;
    // A tombstone belongs to nobody: its source may be gone, and its id may come back from another.
    if (wasLive && before.sourceId !== sourceId) {
      plan.taken.add(eventId);
      continue;
    }
    if (change.kind === "put") {
      const createdAt = before?.createdAt ?? change.createdAt;
      const updatedAt = (plan.lastStamp = Math.max(now, plan.lastStamp + 1));
      const rest = { eventId, sourceId, createdAt, updatedAt, deletedAt: null, missing: 0 };
      plan.written.set(eventId, { ...change.content, ...rest });
      plan.missing.delete(eventId);
      plan.addedLive += wasLive ? 0 : 1;
    } else if (wasLive && change.kind === "delete") {
      const updatedAt = (plan.lastStamp = Math.max(now, plan.lastStamp + 1));
      plan.written.set(eventId, { ...before, updatedAt, deletedAt: now, missing: 0 });
      plan.missing.delete(eventId);
      plan.addedLive -= 1;
    } else if (wasLive && change.kind === "missing") {
      plan.missing.set(eventId, change.missing);
    }
  }
  return plan;
}

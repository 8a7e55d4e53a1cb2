/** What the answers of one sync brought, merged by id: the later word counts. */
import type { PageEntry, UnreadableEntry } from "../../rules/events/client/read-event-list.ts";
import { sortEvents, type RemoteEvent } from "../../rules/events/client/remote-event.ts";

export interface PageAccumulator {
  /** `isRepeated`: the next answer will hold these entries again. */
  add(entries: readonly PageEntry[], isRepeated: boolean): void;
  take(): AccumulatedPages;
}

/** What came, also of a sync that failed later. */
export interface AccumulatedPages {
  /** By date. */
  readonly events: readonly RemoteEvent[];
  readonly deletedIds: readonly string[];
  readonly unreadable: readonly UnreadableEntry[];
}

export function createPageAccumulator(): PageAccumulator {
  const eventsById = new Map<string, RemoteEvent>();
  const deletedIds = new Set<string>();
  let counted: UnreadableEntry[] = [];
  let uncounted: UnreadableEntry[] = [];
  return {
    add: (entries, isRepeated) => {
      uncounted = [];
      for (const entry of entries) {
        if (entry.kind === "event") {
          eventsById.set(entry.event.id, entry.event);
          deletedIds.delete(entry.event.id);
        } else if (entry.kind === "deleted") {
          deletedIds.add(entry.id);
          eventsById.delete(entry.id);
        } else {
          uncounted.push(entry.entry);
        }
      }
      if (isRepeated) return;
      counted = [...counted, ...uncounted];
      uncounted = [];
    },
    take: () => ({
      events: sortEvents(eventsById.values()),
      deletedIds: [...deletedIds],
      unreadable: [...counted, ...uncounted],
    }),
  };
}

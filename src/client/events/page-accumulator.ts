import { isImportable } from "../../rules/events/client/import-events.ts";
import type { PageEntry, UnreadableEntry } from "../../rules/events/client/read-event-list.ts";
import { sortEvents, type RemoteEvent } from "../../rules/events/client/remote-event.ts";

export type PageAccumulator = ReturnType<typeof createPageAccumulator>;

/** The events that a sync fetched, also when it failed after some pages. */
export interface FetchedEvents {
  /** The events are sorted by date. */
  readonly events: readonly RemoteEvent[];
  /** The ids of events that the service has deleted. */
  readonly deletedIds: readonly string[];
  /** The entries that are no events, and why. */
  readonly unreadable: readonly UnreadableEntry[];
}

/**
 * Merges the pages of one sync by event id. A later page wins; in one page it is the first entry that can
 * become a habit, as in an import of the page itself.
 */
export function createPageAccumulator() {
  const eventsById = new Map<string, RemoteEvent>();
  const deletedIds = new Set<string>();
  let unreadable: UnreadableEntry[] = [];
  let unreadableOfRepeatedPage: UnreadableEntry[] = [];
  return {
    /** `isRepeated`: the next page will contain these entries again. */
    add(entries: readonly PageEntry[], isRepeated: boolean): void {
      const unreadableOfPage: UnreadableEntry[] = [];
      const settledIds = new Set<string>();
      for (const entry of entries) {
        if (entry.kind === "event") {
          if (settledIds.has(entry.event.id)) continue;
          if (isImportable(entry.event)) settledIds.add(entry.event.id);
          eventsById.set(entry.event.id, entry.event);
          deletedIds.delete(entry.event.id);
        } else if (entry.kind === "deleted") {
          deletedIds.add(entry.id);
          eventsById.delete(entry.id);
        } else {
          unreadableOfPage.push(entry.entry);
        }
      }
      unreadableOfRepeatedPage = isRepeated ? unreadableOfPage : [];
      if (!isRepeated) unreadable = [...unreadable, ...unreadableOfPage];
    },
    result: (): FetchedEvents => ({
      events: sortEvents(eventsById.values()),
      deletedIds: [...deletedIds],
      unreadable: [...unreadable, ...unreadableOfRepeatedPage],
    }),
  };
}

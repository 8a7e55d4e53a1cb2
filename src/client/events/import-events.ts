import {
  eventsToHabits,
  type ImportOptions,
  type ImportReport,
  type LocalHabit,
} from "../../rules/events/client/import-events.ts";
import type { RemoteEvent } from "../../rules/events/client/remote-event.ts";
import { toLocalDate } from "./to-local-date.ts";

/** How `importEvents` names what it imports, and how it treats days. */
export type EventImportOptions = Pick<ImportOptions, "serviceName"> & Partial<ImportOptions>;

/**
 * Makes habits of events, once for each event and day, in the time zone of this device. Give it all habits
 * of the app, archived ones too, or what a person archived comes back.
 * @param events - all events that the sync returned
 * @param localHabits - all habits of the app with their sources
 * @param options - what the service is called
 * @returns the habits to create, and the events that were left out
 * @example
 * ```ts
 * import { formatEntityId, importEvents, toLocalDate } from "trellis/client";
 * import type { RemoteEvent } from "trellis/client";
 *
 * export function takeOver(events: readonly RemoteEvent[]): void {
 *   const { imported, skipped } = importEvents(events, [], { serviceName: "My planner" });
 *   for (const { name, source } of imported) {
 *     console.log(toLocalDate(Date.now()), formatEntityId("habit", source.eventId), name);
 *   }
 *   for (const { id, reason } of skipped) console.log(`${id} was not imported: ${reason}`);
 * }
 * ```
 */
export function importEvents(
  events: readonly RemoteEvent[],
  localHabits: readonly LocalHabit[],
  options: EventImportOptions,
): ImportReport {
  if (options.serviceName.trim() === "") {
    throw new TypeError("Cannot import events: serviceName is empty, habits are named after it");
  }
  return eventsToHabits(events, localHabits, { toLocalDate, ...options });
}

import {
  eventsToHabits,
  type ImportOptions,
  type ImportReport,
  type LocalHabit,
} from "../../rules/events/client/import-events.ts";
import type { RemoteEvent } from "../../rules/events/client/remote-event.ts";
import { toLocalDate } from "./to-local-date.ts";

export type EventImportOptions = Pick<ImportOptions, "serviceName"> & Partial<ImportOptions>;

/** The import rules in the time zone of this device. */
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

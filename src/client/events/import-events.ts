/** The import rules with the zone of this device. */
import {
  importEvents as importWith,
  type ImportOptions,
  type ImportReport,
  type LocalHabit,
} from "../../rules/events/client/import-events.ts";
import type { RemoteEvent } from "../../rules/events/client/remote-event.ts";
import { toLocalDate } from "./local-date.ts";

export type EventImportOptions = Pick<ImportOptions, "serviceName"> & Partial<ImportOptions>;

export function importEvents(
  events: readonly RemoteEvent[],
  localHabits: readonly LocalHabit[],
  options: EventImportOptions,
): ImportReport {
  if (options.serviceName.trim() === "") {
    throw new TypeError("Cannot import events: serviceName is empty, habits are named after it");
  }
  return importWith(events, localHabits, { toLocalDate, ...options });
}

import {
  eventsToHabits,
  type ImportOptions,
  type ImportReport,
  type LocalHabit,
} from "../../rules/events/client/import-events.ts";
import type { RemoteEvent } from "../../rules/events/client/remote-event.ts";

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

/** The date of an instant on this device, as `YYYY-MM-DD`. */
export function toLocalDate(instant: number): string {
  const date = new Date(instant);
  const pad = (value: number, length: number) => String(value).padStart(length, "0");
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`;
}

import { INFO_TYPE } from "../../../contract/events/values.ts";
import { isDate } from "../../../contract/date-time.ts";
import { parseIsoDate, type IsoDateError } from "../iso-date.ts";
import { formatDay } from "../wall-time.ts";
import type { RemoteEvent } from "./remote-event.ts";

/** The icon that an imported event is shown with, by its type. */
export type EventIcon = "homework" | "exam" | "presentation" | "task";

/** An existing habit, archived or not. */
export interface LocalHabit {
  /** Null or absent for a habit that was not imported. */
  readonly source?: Pick<EventSource, "eventId"> | null;
}

/**
 * Which event a habit was imported from; store it with the habit, so that the event is not imported twice.
 */
export interface EventSource {
  /** The id of the event at its service. */
  readonly eventId: string;
  /** `YYYY-MM-DD`, the day on this device. */
  readonly occursOn: string;
}

/** A habit to create from an event, with the source to store beside it. */
export interface ImportedHabit {
  /** The title, or in its place the subject or a default name. */
  readonly name: string;
  /** The icon of the type of event. */
  readonly icon: EventIcon;
  /** The subject of the event. */
  readonly category: string;
  /** The event that it came from, so that no event is imported twice. */
  readonly source: EventSource;
}

/** Why an event was not imported. */
export type ImportSkipReason =
  | "info"
  | "missing-date"
  | IsoDateError
  | "already-imported"
  /** A second event of the same id. */
  | "repeated";

/** What an import came to: the habits to create, and each event that was left out with the reason. */
export interface ImportReport {
  /** The habits to add. */
  readonly imported: readonly ImportedHabit[];
  /** The events that are not imported, and why. */
  readonly skipped: readonly { readonly id: string; readonly reason: ImportSkipReason }[];
}

export interface ImportOptions {
  /** The name is shown to people: it names habits and categories where an event has none. */
  readonly serviceName: string;
  /** The local date of an instant (milliseconds since the epoch) on this device. */
  readonly toLocalDate: (instant: number) => string;
}

/** The import rules of the events contract, in its order. */
export function eventsToHabits(
  events: readonly RemoteEvent[],
  localHabits: readonly LocalHabit[],
  options: ImportOptions,
): ImportReport {
  const known = new Set(localHabits.map(({ source }) => source?.eventId));
  const taken = new Set<string>();
  const imported: ImportedHabit[] = [];
  const skipped: { id: string; reason: ImportSkipReason }[] = [];
  for (const event of events) {
    const { id } = event;
    const habit = readHabit(event, options);
    if (typeof habit === "string") skipped.push({ id, reason: habit });
    else if (known.has(id)) skipped.push({ id, reason: "already-imported" });
    else if (taken.has(id)) skipped.push({ id, reason: "repeated" });
    else imported.push(habit);
    if (typeof habit !== "string") taken.add(id);
  }
  return { imported, skipped };
}

function readHabit(event: RemoteEvent, options: ImportOptions): ImportedHabit | ImportSkipReason {
  const { id, type } = event;
  const day = readDay(event, options.toLocalDate);
  if (day.kind === "skipped") return day.reason;
  const subject = readName(event.subject_name);
  return {
    name: readName(event.title) ?? subject ?? `${options.serviceName} Task`,
    icon: ICONS.get(type.normalize("NFC").toLowerCase()) ?? "task",
    category: subject ?? options.serviceName,
    source: { eventId: id, occursOn: day.occursOn },
  };
}

type DayResult =
  | { readonly kind: "day"; readonly occursOn: string }
  | { readonly kind: "skipped"; readonly reason: ImportSkipReason };

function readDay(
  { type, date }: RemoteEvent,
  toLocalDate: ImportOptions["toLocalDate"],
): DayResult {
  if (type.toLowerCase() === INFO_TYPE) return skip("info");
  if (date === null || date === "") return skip("missing-date");
  const when = parseIsoDate(date);
  if (when.kind === "invalid") return skip(when.reason);
  const occursOn = when.kind === "moment" ? toLocalDate(when.instant) : formatDay(when.wall);
  // A moment may be on a day before the year 0 or after 9999 here.
  return isDate(occursOn) ? { kind: "day", occursOn } : skip("invalid-date");
}

/** Whether the event can become a habit; of two with one id, the first that can be is the one that counts. */
export function isImportable(event: RemoteEvent): boolean {
  return readDay(event, formatDay).kind === "day";
}

function skip(reason: ImportSkipReason): DayResult {
  return { kind: "skipped", reason };
}

function readName(text: string | null): string | null {
  const name = text?.trim() ?? "";
  return name === "" ? null : name;
}

const ICONS: ReadonlyMap<string, EventIcon> = new Map([
  ["homework", "homework"],
  ["hausaufgabe", "homework"],
  ["ha", "homework"],
  ["exam", "exam"],
  ["test", "exam"],
  ["klausur", "exam"],
  ["klassenarbeit", "exam"],
  ["ka", "exam"],
  ["presentation", "presentation"],
  ["präsentation", "presentation"],
  ["referat", "presentation"],
]);

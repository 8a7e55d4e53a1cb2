/** A response of the events route. A member beyond the contract counts only if `extras` announces it. */
import { EVENTS_EXTRAS, type EventsExtra } from "../../../contract/events/values.ts";
import { isObject } from "../../../contract/is-object.ts";
import { parseMoment } from "../iso-date.ts";
import type { RemoteEvent } from "./remote-event.ts";

export interface EventListPage {
  readonly entries: readonly PageEntry[];
  /** What the service announces beyond the contract. */
  readonly extras: readonly EventsExtra[];
  /** Null: the service has no pages. */
  readonly hasMore: boolean | null;
  readonly nextUpdatedSince: string | null;
  /** Milliseconds since the epoch. */
  readonly serverTime: number | null;
}

export type PageEntry =
  | { readonly kind: "event"; readonly event: RemoteEvent }
  | { readonly kind: "deleted"; readonly id: string }
  | { readonly kind: "unreadable"; readonly entry: UnreadableEntry };

/** An entry without the two members that the contract requires. */
export interface UnreadableEntry {
  /** What the entry is or lacks. */
  readonly reason: "not-an-object" | "missing-id" | "missing-type";
  /** Its id, when it has one. */
  readonly id: string | null;
}

/** Null when the value is no list of events. */
export function readEventList(value: unknown): EventListPage | null {
  if (!isObject(value)) return null;
  // Events contract, Errors: an absent list is an empty one, and some services write null.
  const list = value["events"] ?? [];
  if (!Array.isArray(list)) return null;
  const extras = readExtras(value["extras"]);
  const { has_more: hasMore, next_updated_since: next, server_time: serverTime } = value;
  const isPaged = extras.includes("pages");
  const hasClock = extras.includes("server_time") && typeof serverTime === "string";
  return {
    entries: list.map((entry) => readEntry(entry, extras.includes("deletions"))),
    extras,
    hasMore: isPaged && typeof hasMore === "boolean" ? hasMore : null,
    nextUpdatedSince: isPaged && isStamp(next) ? next : null,
    serverTime: hasClock ? parseMoment(serverTime) : null,
  };
}

/** Those that this client knows; anything else is no announcement. */
export function readExtras(value: unknown): readonly EventsExtra[] {
  return Array.isArray(value) ? EVENTS_EXTRAS.filter((extra) => value.includes(extra)) : [];
}

export function isStamp(value: unknown): value is string {
  return typeof value === "string" && parseMoment(value) !== null;
}

function readEntry(value: unknown, hasDeletions: boolean): PageEntry {
  if (!isObject(value)) return unreadable("not-an-object", null);
  const id = readText(value["id"]);
  if (id === null || id === "") return unreadable("missing-id", null);
  const type = readText(value["type"]);
  if (hasDeletions && value["deleted"] === true) return { kind: "deleted", id };
  if (type === null) return unreadable("missing-type", id);
  return {
    kind: "event",
    event: {
      id,
      type,
      subject_name: readText(value["subject_name"]),
      title: readText(value["title"]),
      date: readText(value["date"]),
      created_at: readText(value["created_at"]),
    },
  };
}

function unreadable(reason: UnreadableEntry["reason"], id: string | null): PageEntry {
  return { kind: "unreadable", entry: { reason, id } };
}

function readText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

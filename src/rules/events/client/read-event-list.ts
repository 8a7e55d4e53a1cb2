/** A response of the events route; members beyond the contract may be missing. */
import { parseDateTime } from "../../../contract/date-time.ts";
import { isObject } from "../../../contract/is-object.ts";
import type { RemoteEvent } from "./remote-event.ts";

export interface EventListPage {
  readonly entries: readonly PageEntry[];
  /** Null: the service does not say. */
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
  readonly reason: "not-an-object" | "missing-id" | "missing-type";
  readonly id: string | null;
}

/** Null when the value is no list of events. */
export function readEventList(value: unknown): EventListPage | null {
  if (!isObject(value)) return null;
  // Events contract, Errors: an absent list is an empty one, and some services write null.
  const list = value["events"] ?? [];
  if (!Array.isArray(list)) return null;
  const { has_more: hasMore, next_updated_since: next, server_time: serverTime } = value;
  return {
    entries: list.map(readEntry),
    hasMore: typeof hasMore === "boolean" ? hasMore : null,
    nextUpdatedSince: typeof next === "string" && parseDateTime(next) !== null ? next : null,
    serverTime: typeof serverTime === "string" ? parseDateTime(serverTime) : null,
  };
}

function readEntry(value: unknown): PageEntry {
  if (!isObject(value)) return unreadable("not-an-object", null);
  const id = readText(value["id"]);
  if (id === null || id === "") return unreadable("missing-id", null);
  const type = readText(value["type"]);
  if (value["deleted"] === true) return { kind: "deleted", id };
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

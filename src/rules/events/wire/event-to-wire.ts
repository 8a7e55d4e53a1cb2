import type { DeletedEvent, WireEvent } from "../../../contract/events/schemas.ts";
import { INFO_TYPE } from "../../../contract/events/values.ts";
import type { EntryContent } from "../ingest/reconcile.ts";

export interface ListedEvent extends EntryContent {
  readonly eventId: string;
  readonly createdAt: string;
  readonly deletedAt: number | null;
}

/** A deletion has no content: an app needs only the id. */
export function eventToWire(event: ListedEvent): WireEvent | DeletedEvent {
  if (event.deletedAt !== null) {
    return {
      id: event.eventId,
      type: INFO_TYPE,
      subject_name: null,
      title: null,
      date: null,
      created_at: event.createdAt,
      deleted: true,
    };
  }
  return {
    id: event.eventId,
    type: event.type,
    subject_name: event.subjectName,
    title: event.title,
    date: event.date,
    created_at: event.createdAt,
  };
}

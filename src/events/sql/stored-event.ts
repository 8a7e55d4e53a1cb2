/** Rows of `events_entries` and the events they stand for. */
import type { DeletedEvent, WireEvent } from "../../contract/events/schemas.ts";
import type { SqlValue } from "../../database/database.ts";
import { eventToWire } from "../../rules/events/wire/event-to-wire.ts";
import type { StoredEvent } from "../store.ts";

export interface EventRow extends Readonly<Record<string, SqlValue>> {
  readonly event_id: string;
  readonly source_id: string;
  readonly wire: string;
  readonly date_at: number | null;
  readonly updated_at: number;
  readonly deleted_at: number | null;
  readonly missing: number;
}

export const EVENT_COLUMNS =
  "e.event_id, e.source_id, e.wire, e.date_at, e.updated_at, e.deleted_at, e.missing";

/** What apps get is all that is kept of an event's content, so the two cannot differ. */
export function rowToEvent(row: EventRow): StoredEvent {
  const wire = JSON.parse(row.wire) as WireEvent | DeletedEvent;
  return {
    eventId: row.event_id,
    sourceId: row.source_id,
    type: wire.type,
    subjectName: wire.subject_name,
    title: wire.title,
    date: wire.date,
    dateAt: row.date_at,
    // Only those of another service may have none.
    createdAt: wire.created_at ?? "",
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
    missing: row.missing,
  };
}

export function eventToRow(event: StoredEvent): EventRow {
  return {
    event_id: event.eventId,
    source_id: event.sourceId,
    wire: JSON.stringify(eventToWire(event)),
    date_at: event.deletedAt === null ? event.dateAt : null,
    updated_at: event.updatedAt,
    deleted_at: event.deletedAt,
    missing: event.missing,
  };
}

/** In the order of `EVENT_COLUMNS`. */
export function eventToValues(event: StoredEvent) {
  const row = eventToRow(event);
  return [
    row.event_id,
    row.source_id,
    row.wire,
    row.date_at,
    row.updated_at,
    row.deleted_at,
    row.missing,
  ] as const;
}

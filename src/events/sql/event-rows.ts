/** Rows of `events_entries` and `events_counters`, and the statements that write them. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { DeletedEvent, WireEvent } from "../../contract/events/schemas.ts";
import type { Database, Queryable, SqlValue } from "../../database/database.ts";
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

/** The columns of a row beside its account. */
export const EVENT_COLUMN_TYPES = {
  event_id: "text",
  source_id: "text",
  wire: "text",
  date_at: "integer",
  updated_at: "integer",
  deleted_at: "integer",
  missing: "integer",
} as const;

export const EVENT_COLUMNS = Object.keys(EVENT_COLUMN_TYPES)
  .map((name) => `e.${name}`)
  .join(", ");

/** The content is stored only as apps receive it, so the two cannot differ. */
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
    // Only events of another service may lack the time of creation.
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

/** The values are in the order of `EVENT_COLUMNS`. */
export function eventToValues(event: StoredEvent): SqlValue[] {
  return Object.values(eventToRow(event));
}

/** The rows of one batch; other work runs between two batches. */
export const BATCH_ROWS = 500;

export async function readPresent(
  tx: Queryable,
  accountId: string,
  eventIds: ReadonlySet<string>,
): Promise<Map<string, StoredEvent>> {
  const present = new Map<string, StoredEvent>();
  await inBatches([...eventIds], async (batch) => {
    // With the account as a constant PostgreSQL would read all its events for each batch.
    const rows = await tx.queryRows<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM {rows} AS r
       JOIN events_entries e ON e.account_id = r.account_id AND e.event_id = r.event_id`,
      {
        columns: { account_id: "text", event_id: "text" },
        rows: batch.map((eventId) => [accountId, eventId]),
      },
    );
    for (const row of rows) present.set(row.event_id, rowToEvent(row));
  });
  return present;
}

export async function putEvents(
  tx: Queryable,
  accountId: string,
  events: readonly StoredEvent[],
): Promise<void> {
  await tx.queryRows(
    `INSERT INTO events_entries
       (account_id, event_id, source_id, wire, date_at, updated_at, deleted_at, missing)
     SELECT $1, r.event_id, r.source_id, r.wire, r.date_at, r.updated_at, r.deleted_at, r.missing
     FROM {rows} AS r WHERE true
     ON CONFLICT (account_id, event_id) DO UPDATE SET source_id = excluded.source_id,
       wire = excluded.wire, date_at = excluded.date_at, updated_at = excluded.updated_at,
       deleted_at = excluded.deleted_at, missing = excluded.missing`,
    { columns: EVENT_COLUMN_TYPES, rows: events.map(eventToValues) },
    [accountId],
  );
}

export async function putMissing(
  tx: Queryable,
  accountId: string,
  counts: readonly (readonly [string, number])[],
): Promise<void> {
  await tx.queryRows(
    `UPDATE events_entries SET missing = r.missing FROM {rows} AS r
     WHERE events_entries.account_id = r.account_id AND events_entries.event_id = r.event_id`,
    {
      columns: { account_id: "text", event_id: "text", missing: "integer" },
      rows: counts.map(([eventId, missing]) => [accountId, eventId, missing]),
    },
  );
}

export async function readCounter(
  tx: Queryable,
  accountId: string,
): Promise<{ readonly lastStamp: number; readonly liveCount: number }> {
  const [row] = await tx.query<{ last_stamp: number; live_count: number }>(
    "SELECT last_stamp, live_count FROM events_counters WHERE account_id = $1",
    [accountId],
  );
  return { lastStamp: row?.last_stamp ?? 0, liveCount: row?.live_count ?? 0 };
}

export async function putCounter(
  tx: Queryable,
  accountId: string,
  lastStamp: number,
  liveCount: number,
): Promise<void> {
  await tx.query(
    `INSERT INTO events_counters (account_id, last_stamp, live_count) VALUES ($1, $2, $3)
     ON CONFLICT (account_id) DO UPDATE SET last_stamp = excluded.last_stamp,
       live_count = excluded.live_count`,
    [accountId, lastStamp, liveCount],
  );
}

/** Prunes in batches, each in its own transaction, so that writers need not wait long. */
export async function pruneSqlTombstones(database: Database, deletedUntil: number): Promise<void> {
  for (let removed = BATCH_ROWS; removed === BATCH_ROWS;) {
    const rows = await database.transaction((tx) =>
      tx.query(
        `DELETE FROM events_entries WHERE (account_id, event_id) IN (
         SELECT account_id, event_id FROM events_entries WHERE deleted_at <= $1
         ORDER BY deleted_at LIMIT $2
       ) RETURNING event_id`,
        [deletedUntil, BATCH_ROWS],
      ),
    );
    removed = rows.length;
  }
}

export async function inBatches<T>(
  items: readonly T[],
  run: (batch: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH_ROWS) {
    if (start > 0) await nextTurn();
    await run(items.slice(start, start + BATCH_ROWS));
  }
}
